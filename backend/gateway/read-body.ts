// Reads a request's body whole before anybody acts on it: PGlite runs one transaction at a time, and a client that sends
// slowly must not hold one open. Bounded in size, in time, and in what all bodies together may take.
import type { IncomingMessage } from 'node:http';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { CallerCounts } from './connection-limits.ts';
import type { GatewayLimits } from './limits.ts';
import { type Refusal, refusal, retryLater } from './refusal.ts';

type BodyLimits = Pick<
  GatewayLimits,
  'bodyBytes' | 'bodyBytesPerAddress' | 'bodyBytesOfAll' | 'bodyGraceMs' | 'bodyBytesPerSecond'
>;

const RETRY_MS = 5_000;
const TOO_SLOW = refusal(408, 'The request came too slowly.', { connection: 'close' });

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #perCaller = new CallerCounts();
  #ofAll = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * `caller` null: held to no limit of its own. `done` resolves when the body is of no use any more; until then it
   * counts. Null: the caller has left.
   */
  read(
    incoming: IncomingMessage,
    caller: string | null,
    done: Promise<void>,
  ): Promise<Result<Uint8Array<ArrayBuffer>, Refusal> | null> {
    const { bodyBytes, bodyGraceMs, bodyBytesPerSecond } = this.#limits;
    const tooLarge = refusal(413, `A request may be at most ${bodyBytes} bytes long.`);
    if (Number(incoming.headers['content-length'] ?? 0) > bodyBytes) return Promise.resolve(err(tooLarge));
    const startedAt = performance.now();
    const parts: Buffer[] = [];
    let length = 0;
    void done.then(() => this.#count(caller, -length));
    return new Promise((resolve) => {
      const finish = (result: Result<Uint8Array<ArrayBuffer>, Refusal> | null) => {
        clearTimeout(timer);
        incoming.off('data', take).off('end', end).off('close', leave).off('error', leave);
        // What nobody wants any more is let through: an answer is read only by who has finished asking.
        incoming.on('error', () => undefined).resume();
        resolve(result);
      };
      const take = (part: Buffer) => {
        length += part.length;
        parts.push(part);
        const isRoom = this.#count(caller, part.length);
        if (length > bodyBytes) finish(err(tooLarge));
        else if (!isRoom) finish(err(retryLater(503, 'Too much is being sent at once.', RETRY_MS)));
      };
      const end = () => finish(ok(new Uint8Array(Buffer.concat(parts, length))));
      const leave = () => finish(null);
      const check = () => {
        const leftMs = startedAt + bodyGraceMs + (length / bodyBytesPerSecond) * 1_000 - performance.now();
        if (leftMs <= 0) finish(err(TOO_SLOW));
        else timer = setTimeout(check, leftMs);
      };
      let timer = setTimeout(check, bodyGraceMs);
      incoming.on('data', take).on('end', end).on('close', leave).on('error', leave);
    });
  }

  /**
   * The body as it comes, for who writes it to a file and knows how long it may be. Only its pace is watched: when it is
   * too slow, `onSlow` is called once and the stream ends in an error.
   */
  stream(incoming: IncomingMessage, onSlow: (refused: Refusal) => void): ReadableStream<Uint8Array> {
    const { bodyGraceMs, bodyBytesPerSecond } = this.#limits;
    const { socket } = incoming;
    const before = socket.bytesRead;
    let deadline = performance.now() + bodyGraceMs;
    const check = () => {
      // What lies here unread waits for us, not for the caller.
      if (incoming.readableLength > 0) deadline = performance.now() + bodyGraceMs;
      const leftMs = deadline + ((socket.bytesRead - before) / bodyBytesPerSecond) * 1_000 - performance.now();
      if (leftMs > 0) timer = setTimeout(check, leftMs);
      else {
        onSlow(TOO_SLOW);
        incoming.destroy(new Error(TOO_SLOW.message));
      }
    };
    let timer = setTimeout(check, bodyGraceMs);
    const stop = () => clearTimeout(timer);
    incoming.once('end', stop).once('close', stop);
    // Not `Readable.toWeb`: it ends the connection of who does not read on, and with it the answer that says why.
    const parts = incoming.iterator({ destroyOnReturn: false });
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next: IteratorResult<unknown> = await parts.next();
          if (next.done === true) controller.close();
          else if (next.value instanceof Uint8Array) controller.enqueue(next.value);
        },
        async cancel() {
          await parts.return?.();
          incoming.resume();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** False: that was too much. It is counted all the same. */
  #count(caller: string | null, bytes: number): boolean {
    this.#ofAll += bytes;
    if (caller !== null) this.#perCaller.add(caller, bytes);
    const { bodyBytesOfAll, bodyBytesPerAddress } = this.#limits;
    return this.#ofAll <= bodyBytesOfAll && (caller === null || this.#perCaller.of(caller) <= bodyBytesPerAddress);
  }
}

// Reads a request's body completely before a handler runs, so that a slow client never holds a transaction open. Limits
// the size, the shape and the duration of one body, and the memory of all bodies together. An uploaded file is streamed
// instead.
import type { IncomingMessage } from 'node:http';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { JsonInspector } from '../json-inspector.ts';
import { CallerCounts } from './connection-limits.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { BodyLimits, GatewayLimits } from './limits.ts';
import { type Refusal, refusal, retryLater } from './refusal.ts';

type Limits = Pick<GatewayLimits, 'bodyBytesPerAddress' | 'bodyBytesInTotal' | 'bodyGraceMs' | 'bodyBytesPerSecond'>;

export type ReadOptions = {
  /** Null for a caller without limits per address. */
  readonly caller: string | null;
  readonly limits: BodyLimits;
  /** The body counts against the limits until this resolves. */
  readonly done: Promise<void>;
};

const RETRY_MS = 5_000;
const TOO_SLOW = refusal(408, 'The request came too slowly.', { connection: 'close' });

const tooComplex = ({ jsonValues, jsonDepth }: BodyLimits): Refusal =>
  refusal(413, `JSON may hold at most ${jsonValues} values, nested at most ${jsonDepth} deep.`);

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export class BodyReader {
  readonly #limits: Limits;
  readonly #perCaller = new CallerCounts();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves with null when the client hangs up. */
  read(
    incoming: IncomingMessage,
    { caller, limits, done }: ReadOptions,
  ): Promise<Result<Uint8Array<ArrayBuffer>, Refusal> | null> {
    const { bodyGraceMs, bodyBytesPerSecond } = this.#limits;
    const tooLarge = refusal(413, `A request may be at most ${limits.bytes} bytes long.`);
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bytes) return Promise.resolve(err(tooLarge));
    const inspector = new JsonInspector(limits);
    const startedAt = performance.now();
    const bytes = new GrowingBytes();
    let length = 0;
    void done.then(() => this.#count(caller, -length));
    return new Promise((resolve) => {
      const finish = (result: Result<Uint8Array<ArrayBuffer>, Refusal> | null) => {
        clearTimeout(timer);
        incoming.off('data', take).off('end', end).off('close', leave).off('error', leave);
        // Let the rest of the body flow past: many clients read the answer only after they have sent everything.
        incoming.on('error', () => undefined).resume();
        resolve(result);
      };
      const take = (part: Buffer<ArrayBuffer>) => {
        length += part.length;
        const hasRoom = this.#count(caller, part.length);
        if (length > limits.bytes) finish(err(tooLarge));
        else if (!inspector.accepts(part)) finish(err(tooComplex(limits)));
        else if (!hasRoom) finish(err(retryLater(503, 'Too much is being sent at once.', RETRY_MS)));
        else bytes.take(part);
      };
      const end = () => finish(ok(bytes.toBytes()));
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
   * The body as a stream, for a handler that writes it to a file and limits its size itself. Only the pace is watched: when
   * the client sends too slowly, `onSlow` is called once and the stream ends with an error.
   */
  stream(incoming: IncomingMessage, onSlow: (refused: Refusal) => void): ReadableStream<Uint8Array> {
    const { bodyGraceMs, bodyBytesPerSecond } = this.#limits;
    const { socket } = incoming;
    const before = socket.bytesRead;
    let deadline = performance.now() + bodyGraceMs;
    const check = () => {
      // Bytes that wait in the buffer mean that the handler is slow, not the client.
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
    // Not `Readable.toWeb`: when the handler stops reading, it destroys the connection, and with it the answer that says why.
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

  /** Returns false when a limit is exceeded; the bytes are counted all the same. */
  #count(caller: string | null, bytes: number): boolean {
    this.#total += bytes;
    if (caller !== null) this.#perCaller.add(caller, bytes);
    const { bodyBytesInTotal, bodyBytesPerAddress } = this.#limits;
    return this.#total <= bodyBytesInTotal && (caller === null || this.#perCaller.of(caller) <= bodyBytesPerAddress);
  }
}

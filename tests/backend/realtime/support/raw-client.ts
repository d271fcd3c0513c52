// A WebSocket on the level of frames. Received frames are read in order, so that a test names every one.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

export type Received = unknown;

/** How long a test waits for a frame, and after which time it assumes that none will come. */
export type Timing = { readonly frameTimeoutMs: number; readonly settleMs: number };

const DEFAULT_TIMING: Timing = { frameTimeoutMs: 3_000, settleMs: 0 };

export class RawClient {
  readonly #ws: WebSocket;
  readonly #timing: Timing;
  readonly #frames: Received[] = [];
  readonly #readers: ((frame: Received) => void)[] = [];
  /** The code with which the socket was closed. */
  readonly closed: Promise<number>;

  static open(address: string, timing = DEFAULT_TIMING): Promise<RawClient> {
    const ws = new WebSocket(address);
    const client = new RawClient(ws, timing);
    return new Promise((resolve, reject) => {
      ws.once('open', () => resolve(client));
      ws.once('error', reject);
    });
  }

  private constructor(ws: WebSocket, timing: Timing) {
    this.#ws = ws;
    this.#timing = timing;
    this.closed = new Promise((resolve) => ws.once('close', resolve));
    ws.on('error', () => {});
    ws.on('message', (data, isBinary) => {
      const frame: Received = isBinary ? data : JSON.parse(String(data));
      const reader = this.#readers.shift();
      if (reader === undefined) this.#frames.push(frame);
      else reader(frame);
    });
  }

  /** Sends a frame: bytes as binary, a string as text, anything else as JSON. */
  send(frame: unknown): void {
    this.#ws.send(frame instanceof Uint8Array || typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  /** Bytes that the server has not taken yet. */
  get unsentBytes(): number {
    return this.#ws.bufferedAmount;
  }

  /** Received and not yet read. */
  get pending(): readonly Received[] {
    return this.#frames;
  }

  next(): Promise<Received> {
    const frame = this.#frames.shift();
    if (frame !== undefined) return Promise.resolve(frame);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no frame came')), this.#timing.frameTimeoutMs);
      this.#readers.push((received) => {
        clearTimeout(timer);
        resolve(received);
      });
    });
  }

  /**
   * Everything received and not yet read, up to the reply to a message that is sent now: whatever the server sent
   * before has arrived by then. A heartbeat gets its reply while a channel still waits for the database; a presence
   * message without an event, sent to a joined topic, waits for its turn in that channel.
   */
  async rest(topic?: string, joinRef = '1'): Promise<Received[]> {
    // A server with many processes answers a heartbeat while a message still travels between two of them.
    await delay(this.#timing.settleMs);
    const ref = `rest-${Math.random()}`;
    this.send(topic === undefined ? [null, ref, 'phoenix', 'heartbeat', {}] : [joinRef, ref, topic, 'presence', {}]);
    const frames: Received[] = [];
    for (;;) {
      const frame = await this.next();
      if (Array.isArray(frame) && frame[1] === ref) return frames;
      frames.push(frame);
    }
  }

  /** The frames up to the first one with this event, and that one. */
  async upTo(event: string): Promise<Received[]> {
    const frames: Received[] = [];
    for (;;) {
      const frame = await this.next();
      frames.push(frame);
      if (Array.isArray(frame) && frame[3] === event) return frames;
    }
  }

  /** Joins and returns the payload of the reply. */
  async join(topic: string, config: unknown, token?: string, ref = '1'): Promise<unknown> {
    this.send([ref, ref, topic, 'phx_join', { config, ...(token === undefined ? {} : { access_token: token }) }]);
    const reply = await this.next();
    return Array.isArray(reply) ? reply[4] : reply;
  }

  /** Closes, and resolves when the server has noticed. */
  async leave(): Promise<void> {
    this.#ws.close();
    await Promise.race([this.closed, delay(1_000)]);
    this.end();
  }

  /** Closes without the closing handshake, like a device that loses its network. */
  end(): void {
    this.#ws.terminate();
  }
}

/** Frame kind 3: a broadcast as realtime-js sends it. */
export function userBroadcastPush(
  joinRef: string,
  ref: string,
  topic: string,
  event: string,
  payload: Uint8Array | object,
  metadata = '',
): Buffer {
  const names = [joinRef, ref, topic, event, metadata].map((name) => Buffer.from(name));
  const isBytes = payload instanceof Uint8Array;
  return Buffer.concat([
    Uint8Array.of(3, ...names.map((name) => name.length), isBytes ? 0 : 1),
    ...names,
    isBytes ? payload : Buffer.from(JSON.stringify(payload)),
  ]);
}

/** Frame kind 4, as a client receives it. */
export function userBroadcast(topic: string, event: string, payload: Uint8Array | string, metadata = ''): Buffer {
  const names = [topic, event, metadata].map((name) => Buffer.from(name));
  const isBytes = payload instanceof Uint8Array;
  return Buffer.concat([
    Uint8Array.of(4, ...names.map((name) => name.length), isBytes ? 0 : 1),
    ...names,
    isBytes ? payload : Buffer.from(payload),
  ]);
}

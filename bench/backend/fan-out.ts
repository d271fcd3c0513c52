// One socket sends and many receive, in frames as on Weft's live topic: measures from the sender's `send` to every
// receiver's socket. For comparison, the same on a server that knows nothing but sockets.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { until } from '../until.ts';

/** One socket of one topic. Joined when it resolves. */
export type Listen = (onFrame: (bytes: Buffer) => void) => Promise<Member>;
export type Member = { readonly send: (payload: Buffer) => void; readonly close: () => void };

export type FanOut = { readonly latencies: number[]; readonly missing: number };

const EVERY_MS = 100;
/** The size of a live update with a key and a caret. */
const PAYLOAD_BYTES = 200;
/** This many join at a time. */
const ARRIVING = 20;
const PATIENCE_MS = 5_000;

export class Audience {
  readonly #listen: Listen;
  readonly #members: Member[] = [];
  #latencies: number[] = [];
  #sender: Member | null = null;

  constructor(listen: Listen) {
    this.#listen = listen;
  }

  async grow(size: number): Promise<void> {
    this.#sender ??= await this.#listen(() => undefined);
    while (this.#members.length < size) {
      const coming = Array.from({ length: Math.min(ARRIVING, size - this.#members.length) }, () =>
        // The last 8 bytes of a frame are the time of sending. Nothing else of it is read.
        this.#listen((bytes) => void this.#latencies.push(performance.now() - bytes.readDoubleBE(bytes.length - 8))),
      );
      this.#members.push(...(await Promise.all(coming)));
    }
  }

  async send(frames: number): Promise<FanOut> {
    const expected = frames * this.#members.length;
    this.#latencies = [];
    const begun = performance.now();
    for (let frame = 0; frame < frames; frame++) {
      await delay(Math.max(0, begun + frame * EVERY_MS - performance.now()));
      const payload = Buffer.alloc(PAYLOAD_BYTES, 1);
      payload.writeDoubleBE(performance.now(), PAYLOAD_BYTES - 8);
      this.#sender?.send(payload);
    }
    await until(() => this.#latencies.length >= expected, PATIENCE_MS).catch(() => undefined);
    return { latencies: this.#latencies, missing: expected - this.#latencies.length };
  }

  close(): void {
    for (const member of [...this.#members, ...(this.#sender === null ? [] : [this.#sender])]) member.close();
  }
}

/** Everybody receives what the others send, unchanged. */
export const bareListener =
  (url: string): Listen =>
  async (onFrame) => {
    const socket = await open(url);
    socket.on('message', onFrame);
    return { send: (payload) => socket.send(payload), close: () => socket.terminate() };
  };

/** On a private topic of Realtime, protocol 2.0.0. */
export const topicListener =
  (url: string, anonKey: string, token: string, topic: string): Listen =>
  async (onFrame) => {
    const address = `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;
    const socket = await open(address);
    const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } };
    const joined = reply(socket);
    socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', { config, access_token: token }]));
    await joined;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) onFrame(data);
    });
    const beat = setInterval(() => socket.send('[null,"0","phoenix","heartbeat",{}]'), 25_000);
    const head = pushHeader(`realtime:${topic}`, 'live-update');
    return {
      send: (payload) => socket.send(Buffer.concat([head, payload])),
      close: () => {
        clearInterval(beat);
        socket.terminate();
      },
    };
  };

function open(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Rejects when it is a refusal. */
function reply(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = (data: Buffer, isBinary: boolean) => {
      if (isBinary) return;
      const reply = data.toString();
      if (!reply.includes('"phx_reply"')) return;
      socket.off('message', read);
      if (reply.includes('"status":"ok"')) resolve();
      else reject(new Error(`the topic was not joined: ${reply}`));
    };
    socket.on('message', read);
  });
}

/** A broadcast's binary frame up to its payload. */
function pushHeader(topic: string, event: string): Buffer {
  const names = ['1', '1', topic, event].map((name) => Buffer.from(name));
  return Buffer.concat([Buffer.from([3, ...names.map(({ length }) => length), 0, 0]), ...names]);
}

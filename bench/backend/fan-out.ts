// One socket sends and many receive, with messages as on Weft's live topic. Measures the time from the sender's `send` to
// every receiver's socket, on Realtime and, for comparison, on a server of bare sockets.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { until } from '../until.ts';

/** Opens a socket that calls `onMessage` with every binary message. Resolves when the socket has joined. */
export type Listen = (onMessage: (bytes: Buffer) => void) => Promise<Member>;
export type Member = { readonly send: (payload: Buffer) => void; readonly close: () => void };

export type FanOutResult = { readonly latencies: number[]; readonly missing: number };

const SEND_INTERVAL_MS = 100;
/** The size of a live update with a key and a caret. */
const PAYLOAD_BYTES = 200;
/** This many sockets join at once. */
const JOINS_AT_ONCE = 20;
const RECEIVE_TIMEOUT_MS = 5_000;

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
      const joining = Array.from({ length: Math.min(JOINS_AT_ONCE, size - this.#members.length) }, () =>
        // The last 8 bytes of a message are its time of sending; the rest is padding.
        this.#listen((bytes) => void this.#latencies.push(performance.now() - bytes.readDoubleBE(bytes.length - 8))),
      );
      this.#members.push(...(await Promise.all(joining)));
    }
  }

  async send(messages: number): Promise<FanOutResult> {
    const expected = messages * this.#members.length;
    this.#latencies = [];
    const begun = performance.now();
    for (let sent = 0; sent < messages; sent++) {
      await delay(Math.max(0, begun + sent * SEND_INTERVAL_MS - performance.now()));
      const payload = Buffer.alloc(PAYLOAD_BYTES, 1);
      payload.writeDoubleBE(performance.now(), PAYLOAD_BYTES - 8);
      this.#sender?.send(payload);
    }
    await until(() => this.#latencies.length >= expected, RECEIVE_TIMEOUT_MS).catch(() => undefined);
    return { latencies: this.#latencies, missing: expected - this.#latencies.length };
  }

  close(): void {
    for (const member of [...this.#members, ...(this.#sender === null ? [] : [this.#sender])]) member.close();
  }
}

/** Joins the server of bare sockets (servers/sockets.ts). */
export const listenOnSocket =
  (url: string): Listen =>
  async (onMessage) => {
    const socket = await open(url);
    socket.on('message', onMessage);
    return { send: (payload) => socket.send(payload), close: () => socket.terminate() };
  };

/** Joins a private topic of Realtime in protocol 2.0.0. */
export const listenOnTopic =
  (url: string, anonKey: string, token: string, topic: string): Listen =>
  async (onMessage) => {
    const address = `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;
    const socket = await open(address);
    const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } };
    const joined = joinReply(socket);
    socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', { config, access_token: token }]));
    await joined;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) onMessage(data);
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

/** Resolves when the server accepts the join, rejects when it refuses. */
function joinReply(socket: WebSocket): Promise<void> {
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

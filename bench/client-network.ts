// A client's connection to the network: a WebSocket class and a `fetch` that count messages and can be cut off.
import { WebSocket as NodeSocket } from 'ws';

export type Direction = 'up' | 'down';
/** A message is one WebSocket message, or the body of one request or response. */
export type Transferred = { readonly messages: number; readonly bytes: number };
export type Traffic = {
  readonly socket: { readonly [direction in Direction]: Transferred };
  /** Bytes of bodies, without the headers that a browser adds. */
  readonly http: { readonly [direction in Direction]: Transferred };
};
export type MessageListener = (direction: Direction, message: Uint8Array, isBinary: boolean) => void;

class Counter {
  messages = 0;
  bytes = 0;

  add(bytes: number): void {
    this.messages++;
    this.bytes += bytes;
  }

  read(): Transferred {
    return { messages: this.messages, bytes: this.bytes };
  }
}

export class ClientNetwork {
  /** The class that clients use as the browser's WebSocket. */
  readonly WebSocket: typeof WebSocket;
  readonly #sockets = new Set<NodeSocket>();
  readonly #listeners = new Set<MessageListener>();
  readonly #socket = { up: new Counter(), down: new Counter() };
  readonly #http = { up: new Counter(), down: new Counter() };
  #isCut = false;
  #refusesSockets = false;

  constructor() {
    // Clients create their own sockets, so each network gives them its own class.
    const [count, addSocket] = [this.#count.bind(this), this.#addSocket.bind(this)];
    const counted = class extends NodeSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        addSocket(this);
        this.on('message', (data: unknown, isBinary: boolean) => {
          count('down', bytesOf(data), isBinary);
        });
      }

      override send(data: unknown): void {
        const bytes = typeof data === 'string' ? Buffer.from(data) : bytesOf(data);
        count('up', bytes, typeof data !== 'string');
        super.send(bytes, { binary: typeof data !== 'string' });
      }
    };
    assertSocketClass(counted);
    this.WebSocket = counted;
  }

  /** Like `globalThis.fetch`. An arrow function, because clients call it without its object. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (this.#isCut) throw new TypeError('fetch failed: the network is cut');
    this.#http.up.add(typeof init?.body === 'string' ? Buffer.byteLength(init.body) : 0);
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    this.#http.down.add(body.byteLength);
    return new Response(body.byteLength === 0 ? null : body, response);
  };

  /** Returns a function that removes the listener. */
  onMessage(listener: MessageListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  traffic(): Traffic {
    return {
      socket: { up: this.#socket.up.read(), down: this.#socket.down.read() },
      http: { up: this.#http.up.read(), down: this.#http.down.read() },
    };
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.terminate();
  }

  restore(): void {
    this.#isCut = false;
  }

  /** As a proxy that lets no WebSocket through. */
  refuseSockets(): void {
    this.#refusesSockets = true;
  }

  #addSocket(socket: NodeSocket): void {
    if (this.#isCut || this.#refusesSockets) {
      queueMicrotask(() => socket.terminate());
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => void this.#sockets.delete(socket));
  }

  #count(direction: Direction, message: Uint8Array, isBinary: boolean): void {
    this.#socket[direction].add(message.byteLength);
    for (const listener of this.#listeners) listener(direction, message, isBinary);
  }
}

/** The traffic between two moments, summed over several people. */
export function trafficBetween(before: readonly Traffic[], after: readonly Traffic[]): Traffic {
  const sum = (pick: (traffic: Traffic) => Transferred): Transferred => {
    const total = (all: readonly Traffic[], of: keyof Transferred) =>
      all.reduce((subtotal, one) => subtotal + pick(one)[of], 0);
    return {
      messages: total(after, 'messages') - total(before, 'messages'),
      bytes: total(after, 'bytes') - total(before, 'bytes'),
    };
  };
  return {
    socket: { up: sum((one) => one.socket.up), down: sum((one) => one.socket.down) },
    http: { up: sum((one) => one.http.up), down: sum((one) => one.http.down) },
  };
}

function bytesOf(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('a WebSocket carries text or bytes');
}

/** `ws` implements the browser's interface, though its types differ. */
function assertSocketClass(value: unknown): asserts value is typeof WebSocket {
  if (typeof value !== 'function' || !('OPEN' in value) || value.OPEN !== WebSocket.OPEN) {
    throw new TypeError('not a class of WebSockets');
  }
}

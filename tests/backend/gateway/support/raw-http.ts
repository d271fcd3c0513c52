// HTTP as bytes on a socket, for requests that no client library sends and for the exact bytes of the answer.
import { type Socket, connect } from 'node:net';

export type RawAnswer = {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

const ANSWER_TIMEOUT_MS = 8_000;

/** Builds a request from lines; the caller adds Host. */
export const lines = (...parts: readonly string[]): string => `${parts.join('\r\n')}\r\n\r\n`;

export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #wake: () => void = () => {};
  readonly closed: Promise<void>;
  #isClosed = false;

  constructor(url: string, localAddress?: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({
      port: Number(port),
      host: hostname,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    this.socket.on('error', () => {});
    this.socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
      this.#wake();
    });
    this.closed = new Promise((resolve) =>
      this.socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      }),
    );
  }

  get received(): string {
    return this.#received.toString('latin1');
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** The next complete answer: by its length, or up to the end of the connection. */
  async answer(): Promise<RawAnswer> {
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    for (;;) {
      const answer = this.#take();
      if (answer !== null) return answer;
      if (this.#isClosed) return { status: 0, headers: new Map(), body: this.received };
      if (Date.now() > deadline) throw new Error(`no answer, only: ${this.received}`);
      await this.#nextData(deadline);
    }
  }

  end(): void {
    this.socket.destroy();
  }

  #nextData(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadline - Date.now() + 1);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(): RawAnswer | null {
    const text = this.received;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    const [first = '', ...rest] = text.slice(0, headEnd).split('\r\n');
    const headers = new Map(
      rest.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
    const length = headers.get('content-length');
    const end = headEnd + 4 + Number(length ?? 0);
    const isBodyless = status === 100 || status === 101 || status === 204 || status === 304;
    if (!isBodyless && (length === undefined ? !this.#isClosed : text.length < end)) return null;
    const stop = isBodyless ? headEnd + 4 : length === undefined ? text.length : end;
    const body = this.#received.subarray(headEnd + 4, stop).toString();
    this.#received = this.#received.subarray(stop);
    return { status, headers, body };
  }
}

/** Sends `bytes`, returns the first answer and hangs up. */
export async function sendRaw(url: string, bytes: string | Uint8Array, localAddress?: string): Promise<RawAnswer> {
  const connection = new RawConnection(url, localAddress).write(bytes);
  try {
    return await connection.answer();
  } finally {
    connection.end();
  }
}

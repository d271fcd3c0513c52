// Yjs's decoders with limits on what a few bytes can claim. An editor of the page can write any bytes into the log:
// twenty bytes of V2 can announce 2^50 structs, and Yjs would read the same one for ever.
import * as Y from 'yjs';

/** The content numbers of Yjs (`contentRefs`) that matter here. */
const CONTENT_DOC = 9;
const CONTENT_BITS = 0b1_1111;

/**
 * A page is full at 20 MiB; typed key by key, never in order, it holds about one struct per 11 bytes of its log. A
 * state that announces more is refused after 2 to 4 s and 330 MB (measured on two busy cores), which are freed at once.
 */
export const MAX_STRUCTS = 2_000_000;

class Limits {
  readonly #clients = new Set<number>();
  #structs = 0;

  info(info: number): number {
    this.#structs += 1;
    if (this.#structs > MAX_STRUCTS) throw new RangeError(`more than ${MAX_STRUCTS} structs`);
    // A document inside the document: no one would sync it, and it takes a thousand times its bytes in memory.
    if ((info & CONTENT_BITS) === CONTENT_DOC) throw new RangeError('a subdocument');
    return info;
  }

  /** Called once per client. Yjs itself keeps only the last section of a client and loses the others. */
  client(client: number): number {
    if (this.#clients.has(client)) throw new RangeError(`client ${client} twice`);
    this.#clients.add(client);
    return client;
  }
}

/** Decodes updates: rows, live updates, outboxes. */
export class StrictDecoderV1 extends Y.UpdateDecoderV1 {
  readonly #limits = new Limits();
  override readInfo(): number {
    return this.#limits.info(super.readInfo());
  }
  override readClient(): number {
    return this.#limits.client(super.readClient());
  }
}

/** Decodes states: snapshots. */
export class StrictDecoderV2 extends Y.UpdateDecoderV2 {
  readonly #limits = new Limits();
  override readInfo(): number {
    return this.#limits.info(super.readInfo());
  }
  override readClient(): number {
    return this.#limits.client(super.readClient());
  }
}

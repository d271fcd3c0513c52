// The other tabs of this browser with the same page: their edits come and go without the network, so that two tabs work
// together offline. A message is a row message: its rows are entries of an outbox, "fetch" asks for everything.
import { type Bytes } from '../lib/bytes.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { type Part, decodeRows, encodeRows } from '../protocol/row.ts';
import { type Outbox, mergeUpdates } from './outbox.ts';
import type { OutboxEntry, Tabs } from './ports.ts';

const ASK: Bytes = encodeRows({ kind: 'fetch', head: 0 });
/** Together with what they build on these stay below what a tab takes (TB3). */
const MAX_MERGED_BYTES = 256 * 1024;

export interface NeighboursHost {
  own(): Outbox;
  /** Edits of another tab; what they build on comes before. */
  heard(parts: readonly Part[]): void;
}

export class Neighbours {
  readonly #host: NeighboursHost;
  readonly #channel;
  #postedN = 0;
  #isQueued = false;

  constructor(host: NeighboursHost, tabs: Tabs, document: DocumentId) {
    this.#host = host;
    this.#channel = tabs.join(document, (bytes) => this.#hear(bytes));
    this.ask();
  }

  /** Tells of new edits when this task has ended. */
  edited(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    void Promise.resolve().then(() => {
      this.#isQueued = false;
      this.#post(this.#postedN);
    });
  }

  /** What was said before this tab listened, or while it was frozen, is asked for. */
  ask(): void {
    this.#channel.post(ASK);
  }

  leave(): void {
    this.#channel.leave();
  }

  #post(after: number): void {
    const own = this.#host.own();
    if (own.refused !== null) return;
    for (const batch of batches(own.after(after))) {
      const update = mergeUpdates(batch.map((entry) => entry.update));
      const carried = batch.flatMap((entry) => entry.buildsOn);
      const row = { seq: 0, ...own.key, nFrom: batch[0]?.n ?? 0, nTo: batch.at(-1)?.n ?? 0, update, carried };
      this.#channel.post(encodeRows({ kind: 'rows', head: 0, rows: [row] }));
    }
    this.#postedN = own.lastN;
  }

  #hear(bytes: Bytes): void {
    const message = decodeRows(bytes);
    if (!message.ok) return;
    if (message.value.kind === 'fetch') this.#post(0);
    else this.#host.heard(message.value.rows.flatMap((row) => [...row.carried, row]));
  }
}

function batches(entries: readonly OutboxEntry[]): readonly (readonly OutboxEntry[])[] {
  const all: OutboxEntry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    bytes += entry.update.length;
    if (bytes > MAX_MERGED_BYTES) {
      all.push([]);
      bytes = entry.update.length;
    }
    all.at(-1)?.push(entry);
  }
  return all;
}

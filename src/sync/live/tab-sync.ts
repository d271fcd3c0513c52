// The other tabs of this browser with the same page: their edits come and go without the network, so that two tabs work
// together offline. A message is a row message: its rows are entries of an outbox, "fetch" asks for everything, and the
// head says which rows the tab that posts it has.
import { type Bytes } from '../../lib/bytes.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from '../../protocol/limits.ts';
import { type Part, type Row, decodeRows, encodeRows } from '../../protocol/row.ts';
import { type Outbox, groupBySize, mergeUpdates } from '../state/outbox.ts';
import type { OutboxEntry, OutboxKey, Tabs } from '../ports.ts';

const MAX_MERGED_BYTES = 256 * 1024;
/** What a row takes beside its bytes, and a message beside its rows, is less than this. */
const OVERHEAD_BYTES = 64;
const NOTHING: Bytes = new Uint8Array(0);

export interface TabSyncHost {
  own(): Outbox;
  /** Every row up to here is shown. */
  seq(): number;
  /** Edits of another tab, and what they build on, which may come later. */
  received(edits: readonly Part[], dependencies: readonly Part[]): void;
  /** Another tab has rows up to here: it stored them on this device. */
  ahead(seq: number): void;
}

export class TabSync {
  readonly #host: TabSyncHost;
  readonly #channel;
  /** The newest number heard of each tab: what was lost before is asked for. */
  readonly #receivedN = new Map<SessionId, number>();
  #postedN = 0;
  #isQueued = false;

  constructor(host: TabSyncHost, tabs: Tabs, document: DocumentId) {
    this.#host = host;
    this.#channel = tabs.join(document, (bytes) => this.#receive(bytes));
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
    this.#channel.post(encodeRows({ kind: 'fetch', head: this.#host.seq() }));
  }

  leave(): void {
    this.#channel.leave();
  }

  #post(after: number): void {
    const own = this.#host.own();
    if (own.refused !== null) return;
    const rows = batches(own.after(after)).flatMap((batch) => rowsOf(own.key, batch));
    for (const some of inMessages(rows)) this.#postRows(some);
    this.#postedN = own.lastN;
  }

  #postRows(rows: readonly Row[]): void {
    this.#channel.post(encodeRows({ kind: 'rows', head: this.#host.seq(), rows }));
  }

  #receive(bytes: Bytes): void {
    const message = decodeRows(bytes);
    if (!message.ok) return;
    const { head } = message.value;
    if (message.value.kind === 'fetch') {
      this.#post(0);
      // Also when there is nothing to say: which rows are here.
      if (this.#host.seq() > head) this.#postRows([]);
    } else if (message.value.rows.length > 0) {
      const edits = message.value.rows.filter(({ nTo }) => nTo > 0);
      const hasLost = edits.map((row) => this.#noteNumber(row)).includes(true);
      this.#host.received(
        edits,
        message.value.rows.flatMap(({ dependencies }) => dependencies),
      );
      if (hasLost) this.ask();
    }
    if (head > this.#host.seq()) this.#host.ahead(head);
  }

  /** Whether something before it was not heard. Asked for once: the answer may begin later, where the log ends. */
  #noteNumber({ session, nFrom, nTo }: Row): boolean {
    const heardN = this.#receivedN.get(session) ?? 0;
    this.#receivedN.set(session, Math.max(nTo, heardN));
    return nFrom > heardN + 1;
  }
}

/** What they build on comes apart: together they may be more than a tab takes (TB3). */
function rowsOf(key: OutboxKey, batch: readonly OutboxEntry[]): readonly Row[] {
  const dependencies = batch
    .flatMap((entry) => entry.buildsOn)
    .map((part) => ({ seq: 0, ...key, nFrom: 0, nTo: 0, update: NOTHING, dependencies: [part] }));
  const update = mergeUpdates(batch.map((entry) => entry.update));
  return [
    ...dependencies,
    { seq: 0, ...key, nFrom: batch[0]?.n ?? 0, nTo: batch.at(-1)?.n ?? 0, update, dependencies: [] },
  ];
}

function batches(entries: readonly OutboxEntry[]): readonly (readonly OutboxEntry[])[] {
  return groupBySize(entries, MAX_MERGED_BYTES, ({ update }) => update.length);
}

function inMessages(rows: readonly Row[]): readonly (readonly Row[])[] {
  return groupBySize(rows, MAX_TAB_MESSAGE_BYTES - OVERHEAD_BYTES, ({ update, dependencies }) =>
    dependencies.reduce((sum, part) => sum + OVERHEAD_BYTES + part.update.length, OVERHEAD_BYTES + update.length),
  );
}

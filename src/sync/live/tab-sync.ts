// Exchanges edits with the other tabs of this browser that have the same page, not over the network, so that two tabs
// work together offline. Shows nothing: it reports what arrives. A message is a row message: its rows are entries of an
// outbox, "fetch" asks for everything, and its head is the newest row that the posting tab has.
import type { Bytes } from '../../lib/bytes.ts';
import { groupBySize } from '../../lib/lists/group-by-size.ts';
import type { OutboxEntry, OutboxKey } from '../ports.ts';
import type { SessionId } from '../protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from '../protocol/limits.ts';
import { type Row, decodeRows, encodeRows } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';

const MAX_MERGED_BYTES = 256 * 1024;
/** More than a row takes beside its bytes, and a message beside its rows. */
const OVERHEAD_BYTES = 64;
const NO_BYTES: Bytes = new Uint8Array(0);

export class TabSync {
  readonly #context: SessionContext;
  /** Null with live updates switched off. */
  readonly #channel;
  /** The newest number received from each session: this tab asks for earlier ones that are missing. */
  readonly #receivedN = new Map<SessionId, number>();
  #postedN = 0;
  #isQueued = false;

  constructor(context: SessionContext) {
    const { documentId, hasLiveUpdates, ports } = context;
    this.#context = context;
    this.#channel = hasLiveUpdates ? ports.tabs.join(documentId, (bytes) => this.#receive(bytes)) : null;
    this.ask();
  }

  /** Posts new edits when this task has ended. */
  edited(): void {
    if (this.#isQueued || this.#channel === null) return;
    this.#isQueued = true;
    void Promise.resolve().then(() => {
      this.#isQueued = false;
      this.#post(this.#postedN);
    });
  }

  /**
   * Asks the other tabs for their unsent edits: this one may have missed some before it listened, or while it was
   * frozen.
   */
  ask(): void {
    this.#channel?.post(encodeRows({ kind: 'fetch', head: this.#seq }));
  }

  stop(): void {
    this.#channel?.leave();
  }

  get #seq(): number {
    return this.#context.state.log.seq;
  }

  #post(after: number): void {
    const { own } = this.#context.state.pending;
    if (own.refused !== null) return;
    const rows = batches(own.after(after)).flatMap((batch) => rowsOf(own.key, batch));
    for (const some of inMessages(rows)) this.#postRows(some);
    this.#postedN = own.lastN;
  }

  #postRows(rows: readonly Row[]): void {
    this.#channel?.post(encodeRows({ kind: 'rows', head: this.#seq, rows }));
  }

  #receive(bytes: Bytes): void {
    const message = decodeRows(bytes);
    if (!message.ok) return;
    const { head } = message.value;
    if (message.value.kind === 'fetch') {
      this.#context.store.retryRows();
      this.#post(0);
      // Without edits too: the head says which rows are here.
      if (this.#seq > head) this.#postRows([]);
    } else if (message.value.rows.length > 0) {
      const edits = message.value.rows.filter(({ nTo }) => nTo > 0);
      const hasLost = edits.map((row) => this.#noteNumber(row)).includes(true);
      const dependencies = message.value.rows.flatMap((row) => row.dependencies);
      this.#context.emit({ type: 'tabPosted', edits, dependencies });
      if (hasLost) this.ask();
    }
    if (head > this.#seq) this.#context.emit({ type: 'tabIsAhead', seq: head });
  }

  /**
   * True when earlier edits are missing. This tab asks for them once: edits that are in the log by then are not posted.
   */
  #noteNumber({ session, nFrom, nTo }: Row): boolean {
    const receivedN = this.#receivedN.get(session) ?? 0;
    this.#receivedN.set(session, Math.max(nTo, receivedN));
    return nFrom > receivedN + 1;
  }
}

/** Dependencies go in rows of their own: together they may be larger than a message may be (TB3). */
function rowsOf(key: OutboxKey, batch: readonly OutboxEntry[]): readonly Row[] {
  const dependencies = batch
    .flatMap((entry) => entry.buildsOn)
    .map((part) => ({ seq: 0, ...key, nFrom: 0, nTo: 0, update: NO_BYTES, dependencies: [part] }));
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

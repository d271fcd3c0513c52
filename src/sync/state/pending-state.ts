// Everything that is not in the log yet: the own outbox, outboxes recovered from tabs that are gone, and live updates
// of others.
import type { Bytes } from '../../lib/bytes.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Part } from '../../protocol/row.ts';
import type { Clock, Locks, OutboxEntry, OutboxKey } from '../ports.ts';
import type { DecodedUpdate } from '../updates/missing.ts';
import { MAX_PIECE_BYTES, splitUpdate } from '../updates/split-update.ts';
import { dependenciesOf, dependenciesToAppendFirst, dependenciesToStore, partsToRelay } from './append-dependencies.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import type { DocumentStore } from './document-store.ts';
import { isForged } from './forged-edits.ts';
import { type HeldUpdate, HeldUpdates } from './held-updates.ts';
import { KnownSessions } from './known-sessions.ts';
import type { LogState } from './log-state.ts';
import { type Batch, MAX_BATCH_BYTES, Outbox } from './outbox.ts';
import type { RecoveredOutboxes } from './recovered-outboxes.ts';

export const CLIENT_ID_TAKEN = weftError('WF006', 'client id taken');

/** Acknowledged edits whose rows are not all here: nobody has compared yet what the log says in their place. */
type AwaitingRows = { readonly outbox: Outbox; readonly entries: readonly OutboxEntry[]; readonly seq: number };

export class PendingState {
  readonly log: LogState;
  readonly held: HeldUpdates;
  readonly known = new KnownSessions();
  readonly #clock: Clock;
  readonly #store: DocumentStore;
  readonly #emit: EmitDocumentEvent;
  #own: Outbox;
  #recovered: RecoveredOutboxes | null = null;
  #awaitingRows: readonly AwaitingRows[] = [];
  /** Outboxes under whose client id somebody else wrote. */
  readonly #conflicted = new Set<Outbox>();

  constructor(own: OutboxKey, log: LogState, store: DocumentStore, clock: Clock, emit: EmitDocumentEvent) {
    this.#own = new Outbox(own);
    this.log = log;
    this.#store = store;
    this.#clock = clock;
    this.#emit = emit;
    this.held = new HeldUpdates(log.replica, emit);
  }

  get own(): Outbox {
    return this.#own;
  }
  get recoveredShown(): readonly Outbox[] {
    return this.#recovered?.shown ?? [];
  }
  /** Outboxes of this page whose tab held its lock when the page was opened. */
  get hasLockedOutboxes(): boolean {
    return this.#recovered?.hasLocked ?? false;
  }

  /** The outboxes to send, in this order: shown recovered ones, then the own one. */
  toSend(): readonly Outbox[] {
    return [...this.recoveredShown, this.#own];
  }

  /** Every unsent outbox of this page, refused and waiting ones included. */
  all(): readonly Outbox[] {
    return [...(this.#recovered?.all ?? []), this.#own];
  }

  /** Live updates that are shown and that another tab of this browser has not sent yet. */
  get ofOtherTabs(): readonly HeldUpdate[] {
    if (this.held.isEmpty) return [];
    const ours = new Set(this.all().map(({ session }) => session));
    return this.held.shown.filter(({ part: { session } }) => this.known.isOtherTab(session) && !ours.has(session));
  }

  /** The dependencies that an append of this batch has to bring along (D3), or null when something it builds on is not here (D4). */
  dependenciesOf(outbox: Outbox, batch: Batch): readonly Part[] | null {
    return dependenciesOf(this, outbox, batch);
  }

  /** When the dependencies of an append exceed one row: those to append first, in a row of their own. */
  dependenciesToAppendFirst(dependencies: readonly Part[]): readonly Part[] {
    return dependenciesToAppendFirst(this, dependencies);
  }

  /** The parts of a relay of these live updates, as many as fit into one row (D7). */
  partsToRelay(updates: readonly HeldUpdate[]): readonly Part[] {
    return partsToRelay(this, updates);
  }

  /** A mark of this moment, handed back with the answer to what is asked now. */
  requestStamp(): number {
    return this.#recovered?.requestStamp() ?? 0;
  }

  /** Numbers an own edit, in pieces when it is large, and starts its write to the store before this returns (D5). */
  addEdit(update: Bytes): void {
    for (const piece of splitUpdate(update, MAX_PIECE_BYTES)) {
      const entry = this.#own.add(piece, this.#clock.now(), dependenciesToStore(this, piece));
      this.#store.addEntry(this.#own.key, entry);
    }
  }

  /** Nothing is numbered yet: the own outbox may still change its client id. */
  renewOwn(clientId: number): void {
    this.#own = new Outbox({ session: this.#own.session, clientId });
  }

  setRecovered(recovered: RecoveredOutboxes): void {
    this.#recovered = recovered;
  }

  /** An append was answered: its entries count as acknowledged, and wait here until their rows are compared. */
  awaitRows(outbox: Outbox, lastN: number, seq: number): void {
    if (this.log.seq >= seq) return;
    const entries = outbox.entries.filter(({ n }) => n <= lastN);
    this.#awaitingRows = [...this.#awaitingRows, { outbox, entries, seq }];
  }

  acknowledgedEntries(outbox: Outbox): readonly OutboxEntry[] {
    return this.#awaitingRows.flatMap((one) => (one.outbox === outbox ? one.entries : []));
  }

  /** A tab whose outbox was recovered, and that was only frozen, may have written more. True: there is more to send. */
  async releaseEmpty(): Promise<boolean> {
    const isMore = (await this.#recovered?.releaseEmpty(this.#store)) ?? false;
    if (!isMore) return false;
    this.showOtherTabs();
    this.settle();
    return true;
  }

  /** Recovers outboxes whose lock is free by now. True: there is more to show or send. */
  async recoverFreed(locks: Locks): Promise<boolean> {
    const isMore = (await this.#recovered?.recoverFreed(this.#store, locks)) ?? false;
    if (isMore) this.showOtherTabs();
    this.settle();
    return isMore;
  }

  /** All rows of an answer are here: an outbox that still lacks something can never be applied. */
  refuseWaiting(requestStamp: number): void {
    this.#recovered?.refuseWaiting(this.#store, requestStamp);
  }

  release(): void {
    this.#recovered?.release();
  }

  /** Shows what other tabs have not sent yet (I3), as if they had just posted it; recovered outboxes may build on it. */
  showOtherTabs(): void {
    for (const outbox of this.#recovered?.ofOtherTabs ?? []) {
      if (outbox.session === this.#own.session) continue;
      this.known.learnOtherTab(outbox.key);
      // In parts that fit into one row each.
      const parts = outbox.parts(MAX_BATCH_BYTES);
      for (const part of [...outbox.buildsOn, ...parts]) this.held.receive(part, this.#clock.now());
    }
  }

  /** Shows what new rows have completed, and lets go of what has become rows. */
  settle(): void {
    this.held.settle();
    const before = this.recoveredShown.length;
    const parts = this.#recovered?.show(this.log.replica, this.held.waiting) ?? [];
    this.held.holdShown(parts, this.#clock.now());
    // Nothing else reports that there is something to send.
    if (this.recoveredShown.length > before) this.#emit({ type: 'recoveredOutboxShown' });
  }

  /** Looks at each part of a row before it counts as part of the log (I6). */
  readonly verifyPart = (part: Part, decoded: DecodedUpdate, isDependency: boolean): void => {
    this.held.compare(part, decoded);
    const outbox = isDependency ? this.#outboxOf(part.session) : null;
    if (outbox !== null && isForged(this, outbox, decoded)) this.#conflicted.add(outbox);
  };

  /** After rows were taken: refuses outboxes that the log contradicts. `damaged`: the sessions of damaged rows. */
  quarantineConflicts(damaged: readonly SessionId[]): void {
    for (const session of damaged) {
      const outbox = this.#outboxOf(session);
      if (outbox !== null) this.#quarantine(outbox, weftError('WF005', 'an own row is damaged'));
    }
    for (const outbox of this.#conflicted) this.#quarantine(outbox, CLIENT_ID_TAKEN);
    this.#conflicted.clear();
    this.#awaitingRows = this.#awaitingRows.filter(({ seq }) => seq > this.log.seq);
  }

  refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    this.#emit({ type: 'outboxRefused' });
  }

  /** The edits are not in the log, whatever was answered: they go back into the outbox, which is refused. */
  #quarantine(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    const entries = this.acknowledgedEntries(outbox);
    outbox.restoreEntries(entries);
    for (const entry of entries) this.#store.addEntry(outbox.key, entry);
    const recovered = this.#recovered?.refuse(outbox) ?? null;
    if (recovered === null) {
      this.refuse(outbox, error);
      return;
    }
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    // The page goes on without this outbox, as the log has it.
    if (recovered.wasShown) this.#emit({ type: 'logContradicted' });
  }

  #outboxOf(session: SessionId): Outbox | null {
    const acknowledged = this.#awaitingRows.map(({ outbox }) => outbox);
    return [...this.all(), ...acknowledged].find((outbox) => outbox.session === session) ?? null;
  }
}

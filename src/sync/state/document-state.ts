// The document as one tab shows it: one Y.Doc with the rows of the log (`log`) and everything that is not in the log yet
// (`pending`), and the store behind both. Knows no network.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock, Random, SnapshotMaker, StoredDocument, StoredSnapshot } from '../ports.ts';
import { FIRST_CLIENT_ID, SEED_SESSION, type SessionId } from '../protocol/ids.ts';
import type { AppendAnswer, OpenAnswer, RowsAnswer } from '../protocol/log-answers.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import { decodeUpdate } from '../updates/decoded-update.ts';
import { randomClientId } from '../updates/new-doc.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import type { DocumentStore } from './document-store.ts';
import { CLIENT_ID_TAKEN } from './forgery-check.ts';
import { LogState } from './log-state.ts';
import type { Outbox } from './outbox.ts';
import { PendingState } from './pending-state.ts';
import { Replica, type TakenRows } from './replica.ts';

/** The log replayed into a document of its own. */
export type ReplayedLog = { readonly doc: Y.Doc; readonly replica: Replica };

type StatePorts = { readonly clock: Clock; readonly random: Random; readonly unpack: SnapshotMaker['unpack'] };
type Answer = Pick<RowsAnswer, 'rows' | 'head' | 'role'> & {
  readonly schemaVersion?: number | undefined;
};

export class DocumentState {
  readonly log: LogState;
  readonly pending: PendingState;
  readonly #ports: StatePorts;
  readonly #awareness: Awareness;
  readonly #store: DocumentStore;
  readonly #emit: EmitDocumentEvent;
  #doc: Y.Doc;
  /** The device's copy was read, or there is none. */
  #isRestored = false;
  /** The moment at which an append was last answered. */
  #acknowledgedStamp = 0;

  constructor(
    session: SessionId,
    awareness: Awareness,
    store: DocumentStore,
    ports: StatePorts,
    emit: EmitDocumentEvent,
  ) {
    this.#doc = awareness.doc;
    this.#awareness = awareness;
    this.#store = store;
    this.#ports = ports;
    this.#emit = emit;
    const replica = new Replica(this.#doc, session, (...part) => this.pending.verifyPart(...part));
    this.log = new LogState(replica, store);
    this.pending = new PendingState({ session, clientId: this.#doc.clientID }, this.log, store, ports.clock, emit);
  }

  /** A rebuild replaces it. */
  get doc(): Y.Doc {
    return this.#doc;
  }

  /** Shows what this device holds. Returns the role that is stored with the page; null: there is no page to show. */
  async restore(stored: StoredDocument | null): Promise<DocumentRole | null> {
    this.#isRestored = true;
    if (stored === null) return null;
    const { meta, snapshot, rows, outboxes } = stored;
    const dependencies = outboxes.flatMap((outbox) => outbox.entries.flatMap((entry) => entry.buildsOn));
    for (const key of [...outboxes, ...dependencies]) this.pending.known.learnFromTab(key);
    this.log.setMeta(meta);
    this.log.setCopy(meta.copy);
    this.log.historyBeganAt = meta.historyBeganAt ?? null;
    this.log.changeTime.raise(meta.changedAt);
    // A snapshot that is damaged on this device costs a full download, nothing else.
    if (snapshot === null || (await this.#applySnapshot(snapshot, null))) {
      this.log.changeTime.rowsTaken(this.log.replica.take(rows).taken);
    }
    this.pending.showOtherTabs();
    this.pending.settle();
    return this.log.seq > 0 ? meta.role : null;
  }

  /** The open call was answered. */
  async opened(answer: OpenAnswer, requestStamp: number): Promise<void> {
    const { snapshot, schemaVersion, role } = answer;
    this.log.setMeta({ schemaVersion, role, title: answer.document.title });
    this.log.finalRestoreAt = answer.finalRestoreAt;
    this.log.historyBeganAt = answer.historyBeganAt;
    const isNewer = snapshot !== null && snapshot.seq > this.log.seq;
    if (isNewer && (await this.#applySnapshot(snapshot, snapshot.sha256))) {
      this.log.save([], { seq: snapshot.seq, at: snapshot.at, state: snapshot.state });
    }
    this.fetched(answer, requestStamp);
    this.log.changeTime.raise(answer.changedAt);
    this.pending.settle();
    this.log.save([]);
  }

  /** The log answered with rows. */
  fetched(answer: Answer, requestStamp: number): void {
    this.log.learn(answer.role, answer.schemaVersion);
    const { isRefused } = this.#takeAndSave(answer.rows);
    this.log.setHead(answer.head);
    // HI1: asked after a row with a higher number was acknowledged.
    const isShorter = answer.head < this.log.acknowledgedSeq && requestStamp > this.#acknowledgedStamp;
    if (isRefused || isShorter) return this.#emit({ type: 'mustStartAnew' });
    if (this.log.isBehind) return;
    // First what other outboxes may build on.
    this.pending.showPutBack();
    // Edits of someone who may not edit wait anyway, and so do those that they build on, in whichever tab.
    if (answer.role !== null && mayEdit(answer.role))
      this.pending.recovered.refuseWaiting(requestStamp, this.#ports.clock.now());
  }

  /** The database published rows, or only which one is the newest. False: they do not continue what is here (HI2). */
  published(rows: readonly Row[], head: number): boolean {
    const { isOther } = this.#takeAndSave(rows);
    this.log.raiseHead(head);
    return !isOther;
  }

  /** Takes rows that other tabs have stored on this device meanwhile. */
  async readStoredRows(): Promise<void> {
    // The id of the device's copy is not known before: rows of another copy could be taken.
    if (!this.#isRestored) return;
    const stored = await this.#store.load();
    if (stored === null || stored.meta.copy !== this.log.copy) return;
    // HI9: a tab that could not read the device may have stored another history there.
    if (this.log.seq > 0 && (stored.meta.historyBeganAt ?? null) !== this.log.historyBeganAt) return;
    const { snapshot, rows } = stored;
    const isKnown = snapshot === null || snapshot.seq <= this.log.seq;
    if (isKnown || (await this.#applySnapshot(snapshot, null))) this.#take(rows);
  }

  /** An append was answered. True: there is more to send, because a frozen tab wrote more meanwhile. */
  acknowledged(outbox: Outbox, answer: AppendAnswer): Promise<boolean> {
    this.log.learn(answer.role);
    // I2: an answer has only so many rows, and `lastN` may be of a newer row than `seq`: a request that outlived the page (D2).
    const isHere = answer.head <= Math.max(this.log.seq, answer.rows.at(-1)?.seq ?? 0);
    // HI4: its row must not look like someone else's.
    if (outbox.isPutBack && isHere) outbox.acknowledge(answer.lastN);
    const { taken, isRefused } = this.#take(answer.rows);
    this.log.setHead(answer.head);
    if (isRefused) {
      this.#emit({ type: 'mustStartAnew' });
      return Promise.resolve(false);
    }
    // I6, D8: where it is refused, the log holds something else in their place.
    if (outbox.refused === null) {
      this.log.raiseAcknowledged(answer.seq ?? answer.head);
      this.#acknowledgedStamp = this.pending.recovered.requestStamp();
      if (isHere && this.pending.forgery.areLogged(outbox, answer.lastN, answer.head))
        return this.#removeAcknowledged(outbox, answer.lastN, taken);
    }
    if (taken.length > 0) this.log.save(taken);
    return Promise.resolve(false);
  }

  /** `start_session` was answered: the server holds edits up to `lastN` already. */
  registered(outbox: Outbox, lastN: number): Promise<boolean> {
    this.pending.known.learnRegistered(outbox.key);
    const { replica } = this.log;
    const isHere = replica.appendedN(outbox.session) >= lastN || replica.hasSkipped(outbox.session);
    if (lastN === 0 || !isHere || !this.pending.forgery.areLogged(outbox, lastN, Infinity))
      return Promise.resolve(false);
    return this.#removeAcknowledged(outbox, lastN, []);
  }

  /**
   * Shows an own edit of a document that a rebuild has replaced. False: it builds on something that was dropped, or
   * comes too late.
   */
  showOwnEdit(update: Bytes): boolean {
    const { clientId } = this.pending.own.key;
    const [first] = decodeUpdate(update)?.structs ?? [];
    // After a key in the new document its clocks are taken: no one could tell the two edits apart.
    if (first !== undefined && first.id.clock !== this.log.replica.clockShown(clientId)) return false;
    // Under the own client id it would be foreign content, which makes Yjs change that id.
    this.#doc.clientID = this.#randomClientId();
    const isShown = this.log.replica.show([update]);
    this.#doc.clientID = clientId;
    return isShown;
  }

  /**
   * Before anything is numbered, another client id costs nothing: the random one may already be in use in the document
   * (Yjs notices too, and draws a new one by itself). A clash after that means that someone else writes under our id
   * (I6): later edits could not be distinguished from theirs, so the page has to be opened again.
   */
  ensureUniqueClientId(): void {
    const { pending } = this;
    const isUsed = (id: number) =>
      id < FIRST_CLIENT_ID ||
      this.log.replica.clockShown(id) > 0 ||
      pending.all().some((outbox) => outbox !== pending.own && outbox.key.clientId === id);
    if (pending.own.lastN > 0) {
      if (this.#doc.clientID !== pending.own.key.clientId) pending.refuse(pending.own, CLIENT_ID_TAKEN);
      return;
    }
    while (isUsed(this.#doc.clientID)) this.#doc.clientID = this.#randomClientId();
    if (this.#doc.clientID === pending.own.key.clientId) return;
    const local = this.#awareness.getLocalState();
    this.#awareness.setLocalState(null);
    this.#awareness.clientID = this.#doc.clientID;
    this.#awareness.setLocalState(local);
    pending.renewOwn(this.#doc.clientID);
  }

  /** Replaces the shown document by one that has the log and what a rebuild has kept. */
  replaceDocument({ doc, replica }: ReplayedLog): void {
    doc.clientID = this.#doc.clientID;
    replica.markOwnRows(this.pending.own.session, this.pending.verifyPart);
    this.#doc = doc;
    this.log.replaceReplica(replica);
    this.#awareness.doc = doc;
  }

  #takeAndSave(rows: readonly Row[]): TakenRows {
    const found = this.#take(rows);
    if (found.taken.length > 0) this.log.save(found.taken);
    return found;
  }

  #take(rows: readonly Row[]): TakenRows {
    const found = this.log.replica.take(rows);
    const { skipped, taken } = found;
    this.log.changeTime.rowsTaken(taken);
    this.pending.known.learnRows(taken);
    if (taken.some(({ seq, session }) => session === SEED_SESSION && seq > 1)) this.pending.othersPutBack();
    this.pending.forgery.rowsTaken(skipped.map(({ session }) => session));
    this.pending.settle();
    this.ensureUniqueClientId();
    return found;
  }

  /** I2: entries leave in the transaction that stores the rows of the answer. */
  #removeAcknowledged(outbox: Outbox, lastN: number, rows: readonly Row[]): Promise<boolean> {
    outbox.acknowledge(lastN);
    this.#store.acknowledge(outbox.session, lastN, this.log.meta, rows);
    return this.pending.showRecovered(this.pending.recovered.releaseEmpty());
  }

  /** False: the rows are fetched instead, from the first on (SN6). */
  async #applySnapshot({ seq, at, state }: StoredSnapshot, sha256: string | null): Promise<boolean> {
    const unpacked = await this.#ports.unpack(state, sha256);
    return unpacked !== null && this.log.replica.applySnapshot(seq, unpacked, at);
  }

  #randomClientId(): number {
    return randomClientId(() => this.#ports.random.next());
  }
}

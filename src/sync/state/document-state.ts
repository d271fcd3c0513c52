// What one tab shows and what of it waits: rows of the log, live updates of others, the own outbox, recovered outboxes, and the
// store behind them. Decides nothing about the network.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { AppendAnswer, OpenAnswer, RowsAnswer } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import { FIRST_CLIENT_ID, type SessionId } from '../../protocol/ids.ts';
import type { DocumentRole } from '../../protocol/roles.ts';
import type { Part, Row } from '../../protocol/row.ts';
import { type DecodedPart, dependencyClosure, fitsInRow } from './dependencies.ts';
import type { DocumentStore } from './document-store.ts';
import { HeldUpdates, type HeldUpdate } from './held-updates.ts';
import { type DecodedUpdate, clientIds, decodeUpdate, clockEnds, missingClocks } from '../updates/missing.ts';
import { randomClientId } from '../updates/new-doc.ts';
import { KnownSessions } from './known-sessions.ts';
import type { RecoveredOutboxes } from './recovered-outboxes.ts';
import { type Batch, MAX_BATCH_BYTES, Outbox, mergeUpdates } from './outbox.ts';
import type { Locks, OutboxEntry, OutboxKey, StoredDocument, StoredMeta, StoredSnapshot } from '../ports.ts';
import { Replica } from './replica.ts';
import { contradicts } from '../updates/contradicts.ts';
import { MAX_PIECE_BYTES, splitUpdate } from '../updates/split-update.ts';

export interface DocumentStateHost {
  now(): number;
  random(): number;
  /** An outbox that is shown can never be saved: nothing may be written on top of it. */
  outboxRefused(): void;
  /** An recovered outbox is shown from now on: it can be sent. */
  outboxShown(): void;
  /** What is shown of a live update is not what the log says. */
  contradicted(): void;
  /** The state in a snapshot's bytes, or null when they are damaged. */
  unpack(bytes: Bytes, sha256: string | null): Promise<Bytes | null>;
}

type AwaitingRows = { readonly outbox: Outbox; readonly entries: readonly OutboxEntry[]; readonly seq: number };

export class DocumentState {
  readonly held: HeldUpdates;
  readonly known = new KnownSessions();
  readonly #host: DocumentStateHost;
  readonly #awareness: Awareness;
  readonly #store: DocumentStore;
  #doc: Y.Doc;
  #replica: Replica;
  #own: Outbox;
  #recovered: RecoveredOutboxes | null = null;
  #head: number | null = null;
  /** Of the newest append whose answer came. */
  #ackedSeq = 0;
  /** Sent and acknowledged; the rows up to theirs are not all here, so nobody has looked yet what is in them. */
  #awaitingRows: readonly AwaitingRows[] = [];
  /** Outboxes under whose client id somebody else wrote. */
  readonly #conflicted = new Set<Outbox>();
  #meta: Omit<StoredMeta, 'seq'> = { schemaVersion: 0, title: '', role: 'viewer' };

  constructor(host: DocumentStateHost, session: SessionId, doc: Y.Doc, awareness: Awareness, device: DocumentStore) {
    this.#host = host;
    this.#doc = doc;
    this.#awareness = awareness;
    this.#store = device;
    this.#replica = new Replica(doc, session, this.#verifyPart);
    this.held = new HeldUpdates(this.#replica, () => host.contradicted());
    this.#own = new Outbox({ session, clientId: doc.clientID });
  }

  /** Another one after a rebuild. */
  get doc(): Y.Doc {
    return this.#doc;
  }
  get own(): Outbox {
    return this.#own;
  }
  /** Every row up to here is shown. */
  get seq(): number {
    return this.#replica.seq;
  }
  /** Bytes of the rows that are shown and not part of a snapshot. */
  get takenBytes(): number {
    return this.#replica.takenBytes;
  }
  get damaged(): readonly number[] {
    return this.#replica.damaged;
  }
  /** Everything up to the head of the last answer is shown. */
  get isUpToDate(): boolean {
    return this.#head !== null && !this.isBehind;
  }
  /** A row is known of that is not here. */
  get isBehind(): boolean {
    return this.#replica.seq < (this.#head ?? 0) || this.#replica.hasGap;
  }
  /** The schema of the page as last heard of. */
  get schemaVersion(): number {
    return this.#meta.schemaVersion;
  }

  /** To be sent, in this order: recovered ones that are shown, then the own one. */
  toSend(): readonly Outbox[] {
    return [...(this.#recovered?.shown ?? []), this.#own];
  }

  /** Everything unsent that this page knows of, refused and waiting ones too. */
  all(): readonly Outbox[] {
    return [...(this.#recovered?.all ?? []), this.#own];
  }

  /** Shown, and not sent yet by the tab of this browser that wrote it. */
  get ofOtherTabs(): readonly HeldUpdate[] {
    if (this.held.isEmpty) return [];
    const own = new Set(this.all().map(({ session }) => session));
    return this.held.shown.filter(({ part: { session } }) => this.known.isOtherTab(session) && !own.has(session));
  }

  loggedN(session: SessionId): number {
    return this.#replica.loggedN(session);
  }

  /** What an append of this batch has to carry (D3), or null when something it builds on is not here (D4). */
  dependenciesOf(outbox: Outbox, batch: Batch): readonly Part[] | null {
    const decoded = decodeUpdate(batch.update);
    if (decoded === null) return null;
    const have = this.#replica.clockInLog;
    if (missingClocks([decoded], have).size === 0) return [];
    const others = this.toSend().filter((other) => other !== outbox);
    const { sources, lacking } = dependencyClosure([decoded], [...this.held.shown, ...others.flatMap(sourceOf)], have);
    return lacking.size === 0 ? sources.map(({ part }) => part) : null;
  }

  /** Sessions of these parts that the database may not know yet: they are this user's, in this browser. */
  unregistered(parts: readonly Part[]): readonly OutboxKey[] {
    return this.known.unregistered(parts);
  }

  /**
   * What a relay of live updates has to carry: themselves and what they build on, as many as fit into a row. What cannot be
   * completed is left out.
   */
  partsToRelay(liveUpdates: readonly DecodedPart[]): readonly Part[] {
    const sources = [...this.held.shown, ...this.toSend().flatMap(sourceOf)];
    let parts: ReadonlySet<Part> = new Set<Part>();
    for (const liveUpdate of liveUpdates) {
      const needed = dependencyClosure([liveUpdate.decoded], sources, this.#replica.clockInLog);
      const more = new Set([...parts, ...[...needed.sources, liveUpdate].map(({ part }) => part)]);
      if (needed.lacking.size === 0 && fitsInRow([...more])) parts = more;
    }
    return [...parts];
  }

  /** Of what an append would have to carry, and no row can: what goes into one before it. */
  dependenciesToAppendFirst(dependencies: readonly Part[]): readonly Part[] {
    const sources = [...this.held.shown, ...this.toSend().flatMap(sourceOf)];
    return this.partsToRelay(sources.filter(({ part }) => dependencies.includes(part)));
  }

  /** Shows what this device holds; returns the role it was last held with, or null when it holds no page. */
  async restore(stored: StoredDocument | null, recovered: RecoveredOutboxes): Promise<DocumentRole | null> {
    this.#recovered = recovered;
    if (stored === null) return null;
    const { meta, snapshot, rows, outboxes } = stored;
    const liveUpdates = outboxes.flatMap((outbox) => outbox.entries.flatMap((entry) => entry.buildsOn));
    for (const key of [...outboxes, ...liveUpdates]) this.known.learnFromTab(key);
    this.#meta = meta;
    // A snapshot that is damaged on this device costs a full download, nothing else.
    if (snapshot === null || (await this.#applySnapshot(snapshot, null))) this.#replica.take(rows);
    this.#showOthers();
    this.#settle();
    return this.#replica.seq > 0 ? meta.role : null;
  }

  async opened(answer: OpenAnswer, asked: number): Promise<void> {
    const { snapshot, sessions, schemaVersion, role } = answer;
    this.#meta = { schemaVersion, role, title: answer.document.title };
    if (
      snapshot !== null &&
      snapshot.seq > this.#replica.seq &&
      (await this.#applySnapshot(snapshot, snapshot.sha256))
    ) {
      this.#store.saveRows(this.#metaNow(), [], { seq: snapshot.seq, state: snapshot.state });
    }
    this.fetched(answer, asked);
    // As of the head: only when everything up to it is here.
    if (sessions !== null && !this.isBehind) this.#replica.learnLogged(sessions);
    this.#settle();
    this.#store.saveRows(this.#metaNow(), []);
  }

  /** Rows that other tabs stored on this device since. */
  async readRows(): Promise<void> {
    const stored = await this.#store.load();
    if (stored === null) return;
    const { snapshot, rows } = stored;
    if (snapshot === null || snapshot.seq <= this.seq || (await this.#applySnapshot(snapshot, null))) this.#take(rows);
  }

  /** A mark of this moment, to be handed back with the answer of what is asked now. */
  requestStamp(): number {
    return this.#recovered?.requestStamp() ?? 0;
  }

  /** Rows of an answer: their head is the truth of the moment. */
  fetched(
    answer: Pick<RowsAnswer, 'rows' | 'head' | 'role'> & { readonly schemaVersion?: number | undefined },
    asked: number,
  ): void {
    const { role, schemaVersion = 0 } = answer;
    // SY2: who missed "moved" and goes on to the next topic on an answer's word opens nothing anew.
    this.#meta = { ...this.#meta, role, schemaVersion: Math.max(schemaVersion, this.#meta.schemaVersion) };
    const taken = this.#take(answer.rows);
    if (taken.length > 0) this.#store.saveRows(this.#metaNow(), taken);
    this.#head = answer.head;
    if (!this.isBehind) this.#recovered?.refuseWaiting(this.#store, asked);
  }

  /** Rows of a message of the database; `head` may tell of more. */
  published(rows: readonly Row[], head: number): void {
    const taken = this.#take(rows);
    if (taken.length > 0) this.#store.saveRows(this.#metaNow(), taken);
    this.#head = Math.max(this.#head ?? 0, head);
  }

  /** A local transaction: numbered, in pieces when it is large, and on its way to the store before this returns (D5). */
  edited(update: Bytes): void {
    for (const piece of splitUpdate(update, MAX_PIECE_BYTES)) {
      const entry = this.#own.add(piece, this.#host.now(), this.#heldUnder(piece));
      this.#store.addEntry(this.#own.key, entry);
    }
  }

  /** An own edit of a document that was replaced meanwhile. False: it touches what was dropped. */
  showOwn(update: Bytes): boolean {
    const [first] = decodeUpdate(update)?.structs ?? [];
    // After a key in the new document its clocks are taken: two edits of one place, which nobody could tell apart.
    if (first !== undefined && first.id.clock !== this.#replica.clockShown(this.#own.key.clientId)) return false;
    // Under the own client id it would be foreign content that Yjs flees from.
    this.#doc.clientID = randomClientId(() => this.#host.random());
    const isShown = this.#replica.show([update]);
    this.#doc.clientID = this.#own.key.clientId;
    return isShown;
  }

  /**
   * The live updates that an own edit builds on and that no entry before it is stored with (I4). What this tab recovered is in
   * the store by itself, with its own; a live update of such a session may be ahead of what its tab could store.
   */
  #heldUnder(update: Bytes): readonly Part[] {
    const decoded = this.held.isEmpty ? null : decodeUpdate(update);
    if (decoded === null) return [];
    const own = this.#own.key.clientId;
    const stored = new Map<number, number>();
    // With a live update, what it builds on itself was stored too.
    const earlier = this.held.shown.filter(({ part }) => this.#own.isStoredWith(part));
    for (const { decoded: kept } of [...earlier, ...(this.#recovered?.shown ?? []).flatMap(sourceOf)]) {
      for (const [client, end] of clockEnds(kept)) stored.set(client, Math.max(end, stored.get(client) ?? 0));
    }
    // The edit itself is shown already: what counts is how far its predecessors reach.
    const [first] = decoded.structs;
    stored.set(own, first === undefined ? this.#replica.clockShown(own) : first.id.clock);
    const have = (client: number) => Math.max(this.#replica.clockInLog(client), stored.get(client) ?? 0);
    return dependencyClosure([decoded], this.held.shown, have)
      .sources.map(({ part }) => part)
      .filter((part) => !this.#own.isStoredWith(part));
  }

  /** True when a tab that was recovered, only frozen, had written more: there is something to send again. */
  acknowledged(outbox: Outbox, answer: AppendAnswer): Promise<boolean> {
    this.#meta = { ...this.#meta, role: answer.role };
    const taken = this.#take(answer.rows);
    this.#head = answer.head;
    if (outbox.refused !== null) {
      // I6, D8: the log holds something else in their place.
      if (taken.length > 0) this.#store.saveRows(this.#metaNow(), taken);
      return Promise.resolve(false);
    }
    const seq = answer.seq ?? answer.head;
    this.#ackedSeq = Math.max(this.#ackedSeq, seq);
    if (this.#replica.seq < seq) {
      const entries = outbox.entries.filter(({ n }) => n <= answer.lastN);
      this.#awaitingRows = [...this.#awaitingRows, { outbox, entries, seq }];
    }
    return this.#leave(outbox, answer.lastN, taken);
  }

  /** The same for what `start_session` says the server holds already. */
  registered(outbox: Outbox, lastN: number): Promise<boolean> {
    this.known.learnRegistered(outbox.key);
    return lastN === 0 ? Promise.resolve(false) : this.#leave(outbox, lastN, []);
  }

  refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    this.#host.outboxRefused();
  }

  /**
   * Another id costs nothing before anything was numbered: one of the document's own was drawn by accident (Yjs notices
   * that too and draws by itself). Afterwards somebody writes under our id (I6): what is typed from here on could not
   * be told from what is damaged, so the page has to be opened again.
   */
  keepClientId(): void {
    const isUsed = (id: number) =>
      id < FIRST_CLIENT_ID ||
      this.#replica.clockShown(id) > 0 ||
      this.all().some((outbox) => outbox !== this.#own && outbox.key.clientId === id);
    if (this.#own.lastN > 0) {
      if (this.#doc.clientID !== this.#own.key.clientId) this.refuse(this.#own, CLIENT_ID_TAKEN);
      return;
    }
    while (isUsed(this.#doc.clientID)) this.#doc.clientID = randomClientId(() => this.#host.random());
    if (this.#doc.clientID === this.#own.key.clientId) return;
    const state = this.#awareness.getLocalState();
    this.#awareness.setLocalState(null);
    this.#awareness.clientID = this.#doc.clientID;
    this.#awareness.setLocalState(state);
    this.#own = new Outbox({ session: this.#own.session, clientId: this.#doc.clientID });
  }

  /** What this device holds up to the snapshot's seq is in it from now on. */
  keep(snapshot: StoredSnapshot): void {
    this.#store.saveRows(this.#metaNow(), [], snapshot);
  }

  /** Outboxes of this page whose tab was locked when it was opened. */
  get hasLockedOutboxes(): boolean {
    return this.#recovered?.hasLocked ?? false;
  }

  /** True when one of them could be taken over: there is something to show or send. */
  async recoverFreed(locks: Locks): Promise<boolean> {
    const isMore = (await this.#recovered?.recoverFreed(this.#store, locks)) ?? false;
    if (isMore) this.#showOthers();
    this.#settle();
    return isMore;
  }

  /**
   * Live updates of these were dropped (L6, D7): the document becomes another one, `fresh`, that holds the log up to here.
   * With it goes everything this browser made, with the live updates it builds on, and every other live update that is complete
   * without the dropped ones. False: `fresh` lacks something of this browser, try again with a newer one.
   */
  rebuild(
    fresh: { readonly doc: Y.Doc; readonly replica: Replica },
    isDropped: (liveUpdate: HeldUpdate) => boolean,
  ): boolean {
    const outboxes = this.toSend().filter((outbox) => !outbox.isEmpty);
    const local = outboxes.flatMap((outbox) => decodeUpdate(outbox.merged()) ?? []);
    const base = this.#heldNeededBy(local);
    const updates = [...outboxes.map((outbox) => outbox.merged()), ...base.map(({ part }) => part.update)];
    // What was acknowledged is in no outbox any more, and own rows are only marked when they come.
    const seq = Math.max(this.seq, this.#ackedSeq);
    if (fresh.replica.seq < seq || !fresh.replica.show(updates)) return false;
    // The next edit goes on where this browser's clocks end: an acknowledged row may still be on its way here.
    const clients = [this.#own, ...outboxes].map(({ key }) => key.clientId);
    if (clients.some((id) => fresh.replica.clockShown(id) < this.#replica.clockShown(id))) return false;
    const kept = this.held.shown.filter((liveUpdate) => base.includes(liveUpdate) || !isDropped(liveUpdate));
    this.held.dropWaiting(isDropped);
    fresh.doc.clientID = this.#doc.clientID;
    fresh.replica.markOwn(this.#own.session, this.#verifyPart);
    this.#doc = fresh.doc;
    this.#replica = fresh.replica;
    this.#awareness.doc = fresh.doc;
    this.held.moveToReplica(fresh.replica, kept, base);
    return true;
  }

  /** A live update of these is shown that no edit of this browser builds on. */
  showsNeedlessly(isDropped: (liveUpdate: HeldUpdate) => boolean): boolean {
    const dropped = this.held.shown.filter(isDropped);
    if (dropped.length === 0) return false;
    const local = this.toSend().flatMap((outbox) => (outbox.isEmpty ? [] : (decodeUpdate(outbox.merged()) ?? [])));
    const base = this.#heldNeededBy(local);
    return dropped.some((liveUpdate) => !base.includes(liveUpdate));
  }

  /** The live updates that the updates build on. */
  #heldNeededBy(updates: readonly DecodedUpdate[]): readonly HeldUpdate[] {
    const { shown } = this.held;
    const { sources } = dependencyClosure(updates, shown, this.#replica.clockInLog);
    return shown.filter((liveUpdate) => sources.includes(liveUpdate));
  }

  /** Resolves when the store has done what it was asked; recovered outboxes are free for other tabs. */
  async close(): Promise<void> {
    await this.#store.settled();
    this.#recovered?.release();
  }

  /** I2: entries leave in the transaction that stores the rows of the answer. */
  #leave(outbox: Outbox, lastN: number, rows: readonly Row[]): Promise<boolean> {
    outbox.acknowledge(lastN);
    this.#store.acknowledge(outbox.session, lastN, this.#metaNow(), rows);
    return this.#forgetEmpty();
  }

  async #forgetEmpty(): Promise<boolean> {
    const isMore = (await this.#recovered?.releaseEmpty(this.#store)) ?? false;
    if (isMore) {
      this.#showOthers();
      this.#settle();
    }
    return isMore;
  }

  #take(rows: readonly Row[]): readonly Row[] {
    const { taken, skipped } = this.#replica.take(rows);
    this.known.learnRows(taken);
    for (const { session } of skipped) {
      const outbox = this.#outboxOf(session);
      if (outbox !== null) this.#quarantine(outbox, weftError('WF005', 'an own row is damaged'));
    }
    for (const outbox of this.#conflicted) this.#quarantine(outbox, CLIENT_ID_TAKEN);
    this.#conflicted.clear();
    this.#awaitingRows = this.#awaitingRows.filter(({ seq }) => seq > this.#replica.seq);
    this.#settle();
    this.keepClientId();
    return taken;
  }

  /**
   * A part of a row, before it counts. I6: who carries the edits of others passes on their bytes; words that are not
   * ours under our session take the place of ours for everybody, and no answer would say so.
   */
  readonly #verifyPart = (part: Part, decoded: DecodedUpdate, isCarried: boolean): void => {
    this.held.compare(part, decoded);
    const outbox = isCarried ? this.#outboxOf(part.session) : null;
    if (outbox !== null && this.#isForged(outbox, decoded)) this.#conflicted.add(outbox);
  };

  #isForged(outbox: Outbox, said: DecodedUpdate): boolean {
    const { clientId } = outbox.key;
    const end = clockEnds(said).get(clientId) ?? 0;
    const from = this.#replica.clockInLog(clientId);
    if (end <= from) return false;
    // An recovered one may have said more than its tab could store.
    if (outbox === this.#own && end > this.#replica.clockShown(clientId)) return true;
    const unproven = this.#awaitingRows.flatMap((one) => (one.outbox === outbox ? one.entries : []));
    const known = decodeUpdate(mergeUpdates([...unproven, ...outbox.entries].map(({ update }) => update)));
    return known !== null && contradicts(said, known, clientId, from);
  }

  /** The same for a live update that names the own session: whoever sent it, it was not this tab. */
  verifyOwnLiveUpdate(update: Bytes): void {
    const decoded = decodeUpdate(update);
    if (decoded === null || this.#own.refused !== null) return;
    const isOurs = [...clientIds(decoded)].every((client) => client === this.#own.key.clientId);
    if (isOurs && this.#isForged(this.#own, decoded)) this.refuse(this.#own, CLIENT_ID_TAKEN);
  }

  #outboxOf(session: SessionId): Outbox | null {
    const unproven = this.#awaitingRows.map(({ outbox }) => outbox);
    return [...this.all(), ...unproven].find((outbox) => outbox.session === session) ?? null;
  }

  /** Its edits are not in the log, whatever was answered: they stay here. */
  #quarantine(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    const entries = this.#awaitingRows.flatMap((one) => (one.outbox === outbox ? one.entries : []));
    outbox.restoreEntries(entries);
    for (const entry of entries) this.#store.addEntry(outbox.key, entry);
    const recoveredOutbox = this.#recovered?.refuse(outbox) ?? null;
    if (recoveredOutbox === null) {
      this.refuse(outbox, error);
      return;
    }
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    // The page goes on without it, as the log says it.
    if (recoveredOutbox.wasShown) this.#host.contradicted();
  }

  /** I3: what other tabs have not sent yet is shown as if they had just told; recovered outboxes may build on it. */
  #showOthers(): void {
    for (const outbox of this.#recovered?.ofOtherTabs ?? []) {
      if (outbox.session === this.#own.session) continue;
      this.known.learnOtherTab(outbox.key);
      // None larger than one row may carry.
      const parts = outbox.parts(MAX_BATCH_BYTES);
      for (const one of [...outbox.buildsOn, ...parts]) this.held.receive(one, this.#host.now());
    }
  }

  /** What has become complete by new rows is shown, what has become rows is let go. */
  #settle(): void {
    this.held.settle();
    const before = this.#recovered?.shown.length ?? 0;
    const liveUpdates = this.#recovered?.show(this.#replica, this.held.waiting) ?? [];
    this.held.holdShown(liveUpdates, this.#host.now());
    // Whatever it waited for: nothing else says that there is something to send.
    if ((this.#recovered?.shown.length ?? 0) > before) this.#host.outboxShown();
  }

  /** False: its rows are asked for instead, beginning with the first (SN6). */
  async #applySnapshot({ seq, state }: StoredSnapshot, sha256: string | null): Promise<boolean> {
    const unpacked = await this.#host.unpack(state, sha256);
    return unpacked !== null && this.#replica.applySnapshot(seq, unpacked);
  }

  #metaNow(): StoredMeta {
    return { ...this.#meta, seq: this.#replica.seq };
  }
}

const CLIENT_ID_TAKEN = weftError('WF006', 'client id taken');

const SOURCES = new WeakMap<Outbox, { readonly nFrom: number; readonly nTo: number; readonly source: DecodedPart }>();

/** Asked at every key while live updates are here: an recovered outbox of half a megabyte is taken apart once. */
function sourceOf(outbox: Outbox): readonly DecodedPart[] {
  const [first] = outbox.entries;
  if (outbox.refused !== null || first === undefined) return [];
  const known = SOURCES.get(outbox);
  if (known?.nFrom === first.n && known.nTo === outbox.lastN) return [known.source];
  const part = outbox.part(MAX_BATCH_BYTES);
  const decoded = part === null ? null : decodeUpdate(part.update);
  if (part === null || decoded === null) return [];
  const source = { part, decoded };
  SOURCES.set(outbox, { nFrom: first.n, nTo: outbox.lastN, source });
  return [source];
}

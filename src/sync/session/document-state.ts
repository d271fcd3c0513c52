// What one tab shows and what of it waits: rows of the log, frames of others, the own outbox, adopted outboxes, and the
// store behind them. Decides nothing about the network.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { AppendAnswer, OpenAnswer, RowsAnswer } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import { FIRST_CLIENT_ID, type SessionId } from '../../protocol/ids.ts';
import type { DocumentRole } from '../../protocol/roles.ts';
import type { Part, Row } from '../../protocol/row.ts';
import { type Source, closure, fitsInRow } from '../log/dependencies.ts';
import type { Device } from '../log/document-store.ts';
import { Frames, type HeldFrame } from '../live/held-updates.ts';
import { type Decoded, clientsOf, decode, endsOf, missing } from '../updates/missing.ts';
import { drawClientId } from '../updates/new-doc.ts';
import { KnownSessions } from '../log/known-sessions.ts';
import type { Orphans } from '../recovery/recovered-outboxes.ts';
import { type Batch, MERGE_STOPS_AT_BYTES, Outbox, mergeUpdates } from '../log/outbox.ts';
import type { Locks, OutboxEntry, OutboxKey, StoredDocument, StoredMeta, StoredSnapshot } from '../ports.ts';
import { Replica } from '../log/replica.ts';
import { contradicts } from '../updates/contradicts.ts';
import { MAX_PIECE_BYTES, splitUpdate } from '../updates/split-update.ts';

export interface LedgerHost {
  now(): number;
  random(): number;
  /** An outbox that is shown can never be saved: nothing may be written on top of it. */
  outboxRefused(): void;
  /** An adopted outbox is shown from now on: it can be sent. */
  outboxShown(): void;
  /** What is shown of a frame is not what the log says. */
  contradicted(): void;
  /** The state in a snapshot's bytes, or null when they are damaged. */
  unpack(bytes: Bytes, sha256: string | null): Promise<Bytes | null>;
}

type Unproven = { readonly outbox: Outbox; readonly entries: readonly OutboxEntry[]; readonly seq: number };

export class Ledger {
  readonly frames: Frames;
  readonly known = new KnownSessions();
  readonly #host: LedgerHost;
  readonly #awareness: Awareness;
  readonly #device: Device;
  #doc: Y.Doc;
  #replica: Replica;
  #own: Outbox;
  #orphans: Orphans | null = null;
  #head: number | null = null;
  /** Of the newest append whose answer came. */
  #ackedSeq = 0;
  /** Sent and acknowledged; the rows up to theirs are not all here, so nobody has looked yet what is in them. */
  #unproven: readonly Unproven[] = [];
  /** Outboxes under whose client id somebody else wrote. */
  readonly #taken = new Set<Outbox>();
  #meta: Omit<StoredMeta, 'seq'> = { schemaVersion: 0, title: '', role: 'viewer' };

  constructor(host: LedgerHost, session: SessionId, doc: Y.Doc, awareness: Awareness, device: Device) {
    this.#host = host;
    this.#doc = doc;
    this.#awareness = awareness;
    this.#device = device;
    this.#replica = new Replica(doc, session, this.#witness);
    this.frames = new Frames(this.#replica, () => host.contradicted());
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

  /** To be sent, in this order: adopted ones that are shown, then the own one. */
  toSend(): readonly Outbox[] {
    return [...(this.#orphans?.shown ?? []), this.#own];
  }

  /** Everything unsent that this page knows of, refused and waiting ones too. */
  all(): readonly Outbox[] {
    return [...(this.#orphans?.all ?? []), this.#own];
  }

  /** Shown, and not sent yet by the tab of this browser that wrote it. */
  get neighbours(): readonly HeldFrame[] {
    if (this.frames.isEmpty) return [];
    const own = new Set(this.all().map(({ session }) => session));
    return this.frames.shown.filter(({ part: { session } }) => this.known.isNeighbour(session) && !own.has(session));
  }

  loggedN(session: SessionId): number {
    return this.#replica.loggedN(session);
  }

  /** What an append of this batch has to carry (D3), or null when something it builds on is not here (D4). */
  carriedBy(outbox: Outbox, batch: Batch): readonly Part[] | null {
    const decoded = decode(batch.update);
    if (decoded === null) return null;
    const have = this.#replica.clockInLog;
    if (missing([decoded], have).size === 0) return [];
    const others = this.toSend().filter((other) => other !== outbox);
    const { sources, lacking } = closure([decoded], [...this.frames.shown, ...others.flatMap(sourceOf)], have);
    return lacking.size === 0 ? sources.map(({ part }) => part) : null;
  }

  /** Sessions of these parts that the database may not know yet: they are this user's, in this browser. */
  unregistered(parts: readonly Part[]): readonly OutboxKey[] {
    return this.known.unregistered(parts);
  }

  /**
   * What a rescue of frames has to carry: themselves and what they build on, as many as fit into a row. What cannot be
   * completed is left out.
   */
  carriedForRescue(frames: readonly Source[]): readonly Part[] {
    const sources = [...this.frames.shown, ...this.toSend().flatMap(sourceOf)];
    let parts: ReadonlySet<Part> = new Set<Part>();
    for (const frame of frames) {
      const needed = closure([frame.decoded], sources, this.#replica.clockInLog);
      const more = new Set([...parts, ...[...needed.sources, frame].map(({ part }) => part)]);
      if (needed.lacking.size === 0 && fitsInRow([...more])) parts = more;
    }
    return [...parts];
  }

  /** Of what an append would have to carry, and no row can: what goes into one before it. */
  carriedBefore(dependencies: readonly Part[]): readonly Part[] {
    const sources = [...this.frames.shown, ...this.toSend().flatMap(sourceOf)];
    return this.carriedForRescue(sources.filter(({ part }) => dependencies.includes(part)));
  }

  /** Shows what this device holds; returns the role it was last held with, or null when it holds no page. */
  async restore(stored: StoredDocument | null, orphans: Orphans): Promise<DocumentRole | null> {
    this.#orphans = orphans;
    if (stored === null) return null;
    const { meta, snapshot, rows, outboxes } = stored;
    const frames = outboxes.flatMap((outbox) => outbox.entries.flatMap((entry) => entry.buildsOn));
    for (const key of [...outboxes, ...frames]) this.known.learnFromTab(key);
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
      this.#device.saveRows(this.#metaNow(), [], { seq: snapshot.seq, state: snapshot.state });
    }
    this.fetched(answer, asked);
    // As of the head: only when everything up to it is here.
    if (sessions !== null && !this.isBehind) this.#replica.learnLogged(sessions);
    this.#settle();
    this.#device.saveRows(this.#metaNow(), []);
  }

  /** Rows that other tabs stored on this device since. */
  async readRows(): Promise<void> {
    const stored = await this.#device.load();
    if (stored === null) return;
    const { snapshot, rows } = stored;
    if (snapshot === null || snapshot.seq <= this.seq || (await this.#applySnapshot(snapshot, null))) this.#take(rows);
  }

  /** A mark of this moment, to be handed back with the answer of what is asked now. */
  asking(): number {
    return this.#orphans?.asking() ?? 0;
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
    if (taken.length > 0) this.#device.saveRows(this.#metaNow(), taken);
    this.#head = answer.head;
    if (!this.isBehind) this.#orphans?.refuseWaiting(this.#device, asked);
  }

  /** Rows of a message of the database; `head` may tell of more. */
  heard(rows: readonly Row[], head: number): void {
    const taken = this.#take(rows);
    if (taken.length > 0) this.#device.saveRows(this.#metaNow(), taken);
    this.#head = Math.max(this.#head ?? 0, head);
  }

  /** A local transaction: numbered, in pieces when it is large, and on its way to the store before this returns (D5). */
  edited(update: Bytes): void {
    for (const piece of splitUpdate(update, MAX_PIECE_BYTES)) {
      const entry = this.#own.add(piece, this.#host.now(), this.#framesUnder(piece));
      this.#device.addEntry(this.#own.key, entry);
    }
  }

  /** An own edit of a document that was replaced meanwhile. False: it touches what was dropped. */
  showOwn(update: Bytes): boolean {
    const [first] = decode(update)?.structs ?? [];
    // After a key in the new document its clocks are taken: two edits of one place, which nobody could tell apart.
    if (first !== undefined && first.id.clock !== this.#replica.clockShown(this.#own.key.clientId)) return false;
    // Under the own client id it would be foreign content that Yjs flees from.
    this.#doc.clientID = drawClientId(() => this.#host.random());
    const isShown = this.#replica.show([update]);
    this.#doc.clientID = this.#own.key.clientId;
    return isShown;
  }

  /**
   * The frames that an own edit builds on and that no entry before it is stored with (I4). What this tab adopted is in
   * the store by itself, with its own; a frame of such a session may be ahead of what its tab could store.
   */
  #framesUnder(update: Bytes): readonly Part[] {
    const decoded = this.frames.isEmpty ? null : decode(update);
    if (decoded === null) return [];
    const own = this.#own.key.clientId;
    const stored = new Map<number, number>();
    // With a frame, what it builds on itself was stored too.
    const earlier = this.frames.shown.filter(({ part }) => this.#own.isStoredWith(part));
    for (const { decoded: kept } of [...earlier, ...(this.#orphans?.shown ?? []).flatMap(sourceOf)]) {
      for (const [client, end] of endsOf(kept)) stored.set(client, Math.max(end, stored.get(client) ?? 0));
    }
    // The edit itself is shown already: what counts is how far its predecessors reach.
    const [first] = decoded.structs;
    stored.set(own, first === undefined ? this.#replica.clockShown(own) : first.id.clock);
    const have = (client: number) => Math.max(this.#replica.clockInLog(client), stored.get(client) ?? 0);
    return closure([decoded], this.frames.shown, have)
      .sources.map(({ part }) => part)
      .filter((part) => !this.#own.isStoredWith(part));
  }

  /** True when a tab that was adopted, only frozen, had written more: there is something to send again. */
  acknowledged(outbox: Outbox, answer: AppendAnswer): Promise<boolean> {
    this.#meta = { ...this.#meta, role: answer.role };
    const taken = this.#take(answer.rows);
    this.#head = answer.head;
    if (outbox.refused !== null) {
      // I6, D8: the log holds something else in their place.
      if (taken.length > 0) this.#device.saveRows(this.#metaNow(), taken);
      return Promise.resolve(false);
    }
    const seq = answer.seq ?? answer.head;
    this.#ackedSeq = Math.max(this.#ackedSeq, seq);
    if (this.#replica.seq < seq) {
      const entries = outbox.entries.filter(({ n }) => n <= answer.lastN);
      this.#unproven = [...this.#unproven, { outbox, entries, seq }];
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
    this.#device.refuse(outbox.session, error.code);
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
      if (this.#doc.clientID !== this.#own.key.clientId) this.refuse(this.#own, TAKEN);
      return;
    }
    while (isUsed(this.#doc.clientID)) this.#doc.clientID = drawClientId(() => this.#host.random());
    if (this.#doc.clientID === this.#own.key.clientId) return;
    const state = this.#awareness.getLocalState();
    this.#awareness.setLocalState(null);
    this.#awareness.clientID = this.#doc.clientID;
    this.#awareness.setLocalState(state);
    this.#own = new Outbox({ session: this.#own.session, clientId: this.#doc.clientID });
  }

  /** What this device holds up to the snapshot's seq is in it from now on. */
  keep(snapshot: StoredSnapshot): void {
    this.#device.saveRows(this.#metaNow(), [], snapshot);
  }

  /** Outboxes of this page whose tab was locked when it was opened. */
  get hasHeldOrphans(): boolean {
    return this.#orphans?.hasHeld ?? false;
  }

  /** True when one of them could be taken over: there is something to show or send. */
  async adoptFreed(locks: Locks): Promise<boolean> {
    const isMore = (await this.#orphans?.adoptFreed(this.#device, locks)) ?? false;
    if (isMore) this.#showOthers();
    this.#settle();
    return isMore;
  }

  /**
   * Frames of these were dropped (L6, D7): the document becomes another one, `fresh`, that holds the log up to here.
   * With it goes everything this browser made, with the frames it builds on, and every other frame that is complete
   * without the dropped ones. False: `fresh` lacks something of this browser, try again with a newer one.
   */
  rebuild(
    fresh: { readonly doc: Y.Doc; readonly replica: Replica },
    isDropped: (frame: HeldFrame) => boolean,
  ): boolean {
    const outboxes = this.toSend().filter((outbox) => !outbox.isEmpty);
    const local = outboxes.flatMap((outbox) => decode(outbox.merged()) ?? []);
    const base = this.#framesIn(local);
    const updates = [...outboxes.map((outbox) => outbox.merged()), ...base.map(({ part }) => part.update)];
    // What was acknowledged is in no outbox any more, and own rows are only marked when they come.
    const seq = Math.max(this.seq, this.#ackedSeq);
    if (fresh.replica.seq < seq || !fresh.replica.show(updates)) return false;
    // The next edit goes on where this browser's clocks end: an acknowledged row may still be on its way here.
    const clients = [this.#own, ...outboxes].map(({ key }) => key.clientId);
    if (clients.some((id) => fresh.replica.clockShown(id) < this.#replica.clockShown(id))) return false;
    const kept = this.frames.shown.filter((frame) => base.includes(frame) || !isDropped(frame));
    this.frames.dropWaiting(isDropped);
    fresh.doc.clientID = this.#doc.clientID;
    fresh.replica.markOwn(this.#own.session, this.#witness);
    this.#doc = fresh.doc;
    this.#replica = fresh.replica;
    this.#awareness.doc = fresh.doc;
    this.frames.moveTo(fresh.replica, kept, base);
    return true;
  }

  /** A frame of these is shown that no edit of this browser builds on. */
  showsNeedlessly(isDropped: (frame: HeldFrame) => boolean): boolean {
    const dropped = this.frames.shown.filter(isDropped);
    if (dropped.length === 0) return false;
    const local = this.toSend().flatMap((outbox) => (outbox.isEmpty ? [] : (decode(outbox.merged()) ?? [])));
    const base = this.#framesIn(local);
    return dropped.some((frame) => !base.includes(frame));
  }

  /** The frames that the updates build on. */
  #framesIn(updates: readonly Decoded[]): readonly HeldFrame[] {
    const { shown } = this.frames;
    const { sources } = closure(updates, shown, this.#replica.clockInLog);
    return shown.filter((frame) => sources.includes(frame));
  }

  /** Resolves when the store has done what it was asked; adopted outboxes are free for other tabs. */
  async close(): Promise<void> {
    await this.#device.settled();
    this.#orphans?.release();
  }

  /** I2: entries leave in the transaction that stores the rows of the answer. */
  #leave(outbox: Outbox, lastN: number, rows: readonly Row[]): Promise<boolean> {
    outbox.acknowledge(lastN);
    this.#device.acknowledge(outbox.session, lastN, this.#metaNow(), rows);
    return this.#forgetEmpty();
  }

  async #forgetEmpty(): Promise<boolean> {
    const isMore = (await this.#orphans?.forgetEmpty(this.#device)) ?? false;
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
      if (outbox !== null) this.#distrust(outbox, weftError('WF005', 'an own row is damaged'));
    }
    for (const outbox of this.#taken) this.#distrust(outbox, TAKEN);
    this.#taken.clear();
    this.#unproven = this.#unproven.filter(({ seq }) => seq > this.#replica.seq);
    this.#settle();
    this.keepClientId();
    return taken;
  }

  /**
   * A part of a row, before it counts. I6: who carries the edits of others passes on their bytes; words that are not
   * ours under our session take the place of ours for everybody, and no answer would say so.
   */
  readonly #witness = (part: Part, decoded: Decoded, isCarried: boolean): void => {
    this.frames.compare(part, decoded);
    const outbox = isCarried ? this.#outboxOf(part.session) : null;
    if (outbox !== null && this.#isForged(outbox, decoded)) this.#taken.add(outbox);
  };

  #isForged(outbox: Outbox, said: Decoded): boolean {
    const { clientId } = outbox.key;
    const end = endsOf(said).get(clientId) ?? 0;
    const from = this.#replica.clockInLog(clientId);
    if (end <= from) return false;
    // An adopted one may have said more than its tab could store.
    if (outbox === this.#own && end > this.#replica.clockShown(clientId)) return true;
    const unproven = this.#unproven.flatMap((one) => (one.outbox === outbox ? one.entries : []));
    const known = decode(mergeUpdates([...unproven, ...outbox.entries].map(({ update }) => update)));
    return known !== null && contradicts(said, known, clientId, from);
  }

  /** The same for a frame that names the own session: whoever sent it, it was not this tab. */
  heardOwn(update: Bytes): void {
    const decoded = decode(update);
    if (decoded === null || this.#own.refused !== null) return;
    const isOurs = [...clientsOf(decoded)].every((client) => client === this.#own.key.clientId);
    if (isOurs && this.#isForged(this.#own, decoded)) this.refuse(this.#own, TAKEN);
  }

  #outboxOf(session: SessionId): Outbox | null {
    const unproven = this.#unproven.map(({ outbox }) => outbox);
    return [...this.all(), ...unproven].find((outbox) => outbox.session === session) ?? null;
  }

  /** Its edits are not in the log, whatever was answered: they stay here. */
  #distrust(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    const entries = this.#unproven.flatMap((one) => (one.outbox === outbox ? one.entries : []));
    outbox.takeBack(entries);
    for (const entry of entries) this.#device.addEntry(outbox.key, entry);
    const orphan = this.#orphans?.refuse(outbox) ?? null;
    if (orphan === null) {
      this.refuse(outbox, error);
      return;
    }
    outbox.refuse(error);
    this.#device.refuse(outbox.session, error.code);
    // The page goes on without it, as the log says it.
    if (orphan.wasShown) this.#host.contradicted();
  }

  /** I3: what other tabs have not sent yet is shown as if they had just told; adopted outboxes may build on it. */
  #showOthers(): void {
    for (const outbox of this.#orphans?.others ?? []) {
      if (outbox.session === this.#own.session) continue;
      this.known.learnNeighbour(outbox.key);
      // None larger than one row may carry.
      const parts = outbox.parts(MERGE_STOPS_AT_BYTES);
      for (const one of [...outbox.buildsOn, ...parts]) this.frames.receive(one, this.#host.now());
    }
  }

  /** What has become complete by new rows is shown, what has become rows is let go. */
  #settle(): void {
    this.frames.settle();
    const before = this.#orphans?.shown.length ?? 0;
    const frames = this.#orphans?.show(this.#replica, this.frames.waiting) ?? [];
    this.frames.adopt(frames, this.#host.now());
    // Whatever it waited for: nothing else says that there is something to send.
    if ((this.#orphans?.shown.length ?? 0) > before) this.#host.outboxShown();
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

const TAKEN = weftError('WF006', 'client id taken');

const SOURCES = new WeakMap<Outbox, { readonly nFrom: number; readonly nTo: number; readonly source: Source }>();

/** Asked at every key while frames are here: an adopted outbox of half a megabyte is taken apart once. */
function sourceOf(outbox: Outbox): readonly Source[] {
  const [first] = outbox.entries;
  if (outbox.refused !== null || first === undefined) return [];
  const known = SOURCES.get(outbox);
  if (known?.nFrom === first.n && known.nTo === outbox.lastN) return [known.source];
  const part = outbox.part(MERGE_STOPS_AT_BYTES);
  const decoded = part === null ? null : decode(part.update);
  if (part === null || decoded === null) return [];
  const source = { part, decoded };
  SOURCES.set(outbox, { nFrom: first.n, nTo: outbox.lastN, source });
  return [source];
}

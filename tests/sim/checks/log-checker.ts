// Checks what the specification promises about the log, while a simulated world runs and at its end. Tabs, stores and the
// server's functions report to it: every edit, every stored entry, every new row, every receipt at the moment it is shown.
import { digest } from 'lib0/hash/sha256';
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { Append, Log } from 'weft-sync/ports.ts';
import { SEED_SESSION, type SessionId, type UserId } from 'weft-sync/protocol/ids.ts';
import { type DocumentRole, mayEdit } from 'weft-sync/protocol/roles.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import type { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { type DecodedUpdate, clientIds, decodeUpdate, clockEnds } from 'weft-sync/updates/decoded-update.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { missingClocks } from 'weft-sync/updates/missing-clocks.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type Bytes, toHex } from '../../../src/lib/bytes.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import type { Coverage } from './coverage.ts';
import { contentOf, hasPending } from './document-content.ts';
import { HistoryChecker } from './history-checker.ts';

type Edit = { readonly update: Bytes; readonly at: number };
type DeleteSet = ReturnType<typeof Y.createDeleteSetFromStructStore>;

export class LogChecker {
  readonly problems: string[] = [];
  readonly coverage: Coverage;
  readonly #server: MemoryServer;
  /** The document according to the log alone, row by row. */
  #replayed = newDoc();
  /** By client id: how many clocks the log has. */
  readonly #clocks = new Map<number, number>();
  readonly history = new HistoryChecker();
  /** By session: the last edit in the log. */
  readonly #lastN = new Map<SessionId, number>();
  /** The user who registered each session. */
  readonly #users = new Map<SessionId, UserId>();
  /** Sessions for which someone called append. */
  readonly #appendCalled = new Set<SessionId>();
  readonly #roles = new Map<UserId, DocumentRole | null>();
  /** The edits of each session in order: edit n is at n - 1. */
  readonly #edits = new Map<SessionId, Edit[]>();
  /** Seqs of rows that every client has to skip (D8). */
  readonly damaged: number[] = [];
  readonly #corruptSessions = new Set<SessionId>();
  hasSnapshot = false;
  /** The numbers of the edits that each device ever stored. */
  readonly #stored = new Map<MemoryStore, Map<SessionId, Set<number>>>();
  /** The session that registered a client id first. */
  readonly #holders = new Map<number, UserId>();
  /**
   * Sessions that drew the client id of someone else (LG4). Devices draw one of 2^32. Random streams of neighbouring seeds, as
   * two tabs have here, meet more often.
   */
  readonly #withTakenId = new Set<SessionId>();
  readonly #failedStores = new Set<MemoryStore>();
  readonly #storesWithGap = new Set<MemoryStore>();
  /** The newest row that was checked. */
  #checkedSeq = 0;
  /** Cached until the next row. */
  #content: string | null = null;

  constructor(server: MemoryServer, coverage: Coverage) {
    this.#server = server;
    this.coverage = coverage;
    for (const row of server.rows(DOCUMENT)) {
      this.#replay(row);
      this.history.appended(row);
      this.#checkedSeq = row.seq;
    }
  }

  /** HI5: what devices held when the server went back for good is not put back. */
  #wasFinal = false;
  /** The server went back, or a session started anew: what sessions numbered is in rows of no one, too (HI4). */
  #wentBack = false;
  /** By session: the last edit that a receipt called saved. */
  readonly #savedN = new Map<SessionId, number>();

  startedAnew(): void {
    this.coverage.count('started anew');
    this.#wentBack = true;
  }

  goBack(seq: number, isFinal: boolean): void {
    this.#wentBack = true;
    this.#wasFinal ||= isFinal;
    this.#server.goBack(DOCUMENT, seq, isFinal);
    this.#checkedSeq = seq;
    this.replayAgain();
  }

  /** HI9: one row has taken the place of all others. */
  beganAgain(characters: readonly CharacterRange[]): void {
    this.#wentBack = true;
    this.history.erased(characters);
    this.#checkedSeq = this.#server.rows(DOCUMENT).at(-1)?.seq ?? 0;
    this.replayAgain();
  }

  /** The content of the log now. */
  get content(): string {
    this.#content ??= contentOf(this.#replayed, bodyOf(this.#replayed));
    return this.#content;
  }

  /** The current live topic. */
  get topic(): string {
    return this.#server.topic(DOCUMENT);
  }

  /** Announces a session whose rows are damaged on purpose. */
  expectCorrupt(session: SessionId): void {
    this.#corruptSessions.add(session);
  }

  lastN(session: SessionId): number {
    return this.#lastN.get(session) ?? 0;
  }

  /** Reports a broken promise. One is enough to fail, and a broken build could report a million. */
  problem(what: string): void {
    if (this.problems.length < 20) this.problems.push(what);
  }

  expectSame(what: string, is: unknown, should: unknown): void {
    if (is !== should) this.problem(`${what}: ${difference(String(is), String(should))}`);
  }

  setRole(user: UserId, role: DocumentRole | null): void {
    this.#roles.set(user, role);
    this.#server.setRole(DOCUMENT, user, role);
  }

  roleOf(user: UserId): DocumentRole | null {
    return this.#roles.get(user) ?? null;
  }

  /** A tab made a local update: the next edit of its session. */
  editMade(session: SessionId, update: Bytes, at: number): void {
    const edits = this.#edits.get(session) ?? [];
    this.#edits.set(session, edits);
    edits.push({ update, at });
  }

  /** How many edits the session made. */
  editsBy(session: SessionId): number {
    return this.#edits.get(session)?.length ?? 0;
  }

  /** A session whose device could not store everything: what it held may be gone with its tab. */
  readonly #lostBySession = new Set<SessionId>();
  lostWithItsTab(session: SessionId, store: MemoryStore): void {
    if (this.#failedStores.has(store)) this.#lostBySession.add(session);
  }

  storeFailed(store: MemoryStore): void {
    this.coverage.count('store failed');
    this.#failedStores.add(store);
  }

  /** A device stored edit n in an outbox. */
  entryStored(store: MemoryStore, session: SessionId, n: number): void {
    const stored = this.#stored.get(store) ?? new Map<SessionId, Set<number>>();
    this.#stored.set(store, stored);
    stored.set(session, (stored.get(session) ?? new Set()).add(n));
    if (this.#failedStores.has(store) && n > this.#storedN(store, session)) this.#storesWithGap.add(store);
  }

  /** The last edit up to which nothing is missing: edits in the log, then edits on the device. */
  #storedN(store: MemoryStore, session: SessionId): number {
    const stored = this.#stored.get(store)?.get(session);
    let n = this.lastN(session);
    while (stored?.has(n + 1) === true) n += 1;
    return n;
  }

  /**
   * Whether the device stored an edit after one that it failed to store. The missing edit was only in the tab, as the
   * receipt said. Another tab cannot send the edits after it, and shows them as refused.
   */
  hadGap(store: MemoryStore): boolean {
    return this.#storesWithGap.has(store);
  }

  /** Some edits of this device can never be saved, or must not be (HI5). */
  mayRefuse(store: MemoryStore): boolean {
    const sessions = [...(this.#stored.get(store)?.keys() ?? [])];
    return this.#wasFinal || this.hadGap(store) || sessions.some((session) => this.#withTakenId.has(session));
  }

  /** L1: a live update has all edits of its range, and its session is registered. */
  checkLiveUpdate(session: SessionId, nFrom: number, nTo: number, update: Bytes): void {
    if (!this.#users.has(session)) this.problem(`[L1] a live update of ${session}, which is not registered`);
    if (this.#wentBack) return;
    if (nFrom > this.lastN(session) + 1)
      this.problem(`[L1] a live update of ${session} begins at ${nFrom}, but the log ends at ${this.lastN(session)}`);
    this.expectSame(
      `[L1] the range of a live update of ${session} is valid`,
      nFrom >= 1 && nTo >= nFrom && nTo <= this.editsBy(session),
      true,
    );
    const liveUpdate = decodeUpdate(update);
    for (const edit of (this.#edits.get(session) ?? []).slice(nFrom - 1, nTo)) {
      const decoded = decodeUpdate(edit.update);
      const ends = liveUpdate === null || decoded === null ? [] : [...clockEnds(decoded)];
      const lacks = ([client, end]: readonly [number, number]) =>
        ((liveUpdate && clockEnds(liveUpdate).get(client)) ?? 0) < end;
      if (liveUpdate === null || ends.some(lacks))
        this.problem(`[L1] a live update of ${session} lacks an edit from ${nFrom} to ${nTo}`);
    }
  }

  /** I2: an outbox deletes only edits that are in the log. */
  checkAcknowledgement(session: SessionId, lastN: number): void {
    if (!this.#wentBack && lastN > this.lastN(session))
      this.problem(`[I2] edit ${lastN} leaves an outbox, the log ends at ${this.lastN(session)}`);
  }

  /** I1, I5: at the moment a receipt calls edit n saved, it is in the log. */
  checkReceipt(session: SessionId, n: number, receipt: string): void {
    this.#savedN.set(session, Math.max(n, this.#savedN.get(session) ?? 0));
    if (!this.#wentBack && n > this.lastN(session))
      this.problem(`[I1] "${receipt}" for edit ${n}, the log ends at ${this.lastN(session)}`);
  }

  /** The server's functions for a user, with a check of every new row. `ownSession` is the session of the calling tab. */
  log(user: UserId, ownSession: () => SessionId): Log {
    const log = this.#server.log(user);
    return {
      ...log,
      startSession: async (start) => {
        this.#users.set(start.session, user);
        const holder = this.#holders.get(start.clientId) ?? user;
        this.#holders.set(start.clientId, holder);
        const answer = await log.startSession(start);
        if (!answer.ok && answer.error.code === 'WF006' && holder !== user) this.#withTakenId.add(start.session);
        return answer;
      },
      append: async (append, options) => {
        const head = this.#checkedSeq;
        this.#appendCalled.add(append.session);
        const before = this.lastN(append.session);
        const answer = await log.append(append, options);
        this.#checkNewRows(user);
        if (answer.ok && answer.value.more) this.coverage.count('answer too full');
        if (answer.ok) this.#countAppend(append, head, before, ownSession());
        return answer;
      },
      putBack: async (call) => {
        // Also of a tab whose store failed: what it numbered goes into a row of no one.
        this.#wentBack = true;
        const answer = await log.putBack(call);
        this.#checkNewRows(user);
        if (answer.ok && answer.value.seq !== null) this.coverage.count('put back');
        return answer;
      },
    };
  }

  #countAppend(append: Append, head: number, before: number, ownSession: SessionId): void {
    if (append.nTo > 0 && append.nTo <= before) this.coverage.count('repeated range');
    else if (append.nTo > 0 && append.nFrom <= before) this.coverage.count('overlapping range');
    if (this.#checkedSeq === head) return;
    if (append.session !== ownSession) this.coverage.count('outbox sent by another tab');
    if (append.knownSeq < head) this.coverage.count('concurrent append');
  }

  #checkNewRows(caller: UserId): void {
    for (const row of this.#server.rows(DOCUMENT)) {
      if (row.seq <= this.#checkedSeq) continue;
      this.#checkedSeq += 1;
      this.history.appended(row);
      this.#content = null;
      this.#checkRange(row, caller);
      this.#checkRights(row);
      this.#replay(row);
      if (row.dependencies.length > 0) this.coverage.count(row.nTo === 0 ? 'relay' : 'row with dependencies');
      this.coverage.count('dependency', row.dependencies.length);
    }
  }

  /** D1: a row continues its session without a gap, and the caller owns the session. */
  #checkRange(row: Row, caller: UserId): void {
    this.expectSame('seq of the newest row', row.seq, this.#checkedSeq);
    this.expectSame(`the caller recorded for row ${row.seq}`, this.#server.appendedBy(DOCUMENT, row.seq), caller);
    if (row.nTo === 0 || this.#wentBack) return;
    const before = this.lastN(row.session);
    if (row.nFrom > before + 1 || row.nTo <= before)
      this.problem(
        `row ${row.seq} holds ${row.nFrom} to ${row.nTo} of a session whose last edit in the log is ${before}`,
      );
    this.#lastN.set(row.session, row.nTo);
    this.expectSame(`[D1] owner of the session of row ${row.seq}`, this.#users.get(row.session), caller);
  }

  /** I8: after a revocation no one appends edits of that user, except as dependencies of their own edits. */
  #checkRights({ seq, nTo, session, dependencies }: Row): void {
    if (session === SEED_SESSION) return;
    const author = this.#users.get(session);
    if (author === undefined || !mayEdit(this.roleOf(author)))
      this.problem(`[I8] row ${seq} was appended without the right to edit`);
    for (const part of dependencies) {
      const dependencyAuthor = this.#users.get(part.session);
      if (dependencyAuthor === undefined) this.problem(`row ${seq} has a dependency of an unregistered session`);
      else if (!mayEdit(this.roleOf(dependencyAuthor))) {
        if (nTo === 0) this.problem(`[D7] row ${seq} relays edits of an author who may no longer edit`);
        else this.coverage.count('dependency of a revoked author');
      }
    }
  }

  /** I11: every row is complete on top of the rows before it, according to our own check and to Yjs. */
  #replay(row: Row): void {
    const decoded: DecodedUpdate[] = [];
    for (const part of [...row.dependencies, row]) {
      const one = decodeUpdate(part.update);
      if (one !== null) decoded.push(one);
      else if (!this.#corruptSessions.has(row.session)) this.problem(`row ${row.seq} does not decode`);
    }
    const lacking = missingClocks(decoded, (client) => this.#clocks.get(client) ?? 0);
    if (this.#corruptSessions.has(row.session)) {
      const isForeign = decoded.some((one) => [...clientIds(one)].some((client) => client !== row.clientId));
      this.expectSame(`row ${row.seq} is damaged`, lacking.size > 0 || isForeign || decoded.length === 0, true);
      this.damaged.push(row.seq);
      return;
    }
    if (lacking.size > 0) this.problem(`[I11] row ${row.seq} lacks ${JSON.stringify([...lacking])}`);
    for (const one of decoded) {
      for (const [client, end] of clockEnds(one))
        this.#clocks.set(client, Math.max(end, this.#clocks.get(client) ?? 0));
    }
    // One merged update: applied one by one, parts that need each other would leave structs pending in Yjs.
    const updates = [...row.dependencies, row].map((part) => part.update).filter((update) => update.length > 0);
    Y.applyUpdate(this.#replayed, mergeUpdates(updates), 'row');
    if (hasPending(this.#replayed)) this.problem(`[I11] row ${row.seq} leaves something pending`);
  }

  /** Others have rewritten rows of the log. */
  replayAgain(): void {
    this.#replayed.destroy();
    this.#replayed = newDoc();
    this.#clocks.clear();
    this.#content = null;
    this.damaged.length = 0;
    for (const row of this.#server.rows(DOCUMENT)) this.#replay(row);
  }

  /** A place in the text of the log, by the ids of its characters. Null: there is no text. */
  somePassage(random: () => number): readonly CharacterRange[] | null {
    const structs = [...this.#replayed.store.clients.values()].flat();
    const texts = structs.filter((one) => one instanceof Y.Item && one.content instanceof Y.ContentString);
    const text = texts[Math.floor(random() * texts.length)];
    if (text === undefined) return null;
    const from = text.id.clock + Math.floor(random() * text.length);
    const to = from + Math.ceil(random() * (text.id.clock + text.length - from));
    return [[text.id.client, from, to - from]];
  }

  /** The places of these words in the log. */
  passageOf(words: string): readonly CharacterRange[] {
    const characters: CharacterRange[] = [];
    for (const [client, structs] of this.#replayed.store.clients) {
      for (const struct of structs) {
        if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString)) continue;
        const at = struct.content.str.indexOf(words);
        if (at < 0) continue;
        characters.push([client, struct.id.clock + at, words.length]);
      }
    }
    return characters;
  }

  // ── at the end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** I1: every acknowledged edit is in the log, struct by struct and deletion by deletion. */
  checkAcknowledgedEdits(): void {
    if (this.#wasFinal) return;
    const deleted = Y.createDeleteSetFromStructStore(this.#replayed.store);
    for (const [session, edits] of this.#edits) {
      for (const [at, { update }] of edits.slice(0, this.#acknowledgedN(session)).entries()) {
        const decoded = decodeUpdate(update);
        if (decoded === null || !this.#logHas(decoded, deleted))
          this.problem(`[I1] edit ${at + 1} of ${session} is acknowledged and not in the log`);
      }
    }
  }

  /** After the server went back, only what a person was told to be saved, and may put back. */
  #acknowledgedN(session: SessionId): number {
    if (!this.#wentBack) return this.lastN(session);
    const user = this.#users.get(session);
    const isLost = user === undefined || !mayEdit(this.roleOf(user)) || this.#lostBySession.has(session);
    return isLost ? 0 : (this.#savedN.get(session) ?? 0);
  }

  #logHas({ structs, deletes }: DecodedUpdate, deleted: DeleteSet): boolean {
    const { store } = this.#replayed;
    if (structs.some(({ id, length }) => id.clock + length > Y.getState(store, id.client))) return false;
    return [...deletes].every(([client, ranges]) =>
      ranges.every(({ clock, len }) =>
        Array.from({ length: len }, (_, at) => Y.isDeleted(deleted, Y.createID(client, clock + at))).every(Boolean),
      ),
    );
  }

  /** D5: when a tab is killed, its edits from before that time are on the device. */
  checkStoredInTime(store: MemoryStore, session: SessionId, before: number): void {
    this.lostWithItsTab(session, store);
    if (this.#wentBack) return;
    const stored = this.#storedN(store, session);
    const due = (this.#edits.get(session) ?? []).filter(({ at }) => at < before).length;
    if (due > stored && !this.#failedStores.has(store))
      this.problem(`[D5] edit ${due} of ${session} was not stored in time`);
  }

  /** I2, D5, D6: every edit that the device of an editor ever stored is in the log. */
  checkStoredEditsAreLogged(store: MemoryStore, device: string): void {
    if (this.#wentBack) return;
    for (const session of this.#stored.get(store)?.keys() ?? []) {
      const n = this.#storedN(store, session);
      if (n > this.lastN(session))
        this.problem(`[D6] ${device} stored edit ${n} of ${session}, the log ends at ${this.lastN(session)}`);
    }
  }

  /** I2: the outboxes are empty, except for edits that a failing store could not delete. They are sent again next time. */
  async checkOutboxesAreEmpty(store: MemoryStore, device: string): Promise<void> {
    const stored = await store.load(DOCUMENT);
    if (this.#wentBack) {
      const left = (stored?.outboxes ?? []).filter(({ refused }) => refused === null);
      if (!this.#failedStores.has(store)) this.expectSame(`[HI4] outboxes that ${device} still has`, left.length, 0);
      return;
    }
    for (const { session, entries } of stored?.outboxes ?? []) {
      const isGap = this.hadGap(store) && (entries[0]?.n ?? 0) > this.lastN(session) + 1;
      const last = entries.at(-1)?.n ?? 0;
      if ((last > this.lastN(session) && !isGap) || !this.#failedStores.has(store))
        this.problem(
          `[I2] ${device} still has ${entries.length} edits of ${session}, the log ends at ${this.lastN(session)}`,
        );
    }
  }

  /** LG10: all appended rows are there, under their author and at their time. HI9: erased characters are nowhere. */
  checkHistory(): void {
    const rows = this.#server.rows(DOCUMENT);
    this.expectSame('[HI9] erased characters in rows', this.history.inRows(rows), 0);
    for (const state of this.#server.snapshotStates(DOCUMENT))
      this.expectSame('[HI9] erased characters in a snapshot', this.history.inState(state), 0);
    if (!this.#wentBack) this.expectSame('[LG10] rows that are lost', this.history.lost(rows).join(), '');
  }

  /** I4, ST1: a device stores the log's rows unchanged, and its outboxes depend only on edits of others. */
  async checkStoredDocument(store: MemoryStore, device: string, role: DocumentRole | null): Promise<void> {
    const stored = await store.load(DOCUMENT);
    const hasSynced = role !== null;
    for (const row of hasSynced ? (stored?.rows ?? []) : []) {
      if (this.#wentBack) {
        const inLog = this.#server.rows(DOCUMENT).find(({ seq }) => seq === row.seq);
        // Compacting has taken rows away.
        if (inLog !== undefined)
          this.expectSame(`[HI6] the time of row ${row.seq} that ${device} stores`, row.at, inLog.at);
      } else if (!this.history.wasInLog(row)) this.problem(`[I4] ${device} stores another row ${row.seq} than the log`);
    }
    if (stored !== null && hasSynced)
      this.expectSame(`[HI9] erased characters that ${device} stores`, this.history.inStored(stored, mayEdit(role)), 0);
    for (const outbox of stored?.outboxes ?? []) {
      if (outbox.refused !== null && !this.mayRefuse(store))
        this.problem(`${device} stores an outbox that was refused: ${outbox.refused}`);
      for (const part of outbox.entries.flatMap((entry) => entry.buildsOn)) {
        if (part.session === outbox.session) this.problem(`[I4] ${device} stores an own edit as a dependency`);
      }
    }
  }

  /** I10: of the open tabs, only those that edited or relayed are registered. */
  checkSessions(open: readonly SessionId[]): void {
    if (this.#wentBack) return;
    for (const session of open) {
      const isRegistered = this.#users.has(session);
      if (isRegistered && this.editsBy(session) === 0 && !this.#appendCalled.has(session))
        this.problem(`[I10] ${session} was registered and never appended`);
    }
    this.expectSame('[I10] registered sessions', this.#server.sessions(DOCUMENT) <= this.#users.size, true);
  }

  /** Stores a snapshot of the whole log. Sessions that open from now on start from it. */
  plantSnapshot(): void {
    this.coverage.count('snapshot');
    this.hasSnapshot = true;
    const state = new Uint8Array(Y.encodeStateAsUpdateV2(this.#replayed));
    this.#server.plantSnapshot(DOCUMENT, { seq: this.#checkedSeq, state, sha256: toHex(digest(state)) });
  }

  destroy(): void {
    this.#replayed.destroy();
  }
}

/** Both texts from shortly before their first difference. */
function difference(is: string, should: string): string {
  let at = 0;
  while (at < is.length && is[at] === should[at]) at += 1;
  const [from, to] = [Math.max(0, at - 20), at + 60];
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, to)}${text.length > to ? '…' : ''}`;
  return `${cut(is)} instead of ${cut(should)}`;
}

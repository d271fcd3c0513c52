// Checks the promises of the log against everything it sees at the server and in the tabs: every row when it is
// appended, every entry when it is stored, every receipt when it is shown.
import { digest } from 'lib0/hash/sha256';
import * as Y from 'yjs';
import { bodyOf } from '../../../src/document/names.ts';
import type { MemoryServer } from '../../memory/memory-server.ts';
import type { MemoryStore } from '../../memory/memory-store.ts';
import { type Bytes, toHex } from '../../../src/lib/bytes.ts';
import type { SessionId, UserId } from '../../../src/protocol/ids.ts';
import { type DocumentRole, mayEdit } from '../../../src/protocol/roles.ts';
import { type Row, encodeRows } from '../../../src/protocol/row.ts';
import {
  type DecodedUpdate,
  clientIds,
  decodeUpdate,
  clockEnds,
  missingClocks,
} from '../../../src/sync/updates/missing.ts';
import { newDoc } from '../../../src/sync/updates/new-doc.ts';
import { mergeUpdates } from '../../../src/sync/state/outbox.ts';
import type { Append, Log } from '../../../src/sync/ports.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { contentOf, hasPending } from './document-content.ts';
import type { Coverage } from './coverage.ts';

type Typed = { readonly update: Bytes; readonly at: number };
type DeleteSet = ReturnType<typeof Y.createDeleteSetFromStructStore>;

export class LogChecker {
  readonly problems: string[] = [];
  readonly coverage: Coverage;
  readonly #server: MemoryServer;
  /** The document according to the log alone, row by row. */
  readonly #replayed = newDoc();
  readonly #clocks = new Map<number, number>();
  readonly #lastN = new Map<SessionId, number>();
  readonly #users = new Map<SessionId, UserId>();
  /** Sessions for which an append was requested. */
  readonly #asked = new Set<SessionId>();
  readonly #roles = new Map<UserId, DocumentRole | null>();
  readonly #typed = new Map<SessionId, Typed[]>();
  /** Seqs of rows that every client has to skip (D8). */
  readonly damaged: number[] = [];
  readonly #corruptSessions = new Set<SessionId>();
  hasSnapshot = false;
  readonly #stored = new Map<MemoryStore, Map<SessionId, Set<number>>>();
  readonly #failed = new Set<MemoryStore>();
  readonly #holed = new Set<MemoryStore>();
  #seen = 0;
  #content: string | null = null;

  constructor(server: MemoryServer, coverage: Coverage) {
    this.#server = server;
    this.coverage = coverage;
    for (const row of server.rows(DOCUMENT)) this.#replay(row);
    this.#seen = server.rows(DOCUMENT).length;
  }

  /** The content of the log now. */
  get content(): string {
    this.#content ??= contentOf(this.#replayed, bodyOf(this.#replayed));
    return this.#content;
  }

  /** The topic where everybody should be. */
  get topic(): string {
    return this.#server.topic(DOCUMENT);
  }

  /** Rows of this session are damaged on purpose. */
  expectCorrupt(session: SessionId): void {
    this.#corruptSessions.add(session);
  }

  lastN(session: SessionId): number {
    return this.#lastN.get(session) ?? 0;
  }

  /** One problem is enough to fail, and a broken build could report a million. */
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

  /** A local update of a tab: the next number of its session. */
  typed(session: SessionId, update: Bytes, at: number): void {
    const typed = this.#typed.get(session) ?? [];
    this.#typed.set(session, typed);
    typed.push({ update, at });
  }

  typedBy(session: SessionId): number {
    return this.#typed.get(session)?.length ?? 0;
  }

  failed(store: MemoryStore): void {
    this.coverage.count('store failed');
    this.#failed.add(store);
  }

  stored(store: MemoryStore, session: SessionId, n: number): void {
    const stored = this.#stored.get(store) ?? new Map<SessionId, Set<number>>();
    this.#stored.set(store, stored);
    stored.set(session, (stored.get(session) ?? new Set()).add(n));
    if (this.#failed.has(store) && n > this.#storedN(store, session)) this.#holed.add(store);
  }

  /** The highest n up to which nothing is missing: in the log, then on the device. */
  #storedN(store: MemoryStore, session: SessionId): number {
    const stored = this.#stored.get(store)?.get(session);
    let n = this.lastN(session);
    while (stored?.has(n + 1) === true) n += 1;
    return n;
  }

  /**
   * A store that failed for a while and accepted later entries has a hole: the missing entry was only in the tab, as
   * the receipt said. Another tab cannot send the entries after it, and shows them as refused.
   */
  hadHoles(store: MemoryStore): boolean {
    return this.#holed.has(store);
  }

  /** L1: a live update holds all of the edits in its range, of a session that the database knows. */
  checkLiveUpdate(session: SessionId, nFrom: number, nTo: number, update: Bytes): void {
    if (!this.#users.has(session)) this.problem(`[L1] a live update of ${session}, which is not registered`);
    if (nFrom > this.lastN(session) + 1)
      this.problem(`[L1] a live update of ${session} begins at ${nFrom}, beyond what is logged`);
    this.expectSame(
      `[L1] numbers in a live update of ${session}`,
      nFrom >= 1 && nTo >= nFrom && nTo <= this.typedBy(session),
      true,
    );
    const liveUpdate = decodeUpdate(update);
    for (const typed of (this.#typed.get(session) ?? []).slice(nFrom - 1, nTo)) {
      const decoded = decodeUpdate(typed.update);
      const ends = liveUpdate === null || decoded === null ? [] : [...clockEnds(decoded)];
      if (liveUpdate === null || ends.some(([client, end]) => (clockEnds(liveUpdate).get(client) ?? 0) < end))
        this.problem(`[L1] a live update of ${session} lacks one of ${nFrom} to ${nTo}`);
    }
  }

  /** I2. */
  acknowledging(session: SessionId, lastN: number): void {
    if (lastN > this.lastN(session))
      this.problem(`[I2] n ${lastN} leaves an outbox, the log has ${this.lastN(session)}`);
  }

  /** I1, I5: at the moment a receipt says so, the rows are there. */
  receiptShown(session: SessionId, n: number, receipt: string): void {
    if (n > this.lastN(session)) this.problem(`[I1] "${receipt}" for n ${n}, the log has ${this.lastN(session)}`);
  }

  /** The server's functions for a user, observed. `caller` is the tab's own session, once it is known. */
  log(user: UserId, caller: () => SessionId | null): Log {
    const log = this.#server.log(user);
    return {
      ...log,
      startSession: async (start) => {
        this.#users.set(start.session, user);
        return log.startSession(start);
      },
      append: async (append, options) => {
        const head = this.#seen;
        this.#asked.add(append.session);
        const before = this.lastN(append.session);
        const answer = await log.append(append, options);
        this.#see(user);
        if (answer.ok && answer.value.more) this.coverage.count('answer too full');
        if (answer.ok) this.#countAppend(append, head, before, caller());
        return answer;
      },
    };
  }

  #countAppend(append: Append, head: number, before: number, caller: SessionId | null): void {
    if (append.nTo > 0 && append.nTo <= before) this.coverage.count('repeated range');
    else if (append.nTo > 0 && append.nFrom <= before) this.coverage.count('overlapping range');
    if (this.#seen === head) return;
    if (append.session !== caller) this.coverage.count('outbox sent by another tab');
    if (append.knownSeq < head) this.coverage.count('concurrent append');
  }

  #see(caller: UserId): void {
    const rows = this.#server.rows(DOCUMENT);
    for (let row = rows[this.#seen]; row !== undefined; row = rows[this.#seen]) {
      this.#seen += 1;
      this.#content = null;
      this.#checkPlace(row, caller);
      this.#checkRights(row);
      this.#replay(row);
      if (row.dependencies.length > 0) this.coverage.count(row.nTo === 0 ? 'relay' : 'row with dependencies');
      this.coverage.count('dependency', row.dependencies.length);
    }
  }

  #checkPlace(row: Row, caller: UserId): void {
    this.expectSame('seq of the newest row', row.seq, this.#seen);
    this.expectSame(`who appended row ${row.seq}`, this.#server.appendedBy(DOCUMENT, row.seq), caller);
    if (row.nTo === 0) return;
    const before = this.lastN(row.session);
    if (row.nFrom > before + 1 || row.nTo <= before)
      this.problem(`row ${row.seq} holds ${row.nFrom} to ${row.nTo} of a session that reached ${before}`);
    this.#lastN.set(row.session, row.nTo);
    this.expectSame(`[D1] owner of the session of row ${row.seq}`, this.#users.get(row.session), caller);
  }

  /** I8: after a revocation nothing of that user is appended, by themselves or on their behalf. */
  #checkRights({ seq, nTo, session, dependencies }: Row): void {
    const author = this.#users.get(session);
    if (author === undefined || !mayEdit(this.roleOf(author)))
      this.problem(`[I8] row ${seq} was appended without the right to`);
    for (const part of dependencies) {
      const dependencyAuthor = this.#users.get(part.session);
      if (dependencyAuthor === undefined) this.problem(`row ${seq} carries a session that nobody registered`);
      else if (!mayEdit(this.roleOf(dependencyAuthor))) {
        if (nTo === 0) this.problem(`[D7] row ${seq} relays what its author may no longer write`);
        else this.coverage.count('dependency of a revoked author');
      }
    }
  }

  /** I11: every row is complete on top of those before it, by our own measure and by Yjs's. */
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
    // Merged, for the reason given in Replica.
    const updates = [...row.dependencies, row].map((part) => part.update).filter((update) => update.length > 0);
    Y.applyUpdate(this.#replayed, mergeUpdates(updates), 'row');
    if (hasPending(this.#replayed)) this.problem(`[I11] row ${row.seq} leaves something pending`);
  }

  // ── at the end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** I1 by content: acknowledged edits are in the log, struct by struct, deletion by deletion. */
  checkTyped(): void {
    const deleted = Y.createDeleteSetFromStructStore(this.#replayed.store);
    for (const [session, updates] of this.#typed) {
      for (const [at, { update }] of updates.slice(0, this.lastN(session)).entries()) {
        const decoded = decodeUpdate(update);
        if (decoded === null || !this.#holds(decoded, deleted))
          this.problem(`[I1] n ${at + 1} of ${session} counts as logged and is not in the log`);
      }
    }
  }

  #holds({ structs, deletes }: DecodedUpdate, deleted: DeleteSet): boolean {
    const { store } = this.#replayed;
    if (structs.some(({ id, length }) => id.clock + length > Y.getState(store, id.client))) return false;
    return [...deletes].every(([client, ranges]) =>
      ranges.every(({ clock, len }) =>
        Array.from({ length: len }, (_, at) => Y.isDeleted(deleted, Y.createID(client, clock + at))).every(Boolean),
      ),
    );
  }

  /** D5: when its tab ends an edit is on the device, unless it was made in the last moments. */
  checkStoredBy(store: MemoryStore, session: SessionId, before: number): void {
    const stored = this.#storedN(store, session);
    const due = (this.#typed.get(session) ?? []).filter(({ at }) => at < before).length;
    if (due > stored && !this.#failed.has(store)) this.problem(`[D5] n ${due} of ${session} was not stored in time`);
  }

  /** Whatever the device of a user who may write has stored has reached the log (I2, D5, D6). */
  checkStored(store: MemoryStore, owner: string): void {
    for (const session of this.#stored.get(store)?.keys() ?? []) {
      const n = this.#storedN(store, session);
      if (n > this.lastN(session))
        this.problem(`[D6] ${owner} stored n ${n} of ${session}, the log has ${this.lastN(session)}`);
    }
  }

  /** Nothing is left in the outboxes, except what a failing store could not delete: it is sent once more next time. */
  async checkSent(store: MemoryStore, owner: string): Promise<void> {
    const stored = await store.load(DOCUMENT);
    for (const { session, entries } of stored?.outboxes ?? []) {
      const isHole = this.hadHoles(store) && (entries[0]?.n ?? 0) > this.lastN(session) + 1;
      const last = entries.at(-1)?.n ?? 0;
      if ((last > this.lastN(session) && !isHole) || !this.#failed.has(store))
        this.problem(`[I2] ${owner} keeps ${entries.length} edits of ${session}, the log has ${this.lastN(session)}`);
    }
  }

  /** I4, ST1: a device stores the log's rows unchanged. */
  async checkKept(store: MemoryStore, owner: string): Promise<void> {
    const rows = this.#server.rows(DOCUMENT);
    const stored = await store.load(DOCUMENT);
    for (const row of stored?.rows ?? []) {
      const original = rows[row.seq - 1];
      if (original === undefined || !isSame(row, original))
        this.problem(`[I4] ${owner} keeps another row ${row.seq} than the log`);
    }
    for (const outbox of stored?.outboxes ?? []) {
      if (outbox.refused !== null && !this.hadHoles(store))
        this.problem(`${owner} keeps an outbox that was refused: ${outbox.refused}`);
      for (const part of outbox.entries.flatMap((entry) => entry.buildsOn)) {
        if (part.session === outbox.session) this.problem(`[I4] ${owner} keeps an own edit as a live update`);
      }
    }
  }

  /** I10: of the living tabs, only those that typed or relayed are registered. */
  checkSessions(living: readonly SessionId[]): void {
    for (const session of living) {
      const isRegistered = this.#users.has(session);
      if (isRegistered && this.typedBy(session) === 0 && !this.#asked.has(session))
        this.problem(`[I10] ${session} was registered and never wrote`);
    }
    this.expectSame('[I10] registered sessions', this.#server.sessions(DOCUMENT) <= this.#users.size, true);
  }

  /** Saved as the lease holder would: clients that open from now on start from here. */
  plantSnapshot(): void {
    this.coverage.count('snapshot');
    this.hasSnapshot = true;
    const state = new Uint8Array(Y.encodeStateAsUpdateV2(this.#replayed));
    this.#server.plantSnapshot(DOCUMENT, { seq: this.#seen, state, sha256: toHex(digest(state)) });
  }

  destroy(): void {
    this.#replayed.destroy();
  }
}

/** From a little before the first difference on. */
function difference(is: string, should: string): string {
  let at = 0;
  while (at < is.length && is[at] === should[at]) at += 1;
  const [from, to] = [Math.max(0, at - 20), at + 60];
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, to)}${text.length > to ? '…' : ''}`;
  return `${cut(is)} instead of ${cut(should)}`;
}

function isSame(one: Row, other: Row): boolean {
  const bytes = [one, other].map((row) => encodeRows({ kind: 'rows', head: 0, rows: [row] }));
  return Buffer.compare(bytes[0] ?? new Uint8Array(0), bytes[1] ?? new Uint8Array(0)) === 0;
}

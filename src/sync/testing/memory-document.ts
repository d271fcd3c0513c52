// One document of the memory server: its log, with the rules of start_session, append_update and put_back as in
// supabase/schemas/10_reading_and_writing.sql, without quotas. It knows no topics, and the caller provides the roles.
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { CompactedRun } from '../log/compact-rows.ts';
import type { Append, PutBack } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { firstSeqOf } from '../protocol/first-seq.ts';
import { FIRST_CLIENT_ID, SEED_CLIENT_ID, SEED_SESSION, type SessionId, type UserId } from '../protocol/ids.ts';
import {
  MAX_ANSWER_BYTES,
  MAX_DEPENDENCIES_BYTES,
  MAX_DEPENDENCIES,
  MAX_ROWS_PER_ANSWER,
  MAX_UPDATE_BYTES,
} from '../protocol/limits.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import type { Part, Row } from '../protocol/row.ts';

/** Overhead per row when the database measures an answer. */
const ROW_OVERHEAD_BYTES = 54;
const PART_BYTES = 40;

export type MemorySession = {
  readonly session: SessionId;
  readonly clientId: number;
  readonly user: UserId;
  readonly lastN: number;
};

export type Appended = {
  /** Null after a gap or an overlap, and of `putBack`, whose row has it. */
  readonly seq: number | null;
  readonly lastN: number;
  /** Null if nothing was appended: a repeat, an overlap, a gap, or a relay of edits that are in the log already. */
  readonly row: Row | null;
};

/** The effective role of a person at this moment. */
export type RoleOf = (user: UserId) => DocumentRole | null;

export class MemoryDocument {
  /** In seq order; compacted rows leave gaps. */
  #rows: readonly Row[] = [];
  readonly #appendedBy = new Map<number, UserId | null>();
  readonly #sessions = new Map<SessionId, MemorySession>();
  /** The head when the session was registered. */
  readonly #registeredAt = new Map<SessionId, number>();
  schemaVersion = 1;
  historyBeganAt: number | null = null;
  /** Until then nothing is appended, because someone erases. */
  pausedUntil = 0;
  /** The newest schema version this database knows. A migration raises it. */
  newestSchema: number;

  readonly #now: () => number;
  /** By seq, also of rows in whose place a compacted one stands. */
  readonly #times = new Map<number, number>();
  /** Times of rows that are gone are not used again: a restore takes longer than a millisecond. */
  #notBefore = 0;

  constructor(seed: Bytes | null, now: () => number, newestSchema: number) {
    this.#now = now;
    this.newestSchema = newestSchema;
    if (seed !== null) {
      this.#add({ ...part(SEED_SESSION, SEED_CLIENT_ID, 1, 1, seed), seq: 1, dependencies: [] }, null);
    }
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get head(): number {
    return this.#rows.at(-1)?.seq ?? 0;
  }

  /** When the newest row was added; an empty log counts as changed when someone asks. */
  get changedAt(): number {
    return this.#rows.at(-1)?.at ?? this.#now();
  }

  get sessions(): ReadonlyMap<SessionId, MemorySession> {
    return this.#sessions;
  }

  /** HI1: the log has this row, or the caller does not know which one they have. */
  has(seq: number, at: number | null | undefined): boolean {
    if (at === null || at === undefined || seq < 1) return true;
    return this.#times.get(seq) === at;
  }

  /** The time of the row before this one; 0: there is none. */
  timeBefore(row: Row): number {
    return this.#rows.findLast(({ seq }) => seq < firstSeqOf(row))?.at ?? 0;
  }

  /** A backup of when `seq` was the newest row is restored. */
  goBack(seq: number): void {
    this.#notBefore = Math.max(this.#notBefore, ...this.#rows.map(({ at = 0 }) => at + 1));
    this.#rows = this.#rows.filter((row) => row.seq <= seq);
    for (const gone of this.#times.keys()) if (gone > seq) this.#times.delete(gone);
    for (const [id, session] of this.#sessions) {
      if ((this.#registeredAt.get(id) ?? 0) > seq) this.#sessions.delete(id);
      else this.#sessions.set(id, { ...session, lastN: this.#lastNOf(id) });
    }
  }

  #lastNOf(session: SessionId): number {
    const parts = this.#rows.flatMap((row) => [row, ...(row.firstSeq === undefined ? [] : row.dependencies)]);
    return Math.max(0, ...parts.map((one) => (one.session === session ? one.nTo : 0)));
  }

  /** HI4. Null: someone else put something back. */
  putBack({ knownSeq, update }: PutBack, user: UserId): Row | null {
    if (this.#rows.some(({ seq, session }) => seq > knownSeq && session === SEED_SESSION)) return null;
    return this.#add(
      { ...part(SEED_SESSION, SEED_CLIENT_ID, 1, 1, update), seq: this.head + 1, dependencies: [] },
      user,
    );
  }

  /**
   * The user who called append. For a relay that is not the author of the edits. Null for rows of no one, as the seed.
   */
  appendedBy(seq: number): UserId | null {
    return this.#appendedBy.get(seq) ?? null;
  }

  /**
   * The rows after `seq`: at most `limit`, and as many as fit into an answer, but at least one. Otherwise a reader could
   * never pass a row that is larger than an answer.
   */
  rowsAfter(seq: number, limit = Number.POSITIVE_INFINITY): { readonly rows: readonly Row[]; readonly more: boolean } {
    const rows: Row[] = [];
    let [bytes, follows] = [0, 0];
    for (const row of this.#rows) {
      if (row.seq > seq) {
        if (rows.length >= limit) break;
        bytes += sizeOf(row);
        if (rows.length > 0 && bytes > MAX_ANSWER_BYTES) break;
        rows.push({ ...row, follows });
      }
      follows = row.at ?? 0;
    }
    return { rows, more: (rows.at(-1)?.seq ?? seq) < this.head };
  }

  /** Puts one row in the place of a run. False: the rows are others by now. */
  compact({ replaced, row }: CompactedRun): boolean {
    if (!replaced.every((one) => this.#rows.includes(one))) return false;
    this.#rows = this.#rows.flatMap((one) => (one.seq === row.seq ? row : replaced.includes(one) ? [] : one));
    return true;
  }

  /** HI9: one row takes the place of all others. False: a newer row is there. */
  beginAgain(seq: number, update: Bytes, by: UserId | null): boolean {
    if (seq !== this.head) return false;
    const firstAt = this.#rows[0]?.firstAt ?? this.#rows[0]?.at ?? 0;
    this.#notBefore = Math.max(this.#notBefore, (this.#rows.at(-1)?.at ?? 0) + 1);
    this.#rows = [];
    this.#times.clear();
    const row = { ...part(SEED_SESSION, SEED_CLIENT_ID, 1, 1, update), seq: seq + 1, firstSeq: 1, firstAt };
    this.historyBeganAt = this.#add({ ...row, dependencies: [] }, by).at ?? null;
    this.pausedUntil = 0;
    return true;
  }

  start(session: SessionId, clientId: number, user: UserId, schemaVersion: number): Result<MemorySession, WeftError> {
    const refused = this.#checkSchema(schemaVersion) ?? this.#checkAge(schemaVersion);
    if (refused !== null) return err(refused);
    if (session === SEED_SESSION) return err(weftError('WF005', 'not a session'));
    if (!Number.isSafeInteger(clientId) || clientId < FIRST_CLIENT_ID)
      return err(weftError('WF006', 'client id out of range'));
    const known = this.#sessions.get(session);
    if (known !== undefined) {
      const isSame = known.user === user && known.clientId === clientId;
      return isSame ? ok(known) : err(weftError('WF005', 'the session is registered for something else'));
    }
    const isTaken = [...this.#sessions.values()].some((other) => other.clientId === clientId);
    if (isTaken) return err(weftError('WF006', 'client id taken in this document'));
    const started: MemorySession = { session, clientId, user, lastN: 0 };
    this.#sessions.set(session, started);
    this.#registeredAt.set(session, this.head);
    return ok(started);
  }

  /** Checks the form of a call before any role is checked, as in the database, where this needs no lock. */
  parse(append: Append): WeftError | null {
    const { nFrom, nTo, update, dependencies, knownSeq } = append;
    if (nFrom < 0 || nTo < nFrom || (nFrom === 0) !== (nTo === 0))
      return weftError('WF005', 'the numbers of the edits do not fit');
    if (knownSeq < 0) return weftError('WF005', 'known_seq is out of range');
    const schema = this.#checkSchema(append.schemaVersion);
    if (schema !== null) return schema;
    if (!fits(dependencies)) return weftError('WF005', 'dependencies: a part is malformed or too large');
    if (update.length > MAX_UPDATE_BYTES) return weftError('WF005', 'the update is larger than 1 MiB');
    if ((update.length === 0) !== (nTo === 0))
      return weftError('WF005', 'an update without edits, or edits without an update');
    return nTo === 0 && dependencies.length === 0 ? weftError('WF005', 'nothing to append') : null;
  }

  /** Appends a call that passed `parse`, for a user who may edit. */
  append(append: Append, user: UserId, roleOf: RoleOf): Result<Appended, WeftError> {
    if (!this.has(append.knownSeq, append.knownAt)) return err(weftError('WF016'));
    const author = this.#sessions.get(append.session);
    // HI7: it may have been registered after the backup.
    if (author === undefined) return err(weftError('WF016', 'the session is not registered here'));
    if (author.user !== user) return err(weftError('WF005', 'not a session of this person in this document'));
    const older = this.#checkAge(append.schemaVersion);
    if (older !== null) return err(older);
    const paused = this.checkPause();
    if (paused !== null) return err(paused);
    const { nFrom, nTo, update } = append;
    const isRelay = nTo === 0;
    const { lastN } = author;
    if (!isRelay && nTo <= lastN) return ok({ seq: this.#seqOf(author.session, nTo), lastN, row: null });
    if (nFrom > lastN + 1) return ok({ seq: null, lastN, row: null });
    // The edits that the log has already may contain erased characters.
    if (!isRelay && nFrom <= lastN) return ok({ seq: null, lastN, row: null });
    const dependencies = this.#lacking(append.dependencies, isRelay, roleOf);
    if (!dependencies.ok) return dependencies;
    if (isRelay && dependencies.value.length === 0) return ok({ seq: this.head, lastN, row: null });
    const own = part(author.session, author.clientId, nFrom, nTo, update);
    const row = this.#add({ ...own, seq: this.head + 1, dependencies: dependencies.value }, user);
    if (isRelay) return ok({ seq: row.seq, lastN, row });
    this.#sessions.set(author.session, { ...author, lastN: nTo });
    return ok({ seq: row.seq, lastN: nTo, row });
  }

  /** The parts that the log lacks. Adding them never changes their authors' `lastN`. */
  #lacking(parts: readonly Part[], isRelay: boolean, roleOf: RoleOf): Result<readonly Part[], WeftError> {
    const lacking: Part[] = [];
    let isRefused = false;
    for (const { session, nFrom, nTo, update } of parts) {
      const author = this.#sessions.get(session);
      if (author === undefined) return err(weftError('WF016', 'dependencies: a session is not registered here'));
      if (author.lastN >= nTo) continue;
      lacking.push(part(session, author.clientId, nFrom, nTo, update));
      // The author of relayed edits must still have the right to edit. Dependencies of an own edit are stored whatever
      // rights their authors have now, because the user who appends answers for them (I8).
      isRefused ||= isRelay && !mayEdit(roleOf(author.user));
    }
    return isRefused ? err(weftError('WF005', 'dependencies: its author may no longer edit')) : ok(lacking);
  }

  #add(row: Row, by: UserId | null): Row {
    const added = { ...row, at: Math.max(Math.floor(this.#now()), this.#notBefore) };
    this.#rows = [...this.#rows, added];
    this.#appendedBy.set(row.seq, by);
    this.#times.set(row.seq, added.at);
    return added;
  }

  /** The first row of the session that reaches this edit. It may be part of a compacted one, under another session. */
  #seqOf(session: SessionId, nTo: number): number {
    return this.#rows.find((row) => row.session === session && row.nTo >= nTo)?.seq ?? this.head;
  }

  checkPause(): WeftError | null {
    return this.#now() < this.pausedUntil ? weftError('WF011', '55P03: Someone erases something on this page.') : null;
  }

  #checkSchema(version: number): WeftError | null {
    if (version < 1) return weftError('WF005', 'schema_version is out of range');
    // The database answers the same with SQLSTATE 55000: an app that is newer than the migrations retries until they are
    // applied.
    return version > this.newestSchema
      ? weftError('WF011', `55000: This database knows schema ${this.newestSchema}. Apply the newer migrations.`)
      : null;
  }

  #checkAge(version: number): WeftError | null {
    return version < this.schemaVersion ? weftError('WF004', `the page needs schema ${this.schemaVersion}`) : null;
  }
}

export const answerLimit = (limit: number): number => Math.min(Math.max(limit, 1), MAX_ROWS_PER_ANSWER);

function fits(parts: readonly Part[]): boolean {
  const bytes = parts.reduce((sum, { update }) => sum + update.length, 0);
  if (parts.length > MAX_DEPENDENCIES || bytes > MAX_DEPENDENCIES_BYTES) return false;
  return parts.every(
    ({ nFrom, nTo, update }) => nFrom >= 1 && nTo >= nFrom && update.length >= 1 && update.length <= MAX_UPDATE_BYTES,
  );
}

function sizeOf({ update, dependencies }: Row): number {
  const parts = dependencies.reduce((sum, one) => sum + PART_BYTES + one.update.length, 0);
  return ROW_OVERHEAD_BYTES + update.length + (dependencies.length > 0 ? 2 + parts : 0);
}

const part = (session: SessionId, clientId: number, nFrom: number, nTo: number, update: Bytes): Part => ({
  session,
  clientId,
  nFrom,
  nTo,
  update,
});

// One document of the memory server: its log and the rules of append_update (sync.md, D1). No topics, no roles.
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import { FIRST_CLIENT_ID, SEED_CLIENT_ID, SEED_SESSION, type SessionId, type UserId } from '../../protocol/ids.ts';
import { MAX_ANSWER_BYTES, MAX_ROWS_PER_ANSWER, MAX_UPDATE_BYTES } from '../../protocol/limits.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Part, Row } from '../../protocol/row.ts';
import type { Append } from '../../sync/ports.ts';

export type MemorySession = {
  readonly session: SessionId;
  readonly clientId: number;
  readonly user: UserId;
  readonly lastN: number;
};

export type Appended = { readonly seq: number | null; readonly lastN: number; readonly row: Row | null };

export class MemoryDocument {
  readonly #rows: Row[] = [];
  readonly #sessions = new Map<SessionId, MemorySession>();
  schemaVersion = 1;

  constructor(seed: Bytes | null) {
    if (seed === null) return;
    this.#rows.push({ ...part(SEED_SESSION, SEED_CLIENT_ID, 1, 1, seed), seq: 1, carried: [] });
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get head(): number {
    return this.#rows.length;
  }

  get sessions(): ReadonlyMap<SessionId, MemorySession> {
    return this.#sessions;
  }

  rowsAfter(seq: number, limit = MAX_ROWS_PER_ANSWER): { readonly rows: readonly Row[]; readonly more: boolean } {
    const rows: Row[] = [];
    let bytes = 0;
    for (const row of this.#rows.slice(seq)) {
      bytes += row.update.length + row.carried.reduce((sum, one) => sum + one.update.length, 0);
      if (rows.length >= Math.min(limit, MAX_ROWS_PER_ANSWER) || (rows.length > 0 && bytes > MAX_ANSWER_BYTES)) break;
      rows.push(row);
    }
    return { rows, more: seq + rows.length < this.head };
  }

  start(session: SessionId, clientId: number, user: UserId, schemaVersion: number): Result<MemorySession, WeftError> {
    if (schemaVersion < this.schemaVersion) return err(weftError('WF004', 'older app'));
    const known = this.#sessions.get(session);
    if (known !== undefined) {
      const isSame = known.user === user && known.clientId === clientId;
      return isSame ? ok(known) : err(weftError('WF005', 'session of somebody else'));
    }
    const isTaken = [...this.#sessions.values()].some((other) => other.clientId === clientId);
    if (isTaken || clientId < FIRST_CLIENT_ID) return err(weftError('WF006', `client id ${clientId}`));
    const started: MemorySession = { session, clientId, user, lastN: 0 };
    this.#sessions.set(session, started);
    return ok(started);
  }

  append(append: Append, user: UserId): Result<Appended, WeftError> {
    const session = this.#sessions.get(append.session);
    if (session === undefined || session.user !== user) return err(weftError('WF005', 'session not registered'));
    if (append.schemaVersion < this.schemaVersion) return err(weftError('WF004', 'older app'));
    const { nFrom, nTo, update } = append;
    if (update.length > MAX_UPDATE_BYTES || nFrom < 1 || nTo < nFrom || update.length === 0) {
      return err(weftError('WF005', `update of ${update.length} bytes, ${nFrom} to ${nTo}`));
    }
    const { lastN } = session;
    if (nTo <= lastN) return ok({ seq: this.#seqOf(session.session, nTo), lastN, row: null });
    if (nFrom > lastN + 1) return ok({ seq: null, lastN, row: null });
    const carried: Part[] = [];
    for (const one of append.carried) {
      const author = this.#sessions.get(one.session);
      if (author === undefined) return err(weftError('WF005', 'carried part of an unknown session'));
      // Already in the log under its author's name: the row need not say it again.
      if (author.lastN < one.nTo) carried.push({ ...one, clientId: author.clientId });
    }
    const row: Row = {
      ...part(session.session, session.clientId, nFrom, nTo, update),
      seq: this.head + 1,
      carried,
    };
    this.#rows.push(row);
    this.schemaVersion = append.schemaVersion;
    this.#sessions.set(session.session, { ...session, lastN: nTo });
    return ok({ seq: row.seq, lastN: nTo, row });
  }

  #seqOf(session: SessionId, nTo: number): number | null {
    return this.#rows.find((row) => row.session === session && row.nTo >= nTo)?.seq ?? null;
  }
}

const part = (session: SessionId, clientId: number, nFrom: number, nTo: number, update: Bytes): Part => ({
  session,
  clientId,
  nFrom,
  nTo,
  update,
});

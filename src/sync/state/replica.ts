// Applies rows of the log to a Y.Doc, strictly in seq order. A row that cannot be applied is skipped by every client
// alike: the decision depends only on the rows before it, never on what else this tab shows (I11, D8).
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { beginsAgain, firstSeqOf } from '../protocol/first-seq.ts';
import { SEED_SESSION, type SessionId } from '../protocol/ids.ts';
import type { Part, Row } from '../protocol/row.ts';
import { clientIds, decodeUpdate, type DecodedUpdate, clockEnds, isWithin } from '../updates/decoded-update.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { missingClocks } from '../updates/missing-clocks.ts';
import { REMOTE_ORIGIN } from '../updates/new-doc.ts';
import { addRemoteBytes } from '../updates/remote-bytes.ts';
import { recordRemoteDeletions } from '../updates/remote-deletions.ts';
import { clocksOfState } from '../updates/state-clocks.ts';
import { withoutKnown } from '../updates/without-known.ts';
import { type DecodedPart, dependencyClosure } from './dependency-closure.ts';

/** Measured: one transaction per row is as fast for a few rows; one for all is up to ten times slower. */
const ROWS_PER_TRANSACTION = 100;
const MAX_AHEAD_ROWS = 500;
/** Ranges remembered per session. Forgetting one costs another relay. */
const MAX_DETACHED_RANGES = 64;

export type TakenRows = {
  /** Rows that were next in order: they are stored, damaged ones too. */
  readonly taken: readonly Row[];
  /** The taken rows that every client skips: their sessions cannot go on writing. */
  readonly skipped: readonly Row[];
  /** HI2: some rows do not continue what is here, and were not taken. */
  readonly isOther: boolean;
  /** Nothing was taken, because the rows are of another log than those that are here (HI1, HI9). */
  readonly isRefused: boolean;
};

type ShownLacking = { readonly base: readonly Part[]; readonly lacking: Bytes | null };

/** WA8: called after each row, with the document as of then. False: the rows after it stay out until they come again. */
export type AfterRow = (row: Row, isDamaged: boolean) => boolean;

/**
 * Receives each part of a row just before it counts as part of the log. `isDependency`: another session's append
 * brought it along.
 */
export type OnPart = (part: Part, decoded: DecodedUpdate, isDependency: boolean) => void;

export class Replica {
  readonly #doc: Y.Doc;
  #own: SessionId | null;
  /** How far each client's structs reach in the log: in rows only, not in outboxes or live updates. */
  readonly #durable = new Map<number, number>();
  /** How far each session's edits reach in the log: in its own rows, and as dependencies in others' rows. */
  readonly #logged = new Map<SessionId, number>();
  /** The same for its own rows alone, where the database lets no number be left out. */
  readonly #appended = new Map<SessionId, number>();
  /** Numbers of dependencies whose predecessors are not in the rows that are here. */
  readonly #detachedRanges = new Map<SessionId, readonly (readonly [from: number, to: number])[]>();
  /** Rows that arrived before one that is missing. */
  readonly #ahead = new Map<number, Row>();
  /** How many of these rows stand for several rows; never too few. */
  #compactedAhead = 0;
  #seq = 0;
  #at: number | null = null;
  #snapshotSeq = 0;
  #takenBytes = 0;
  #damaged: readonly number[] = [];
  readonly #skippedSessions = new Set<SessionId>();
  #onPart: OnPart | null;

  constructor(doc: Y.Doc, own: SessionId | null, onPart: OnPart | null = null) {
    this.#doc = doc;
    this.#own = own;
    this.#onPart = onPart;
  }

  /** From now on rows of this session are only marked (I6): their edits are in the document already. */
  markOwnRows(session: SessionId, onPart: OnPart): void {
    this.#own = session;
    this.#onPart = onPart;
  }

  /** Every row up to here is in the document or was skipped as damaged. */
  get seq(): number {
    return this.#seq;
  }

  /** When the row `seq` was written (HI1); null: not known. */
  get at(): number | null {
    return this.#at;
  }

  get damaged(): readonly number[] {
    return this.#damaged;
  }

  /** Up to here a snapshot stands in the place of rows. */
  get snapshotSeq(): number {
    return this.#snapshotSeq;
  }

  /** A row of this session was skipped. */
  hasSkipped(session: SessionId): boolean {
    return this.#skippedSessions.has(session);
  }

  /** Bytes of all rows that were taken; it only grows. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** A row is here whose predecessor is not. */
  get hasGap(): boolean {
    return this.#ahead.size > 0;
  }

  /** The highest n up to which the session's edits are in the rows that are here. */
  loggedN(session: SessionId): number {
    return Math.max(this.#logged.get(session) ?? 0, this.appendedN(session));
  }

  /** The same for the author's own appends alone: the numbers of dependencies may be false. */
  appendedN(session: SessionId): number {
    return this.#appended.get(session) ?? 0;
  }

  /** The rows that are here contain all of these edits. */
  isInLog({ session, nFrom, nTo }: Part): boolean {
    if (nTo <= this.loggedN(session)) return true;
    return this.#detachedRanges.get(session)?.some(([from, to]) => from <= nFrom && to >= nTo) === true;
  }

  readonly clockInLog = (client: number): number => this.#durable.get(client) ?? 0;
  readonly clockShown = (client: number): number => Y.getState(this.#doc.store, client);

  /**
   * The database says how far the session's edits are in the log; a snapshot does not. Every row up to there is here.
   */
  learnLogged(session: SessionId, lastN: number): void {
    this.#raiseAppended(session, lastN);
  }

  /**
   * False, and nothing applied, when the bytes (Yjs V2) are not a state that stands alone. Then the rows have to be
   * fetched.
   */
  applySnapshot(seq: number, state: Bytes, at: number | null = null): boolean {
    if (seq <= this.#seq) return true;
    const clocks = clocksOfState(state);
    if (clocks === null) return false;
    try {
      Y.transact(
        this.#doc,
        (transaction) => {
          addRemoteBytes(transaction, state.length);
          Y.applyUpdateV2(this.#doc, state, REMOTE_ORIGIN);
        },
        REMOTE_ORIGIN,
        false,
      );
    } catch {
      return false;
    }
    for (const [client, clock] of clocks) this.#raise(client, clock);
    this.#seq = seq;
    this.#at = at;
    this.#snapshotSeq = seq;
    return true;
  }

  /** Applies the rows that are next in order. Rows after a gap are kept until it is filled, 500 at most. */
  take(rows: readonly Row[], afterRow: AfterRow | null = null): TakenRows {
    if (rows.some((row) => this.#isOfAnotherLog(row)))
      return { taken: [], skipped: [], isOther: true, isRefused: true };
    let isOther = false;
    for (const row of rows) {
      if (row.seq <= this.#seq) continue;
      this.#ahead.set(row.seq, row);
      if (row.firstSeq !== undefined) this.#compactedAhead += 1;
    }
    const next = this.#inOrder();
    const last = next.at(-1);
    // HI2: what stands beyond it was held until the gap before it was filled.
    if (this.#following(last?.seq ?? this.#seq) !== undefined) {
      isOther = true;
      this.#ahead.clear();
    }
    const taken: Row[] = [];
    const skipped: Row[] = [];
    const rowsPerTransaction = afterRow === null ? ROWS_PER_TRANSACTION : 1;
    for (let at = 0; at < next.length; at += rowsPerTransaction) {
      const some = next.slice(at, at + rowsPerTransaction);
      Y.transact(
        this.#doc,
        () => {
          for (const row of some) {
            if (!this.#apply(row)) {
              this.#skippedSessions.add(row.session);
              skipped.push(row);
            }
            this.#seq = row.seq;
            this.#at = row.at ?? null;
            this.#takenBytes += bytesOf(row);
          }
        },
        REMOTE_ORIGIN,
        false,
      );
      taken.push(...some);
      if (afterRow !== null && !some.every((row) => afterRow(row, skipped.includes(row)))) break;
    }
    if (skipped.length > 0) this.#damaged = [...this.#damaged, ...skipped.map(({ seq }) => seq)];
    this.#forgetOldAhead();
    return { taken, skipped, isOther, isRefused: false };
  }

  /**
   * Shows what this update has and the document lacks, with those of the live updates that it builds on. Null: it cannot be shown.
   * `lacking`: what the log lacks of it, which is complete on top of the log and `base` if the update is; null: nothing.
   */
  showLacking(update: Bytes, liveUpdates: readonly DecodedPart[]): ShownLacking | null {
    const decoded = decodeUpdate(update);
    if (decoded === null) return null;
    const base = dependencyClosure([decoded], liveUpdates, this.clockShown).sources.map(({ part }) => part);
    let isLacking = false;
    const record = () => void (isLacking = true);
    this.#doc.on('update', record);
    const isShown = this.show([update, ...base.map((part) => part.update)], [decoded]);
    this.#doc.off('update', record);
    if (!isShown) return null;
    // Another tab may show it too, without having sent it, and be closed.
    const isInLog = !isLacking && isWithin(decoded, this.clockInLog);
    return { base, lacking: isInLog ? null : withoutKnown(update, decoded, this.clockInLog) };
  }

  /**
   * Shows edits that are not rows yet (a recovered outbox, live updates) if nothing they need is missing. They are
   * applied as one update, because they may need each other (I3). `known`: the updates as decoded; `authors`: their
   * sessions.
   */
  show(updates: readonly Bytes[], known: readonly DecodedUpdate[] = [], authors: readonly SessionId[] = []): boolean {
    const decoded: DecodedUpdate[] = [];
    for (const [at, update] of updates.entries()) {
      const one = known[at] ?? decodeUpdate(update);
      if (one === null) return false;
      decoded.push(one);
    }
    if (missingClocks(decoded, this.clockShown).size > 0) return false;
    return this.#applyTogether(updates, decoded, authors);
  }

  /** HI1: the newest row here has another time. HI9: the history began again, without the rows that are here. */
  #isOfAnotherLog(row: Row): boolean {
    const isOther = row.seq === this.#seq && this.#at !== null && row.at !== undefined && row.at !== this.#at;
    return isOther || (this.#seq > 0 && row.seq > this.#seq && beginsAgain(row));
  }

  #inOrder(): readonly Row[] {
    const next: Row[] = [];
    let [seq, at] = [this.#seq, this.#at];
    for (let row = this.#following(seq); row !== undefined && continues(row, seq, at); row = this.#following(seq)) {
      next.push(row);
      [seq, at] = [row.seq, row.at ?? null];
    }
    return next;
  }

  /** A compacted row follows on every row that it stands for: Yjs leaves out what is here already. */
  #following(seq: number): Row | undefined {
    const next = this.#ahead.get(seq + 1);
    if (next !== undefined || this.#compactedAhead === 0) return next;
    for (const row of this.#ahead.values()) if (firstSeqOf(row) <= seq + 1 && row.seq > seq) return row;
    return undefined;
  }

  #forgetOldAhead(): void {
    for (const seq of this.#ahead.keys()) {
      if (seq <= this.#seq || this.#ahead.size > MAX_AHEAD_ROWS) this.#ahead.delete(seq);
    }
    if (this.#ahead.size === 0) this.#compactedAhead = 0;
  }

  #apply(row: Row): boolean {
    const parts = [...row.dependencies, row];
    const decoded: DecodedUpdate[] = [];
    for (const part of parts) {
      const one = decodeUpdate(part.update);
      if (one === null) return false;
      const registered = part.session === SEED_SESSION || [...clientIds(one)].every((id) => id === part.clientId);
      if (!registered) return false;
      decoded.push(one);
    }
    if (missingClocks(decoded, this.clockInLog).size > 0) return false;
    for (const [at, part] of parts.entries()) {
      const one = decoded[at];
      if (one !== undefined) this.#onPart?.(part, one, part !== row && row.firstSeq === undefined);
    }
    // I6: own rows come back only to be marked. If they were applied, they would be foreign content under the own
    // client id, and Yjs would change that id.
    const applied = row.session === this.#own ? row.dependencies : parts;
    const updates = applied.map(({ update }) => update);
    const authors = applied.map(({ session }) => session);
    // The own part stands last and is left out.
    if (!this.#applyTogether(updates, decoded, authors)) return false;
    for (const one of decoded) {
      for (const [client, end] of clockEnds(one)) this.#raise(client, end);
    }
    for (const part of row.dependencies) {
      // The parts of a compacted row were rows of their authors.
      if (row.firstSeq === undefined) this.#learnDependency(part);
      else this.#raiseAppended(part.session, part.nTo);
    }
    // This accepts a gap: the row before may be in a snapshot, which has no numbers.
    this.#raiseAppended(row.session, row.nTo);
    return true;
  }

  /**
   * Merges the parts instead of applying them one after the other: where two parts need each other struct by struct,
   * Yjs may keep some of both pending although everything is there, because it looks at pending structs once per update
   * (I3, I11).
   */
  #applyTogether(updates: readonly Bytes[], decoded: readonly DecodedUpdate[], authors: readonly SessionId[]): boolean {
    const fresh = updates.flatMap((update, at) => {
      const one = decoded[at];
      return one === undefined || update.length === 0 ? [] : [withoutKnown(update, one, this.clockShown)];
    });
    if (fresh.length === 0) return true;
    try {
      Y.transact(
        this.#doc,
        (transaction) => {
          recordRemoteDeletions(
            transaction,
            updates.flatMap((_, at) => ({ by: authors[at] ?? null, deletes: decoded[at]?.deletes ?? new Map() })),
          );
          const update = mergeUpdates(fresh);
          addRemoteBytes(transaction, update.length);
          Y.applyUpdate(this.#doc, update, REMOTE_ORIGIN);
        },
        REMOTE_ORIGIN,
        false,
      );
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Edits before these may never come: they died with their tab, and these do not build on them. Without a record of
   * the detached range, the client that relayed it would take it for lost, and relay it again and again.
   */
  #learnDependency({ session, nFrom, nTo }: Part): void {
    const reached = this.loggedN(session);
    if (nFrom <= reached + 1) {
      if (nTo > reached) this.#logged.set(session, nTo);
      return;
    }
    const apart = (this.#detachedRanges.get(session) ?? []).filter(([from, to]) => from < nFrom || to > nTo);
    this.#detachedRanges.set(session, [...apart.slice(-MAX_DETACHED_RANGES), [nFrom, nTo]]);
  }

  #raiseAppended(session: SessionId, n: number): void {
    if (n > this.appendedN(session)) this.#appended.set(session, n);
  }

  #raise(client: number, clock: number): void {
    if (clock > this.clockInLog(client)) this.#durable.set(client, clock);
  }
}

/** HI2. A compacted row may stand for rows that are here: then it says nothing about the row before. */
const continues = (row: Row, seq: number, at: number | null): boolean =>
  at === null || row.follows === undefined || firstSeqOf(row) !== seq + 1 || row.follows === at;

/** The weight of a row in a tail: the same sum as `tail_bytes` of the database, without the framing of parts. */
export const bytesOf = ({ update, dependencies }: Row): number =>
  dependencies.reduce((sum, part) => sum + part.update.length, update.length);

// Holds the edits of others that are not in the log yet, from live updates and from tabs of this browser. They are shown
// when complete (L2) and held until rows reach them (L3); own edits that build on them take them along from here. Knows
// no clock and no network.
import { BoundedMap } from '../../lib/lists/bounded-map.ts';
import { SEED_SESSION, type SessionId } from '../protocol/ids.ts';
import { MAX_N } from '../protocol/limits.ts';
import type { Part } from '../protocol/row.ts';
import { contradicts } from '../updates/contradicts.ts';
import { type DecodedUpdate, clientIds, decodeUpdate, isWithin } from '../updates/decoded-update.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { type DecodedPart, dependencyClosure } from './dependency-closure.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import { MAX_BATCH_BYTES } from './outbox.ts';
import type { Replica } from './replica.ts';

export type HeldUpdate = DecodedPart & {
  /**
   * When the first of its edits arrived, ms since 1970. Later live updates of an author without a network repeat that
   * edit.
   */
  readonly since: number;
};

/** Tabs of this browser send their edits one by one; this many parts are merged, as far as one part may grow. */
const MAX_PIECES = 64;
/** Each of these is tried again after every row and every live update. */
const MAX_WAITING = 64;

export class HeldUpdates {
  #replica: Replica;
  /** Shown in the document, oldest first. */
  #shown = new Map<SessionId, readonly HeldUpdate[]>();
  /** The newest of each session that lacks something. */
  readonly #waiting = new BoundedMap<SessionId, HeldUpdate>(MAX_WAITING);
  /** Sessions whose live updates said something else than the log: their edits are shown only as rows from then on. */
  readonly #untrusted = new Set<SessionId>();
  readonly #emit: EmitDocumentEvent;

  constructor(replica: Replica, emit: EmitDocumentEvent) {
    this.#replica = replica;
    this.#emit = emit;
  }

  get shown(): readonly HeldUpdate[] {
    return [...this.#shown.values()].flat();
  }

  get waiting(): readonly HeldUpdate[] {
    return [...this.#waiting.values()];
  }

  get isEmpty(): boolean {
    return this.#shown.size === 0 && this.#waiting.size === 0;
  }

  /** Compares a part of a row with the shown live updates of its session, before it counts as logged. */
  compare({ session, clientId }: Part, decoded: DecodedUpdate): void {
    const from = this.#replica.clockInLog(clientId);
    const isFalse = (held: HeldUpdate) => contradicts(decoded, held.decoded, clientId, from);
    if (this.#shown.get(session)?.some(isFalse) === true) this.#distrust(session);
  }

  /** False: malformed, with structs of a foreign client id, or from a session that is no longer trusted. */
  receive(part: Part, at: number): boolean {
    const held = this.#toHeld(part, at);
    if (held === null || this.#untrusted.has(part.session)) return false;
    if (this.#isHeld(held)) return true;
    const dated = { ...held, since: this.#sinceOf(part, at) };
    if (this.#show([dated])) this.#addShown(dated);
    else this.#wait(dated);
    this.settle();
    return true;
  }

  /** Takes over parts that were shown together with a recovered outbox that builds on them. */
  holdShown(parts: readonly Part[], at: number): void {
    for (const part of parts) {
      const held = this.#toHeld(part, at);
      if (held !== null && !this.#isHeld(held)) this.#addShown(held);
    }
    this.settle();
  }

  /** After new rows or live updates: releases what is in the log and shows what has become complete. */
  settle(): void {
    for (let progress = true; progress;) {
      progress = false;
      this.#prune();
      for (const held of this.#waiting.values()) {
        // Authors who saw each other's live updates may need each other, all of them at once.
        const pool = this.waiting.filter((other) => other !== held);
        const { sources, lacking } = dependencyClosure([held.decoded], pool, this.#replica.clockShown);
        const unit = [held, ...pool.filter((other) => sources.includes(other))];
        if (lacking.size > 0 || !this.#show(unit)) continue;
        for (const shown of unit) {
          this.#waiting.delete(shown.part.session);
          this.#addShown(shown);
        }
        progress = true;
        break;
      }
    }
  }

  /** The database says that the log holds edits of this session up to `lastN`, and every row up to there is here. */
  confirm(session: SessionId, lastN: number): void {
    this.#replica.learnLogged(session, lastN);
    this.settle();
  }

  /** Gives up those that wait. A shown one stays until the document is rebuilt. */
  dropWaiting(isGivenUp: (held: HeldUpdate) => boolean): void {
    for (const [session, held] of this.#waiting) if (isGivenUp(held)) this.#waiting.delete(session);
  }

  /** The document was replaced: the kept ones are shown there, or wait again. */
  moveToReplica(replica: Replica, kept: readonly HeldUpdate[], alreadyShown: readonly HeldUpdate[]): void {
    this.#replica = replica;
    this.#shown = new Map();
    for (const held of alreadyShown) this.#addShown(held);
    for (const held of kept) {
      if (alreadyShown.includes(held)) continue;
      if (this.#show([held])) this.#addShown(held);
      else this.#wait(held);
    }
    this.settle();
  }

  #wait(held: HeldUpdate): void {
    const { session, nFrom, nTo } = held.part;
    const waiting = this.#waiting.get(session);
    if (waiting !== undefined && waiting.part.nFrom <= nFrom && waiting.part.nTo >= nTo) return;
    const isCovered = waiting === undefined || (nFrom <= waiting.part.nFrom && nTo >= waiting.part.nTo);
    if (isCovered) {
      this.#waiting.set(session, held);
    } else {
      // Parts of both ends: one that continues where the other ends does not replace it.
      const pieces = [waiting, held].sort((a, b) => a.part.nFrom - b.part.nFrom);
      if (canMerge(pieces)) this.#waiting.set(session, merged(pieces));
      else if (nTo > waiting.part.nTo) this.#waiting.set(session, held);
    }
  }

  #show(unit: readonly HeldUpdate[]): boolean {
    return this.#replica.show(
      unit.map(({ part }) => part.update),
      unit.map(({ decoded }) => decoded),
      unit.map(({ part }) => part.session),
    );
  }

  #toHeld(part: Part, since: number): HeldUpdate | null {
    const { session, nFrom, nTo } = part;
    // No row could hold these numbers, so no append could bring them along, and edits that build on them could never be
    // saved.
    if (nFrom < 1 || nTo < nFrom || nTo > MAX_N || session === SEED_SESSION) return null;
    const decoded = decodeUpdate(part.update);
    if (decoded === null || part.update.length === 0) return null;
    if ([...clientIds(decoded)].some((client) => client !== part.clientId)) return null;
    return { part, decoded, since };
  }

  /** True if the update holds nothing new: it is in the log, or a shown update covers it. */
  #isHeld(held: HeldUpdate): boolean {
    const { session, nFrom, nTo } = held.part;
    const shown = this.#shown.get(session) ?? [];
    return shown.some(({ part }) => part.nFrom <= nFrom && part.nTo >= nTo) || this.#isLogged(held);
  }

  /**
   * It is in a row of its author, or another row brought it along. In the second case its structs have to be in the log
   * too: a part's numbers may be false, and edits that build on an update released too early could never be saved.
   */
  readonly #isLogged = ({ part, decoded }: HeldUpdate): boolean =>
    part.nTo <= this.#replica.appendedN(part.session) ||
    (this.#replica.isInLog(part) && isWithin(decoded, this.#replica.clockInLog));

  #sinceOf(part: Part, at: number): number {
    const earlier = [...(this.#shown.get(part.session) ?? []), this.#waiting.get(part.session)];
    const covered = earlier.flatMap((held) => (held !== undefined && held.part.nFrom >= part.nFrom ? held.since : []));
    return Math.min(at, ...covered);
  }

  /** Replaces earlier ones that it covers; parts that only overlap stay side by side (L3). */
  #addShown(held: HeldUpdate): void {
    const { session, nFrom, nTo } = held.part;
    const others = (this.#shown.get(session) ?? []).filter(({ part }) => part.nFrom < nFrom || part.nTo > nTo);
    const pieces = [...others, held];
    this.#shown.set(session, pieces.length % MAX_PIECES === 0 ? mergedRuns(pieces) : pieces);
  }

  #prune(): void {
    for (const held of this.shown) {
      if (this.#isLogged(held) && !isWithin(held.decoded, this.#replica.clockInLog)) this.#distrust(held.part.session);
    }
    this.#drop(this.#isLogged);
  }

  /** The session sent the log less than it sent the others, or something else; or its row is damaged. */
  #distrust(session: SessionId): void {
    this.#untrusted.add(session);
    this.#shown.delete(session);
    this.#waiting.delete(session);
    this.#emit({ type: 'logContradicted' });
  }

  #drop(isOver: (held: HeldUpdate) => boolean): void {
    for (const [session, pieces] of this.#shown) {
      const left = pieces.filter((held) => !isOver(held));
      if (left.length === 0) this.#shown.delete(session);
      else if (left.length < pieces.length) this.#shown.set(session, left);
    }
    this.dropWaiting(isOver);
  }
}

/** Together they hold every edit from the first to the last, and fit into one part. */
function canMerge(pieces: readonly HeldUpdate[]): boolean {
  const bytes = pieces.reduce((sum, { part }) => sum + part.update.length, 0);
  return (
    bytes <= MAX_BATCH_BYTES &&
    pieces.every(({ part }, at) => part.nFrom <= (pieces[at - 1]?.part.nTo ?? part.nFrom) + 1)
  );
}

/** Joins adjacent parts, as far as one part may grow. */
function mergedRuns(pieces: readonly HeldUpdate[]): readonly HeldUpdate[] {
  const runs: HeldUpdate[][] = [];
  for (const piece of [...pieces].sort((a, b) => a.part.nFrom - b.part.nFrom)) {
    const run = runs.at(-1);
    if (run !== undefined && canMerge([...run, piece])) run.push(piece);
    else runs.push([piece]);
  }
  return runs.map(merged);
}

function merged(pieces: readonly HeldUpdate[]): HeldUpdate {
  const [first] = pieces;
  if (first === undefined) throw new Error('nothing to merge');
  const update = mergeUpdates(pieces.map(({ part }) => part.update));
  const decoded = decodeUpdate(update);
  if (decoded === null) throw new Error('merged updates do not decode');
  const nFrom = Math.min(...pieces.map(({ part }) => part.nFrom));
  const nTo = Math.max(...pieces.map(({ part }) => part.nTo));
  return { part: { ...first.part, nFrom, nTo, update }, decoded, since: Math.min(...pieces.map(({ since }) => since)) };
}

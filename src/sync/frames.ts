// Edits of others that are not in the log yet, as frames and tabs of this browser brought them. Shown when complete
// (L2), held until the rows reach them (L3): what is built on them is carried from here. No clock, no network.
import { type Bytes } from '../lib/bytes.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { Part } from '../protocol/row.ts';
import { type Source, closure } from './carry.ts';
import { clientsOf, decode } from './missing.ts';
import { mergeUpdates } from './outbox.ts';

export type HeldFrame = Source & {
  /** When the first of its edits was seen, ms since 1970: later frames of an author without a network hold it again. */
  readonly since: number;
};

/** What the frames are held against. */
export interface FramesReplica {
  loggedN(session: SessionId): number;
  show(updates: readonly Bytes[]): boolean;
  clockShown(client: number): number;
}

/** Tabs of this browser send their edits one by one; so many pieces are merged into one. */
const MAX_PIECES = 64;

export class Frames {
  #replica: FramesReplica;
  /** Part of what the document shows. Oldest first. */
  #shown = new Map<SessionId, readonly HeldFrame[]>();
  /** The newest of a session that lacks something. */
  readonly #waiting = new Map<SessionId, HeldFrame>();

  constructor(replica: FramesReplica) {
    this.#replica = replica;
  }

  get shown(): readonly HeldFrame[] {
    return [...this.#shown.values()].flat();
  }

  get waiting(): readonly HeldFrame[] {
    return [...this.#waiting.values()];
  }

  get isEmpty(): boolean {
    return this.#shown.size === 0 && this.#waiting.size === 0;
  }

  /** False: malformed, or with structs of a client id that is not its session's. */
  receive(part: Part, at: number): boolean {
    const held = this.#hold(part, at);
    if (held === null) return false;
    if (this.#isHeld(part)) return true;
    const dated = { ...held, since: this.#sinceOf(part, at) };
    if (this.#replica.show([part.update])) this.#keep(dated);
    else this.#wait(dated);
    this.settle();
    return true;
  }

  /** Parts that were shown together with an adopted outbox that builds on them. */
  adopt(parts: readonly Part[], at: number): void {
    for (const part of parts) {
      const held = this.#hold(part, at);
      if (held !== null && !this.#isHeld(part)) this.#keep(held);
    }
    this.settle();
  }

  /** After new rows or frames: what the log holds is let go, what has become complete is shown. */
  settle(): void {
    for (let progress = true; progress;) {
      progress = false;
      this.#prune();
      for (const held of this.#waiting.values()) {
        // Authors who saw each other's frames may need each other, all of them at once.
        const pool = this.waiting.filter((other) => other !== held);
        const { sources, lacking } = closure([held.decoded], pool, (client) => this.#replica.clockShown(client));
        const unit = [held, ...pool.filter((other) => sources.includes(other))];
        if (lacking.size > 0 || !this.#replica.show(unit.map(({ part }) => part.update))) continue;
        for (const shown of unit) {
          this.#waiting.delete(shown.part.session);
          this.#keep(shown);
        }
        progress = true;
        break;
      }
    }
  }

  /** The log holds them although no row said so: a snapshot did. */
  confirm(session: SessionId, lastN: number): void {
    this.#drop((held) => held.part.session === session && held.part.nTo <= lastN);
  }

  /** Gives up those that wait; what is shown stays until the document is rebuilt. */
  dropWaiting(isGivenUp: (held: HeldFrame) => boolean): void {
    for (const [session, held] of this.#waiting) if (isGivenUp(held)) this.#waiting.delete(session);
  }

  /** The document is another one from now on: those kept are shown there, or wait again. */
  moveTo(replica: FramesReplica, kept: readonly HeldFrame[], alreadyShown: readonly HeldFrame[]): void {
    this.#replica = replica;
    this.#shown = new Map();
    for (const held of alreadyShown) this.#keep(held);
    for (const held of kept) {
      if (alreadyShown.includes(held)) continue;
      if (replica.show([held.part.update])) this.#keep(held);
      else this.#wait(held);
    }
    this.settle();
  }

  #wait(held: HeldFrame): void {
    const { session, nFrom, nTo } = held.part;
    const waiting = this.#waiting.get(session);
    if (waiting === undefined) this.#waiting.set(session, held);
    else if (waiting.part.nTo >= nTo) return;
    // A piece that goes on where the waiting one ends does not replace it.
    else if (nFrom > waiting.part.nFrom && nFrom <= waiting.part.nTo + 1)
      this.#waiting.set(session, merged([waiting, held]));
    else this.#waiting.set(session, held);
  }

  #hold(part: Part, since: number): HeldFrame | null {
    const decoded = decode(part.update);
    if (decoded === null || part.update.length === 0) return null;
    if ([...clientsOf(decoded)].some((client) => client !== part.clientId)) return null;
    return { part, decoded, since };
  }

  /** Nothing of it is new: it is in the log, or one that is shown covers it. */
  #isHeld({ session, nFrom, nTo }: Part): boolean {
    const shown = this.#shown.get(session) ?? [];
    const isCovered = shown.some(({ part }) => part.nFrom <= nFrom && part.nTo >= nTo);
    return isCovered || nTo <= this.#replica.loggedN(session);
  }

  #sinceOf(part: Part, at: number): number {
    const earlier = [...(this.#shown.get(part.session) ?? []), this.#waiting.get(part.session)];
    const covered = earlier.flatMap((held) => (held !== undefined && held.part.nFrom >= part.nFrom ? held.since : []));
    return Math.min(at, ...covered);
  }

  /** A frame that covers earlier ones takes their place; pieces stay side by side (L3). */
  #keep(held: HeldFrame): void {
    const { session, nFrom, nTo } = held.part;
    const others = (this.#shown.get(session) ?? []).filter(({ part }) => part.nFrom < nFrom || part.nTo > nTo);
    const pieces = [...others, held];
    this.#shown.set(session, pieces.length > MAX_PIECES ? [merged(pieces)] : pieces);
  }

  #prune(): void {
    this.#drop(({ part }) => part.nTo <= this.#replica.loggedN(part.session));
  }

  #drop(isOver: (held: HeldFrame) => boolean): void {
    for (const [session, pieces] of this.#shown) {
      const left = pieces.filter((held) => !isOver(held));
      if (left.length === 0) this.#shown.delete(session);
      else if (left.length < pieces.length) this.#shown.set(session, left);
    }
    this.dropWaiting(isOver);
  }
}

function merged(pieces: readonly HeldFrame[]): HeldFrame {
  const [first] = pieces;
  if (first === undefined) throw new Error('nothing to merge');
  const update = mergeUpdates(pieces.map(({ part }) => part.update));
  const decoded = decode(update);
  if (decoded === null) throw new Error('merged updates do not decode');
  const nFrom = Math.min(...pieces.map(({ part }) => part.nFrom));
  const nTo = Math.max(...pieces.map(({ part }) => part.nTo));
  return { part: { ...first.part, nFrom, nTo, update }, decoded, since: Math.min(...pieces.map(({ since }) => since)) };
}

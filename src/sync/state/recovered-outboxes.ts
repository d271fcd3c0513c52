// Outboxes that tabs left behind on this device. They are recovered when their lock is free (D6) and shown when
// complete.
import type { Cancel } from '../../lib/cancel.ts';
import { weftError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Part } from '../../protocol/row.ts';
import { type DecodedPart, dependencyClosure } from './dependencies.ts';
import type { DocumentStore } from './document-store.ts';
import { decodeUpdate } from '../updates/missing.ts';
import { Outbox } from './outbox.ts';
import type { Locks, OutboxEntry, StoredDocument, StoredOutbox } from '../ports.ts';
import type { Replica } from './replica.ts';

export type Recovery = {
  /** Rows and outboxes as one transaction read them, after the locks were taken. */
  readonly stored: StoredDocument | null;
  readonly outboxes: RecoveredOutboxes;
};

export async function recoverOutboxes(store: DocumentStore, locks: Locks): Promise<Recovery> {
  const stored = await store.load();
  const locked = new Map<SessionId, Cancel>();
  const held: SessionId[] = [];
  for (const outbox of stored?.outboxes ?? []) {
    if (outbox.refused !== null || outbox.entries.length === 0) continue;
    const release = await takeLock(locks, outbox.session);
    if (release === null) held.push(outbox.session);
    else locked.set(outbox.session, release);
  }
  if (locked.size === 0) return { stored, outboxes: new RecoveredOutboxes([], stored?.outboxes ?? [], locked, held) };
  // Their tabs may have written or acknowledged something between this read and the locks.
  const again = await store.load();
  const outboxes = again?.outboxes ?? [];
  const mine = outboxes.filter(
    (outbox) => locked.has(outbox.session) && outbox.refused === null && outbox.entries.length > 0,
  );
  for (const [session, release] of locked) {
    if (mine.some((outbox) => outbox.session === session)) continue;
    release();
    locked.delete(session);
  }
  return { stored: again, outboxes: new RecoveredOutboxes(mine, outboxes, locked, held) };
}

export async function takeLock(locks: Locks, session: SessionId): Promise<Cancel | null> {
  try {
    return await locks.take(session);
  } catch {
    return null;
  }
}

export class RecoveredOutboxes {
  /** Not shown yet, because rows they build on are not here. */
  #waiting: readonly Outbox[];
  #shown: readonly Outbox[] = [];
  #refused: readonly Outbox[];
  /** Their lock is taken: the tab lives, or died so recently that the browser has not noticed. */
  #locked: readonly SessionId[];
  readonly #locks: Map<SessionId, Cancel>;
  #read: readonly StoredOutbox[];
  /** Counts reads of the store and requests, in their order. */
  #moments = 0;
  #readAt = 0;
  #isReleased = false;

  constructor(
    mine: readonly StoredOutbox[],
    all: readonly StoredOutbox[],
    locks: Map<SessionId, Cancel>,
    held: readonly SessionId[],
  ) {
    this.#waiting = mine.map(toOutbox);
    this.#refused = all.flatMap((stored) => {
      if (stored.refused === null) return [];
      const outbox = toOutbox(stored);
      outbox.refuse(weftError(stored.refused));
      return outbox.isEmpty ? [] : [outbox];
    });
    this.#locks = locks;
    this.#locked = held;
    this.#read = all;
  }

  /** Shown in the document, and sent before own edits. */
  get shown(): readonly Outbox[] {
    return this.#shown;
  }

  get all(): readonly Outbox[] {
    return [...this.#refused, ...this.#waiting, ...this.#shown];
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get hasRefused(): boolean {
    return this.#refused.length > 0;
  }

  /** A mark of this moment (see `refuseWaiting`). */
  requestStamp(): number {
    return ++this.#moments;
  }

  /** Outboxes that other tabs had not sent when the store was last read; the own one is among them. */
  get ofOtherTabs(): readonly Outbox[] {
    const mine = new Set(this.all.map(({ session }) => session));
    const waits = ({ session, refused, entries }: StoredOutbox) =>
      refused === null && entries.length > 0 && !mine.has(session);
    return this.#read.filter(waits).map(toOutbox);
  }

  get hasLocked(): boolean {
    return this.#locked.length > 0;
  }

  /**
   * Shows outboxes that have become complete, together with the live updates they were stored with and waiting ones.
   * Returns the live updates that are shown now (I4). Tabs that saw each other's edits may need each other, all of them
   * at once.
   */
  show(replica: Replica, waitingFrames: readonly DecodedPart[]): readonly Part[] {
    const liveUpdates: Part[] = [];
    for (let shown = this.#showSome(replica, waitingFrames); shown !== null;) {
      const { outboxes, others } = shown;
      this.#waiting = this.#waiting.filter((outbox) => !outboxes.includes(outbox));
      this.#shown = [...this.#shown, ...outboxes];
      liveUpdates.push(...outboxes.flatMap((outbox) => outbox.buildsOn), ...others);
      shown = this.#showSome(replica, waitingFrames);
    }
    return liveUpdates;
  }

  #showSome(replica: Replica, waitingFrames: readonly DecodedPart[]): Shown | null {
    const pieces = this.#waiting.map((outbox) => ({ outbox, sources: piecesOf(outbox) }));
    for (const { outbox, sources } of pieces) {
      const pool = [...waitingFrames, ...pieces.flatMap((other) => (other.outbox === outbox ? [] : other.sources))];
      const needed = dependencyClosure(
        sources.map(({ decoded }) => decoded),
        pool,
        replica.clockShown,
      );
      const unit = [...sources, ...needed.sources];
      if (needed.lacking.size > 0 || !replica.show(unit.map(({ part }) => part.update))) continue;
      const sessions = new Set(unit.map(({ part }) => part.session));
      const outboxes = pieces.flatMap((other) =>
        other.sources.every((one) => unit.includes(one)) ? other.outbox : [],
      );
      for (const shown of outboxes) sessions.delete(shown.session);
      const others = needed.sources.flatMap(({ part }) => (sessions.has(part.session) ? part : []));
      return { outboxes, others };
    }
    return null;
  }

  /**
   * Every row that existed at the moment of the stamp is here, and an outbox still lacks something: it can never be
   * applied, only kept as a file. Outboxes read from the store since then may build on newer rows.
   */
  refuseWaiting(store: DocumentStore, requestStamp: number): void {
    const lost = this.#readAt < requestStamp ? this.#waiting : [];
    for (const outbox of lost) {
      outbox.refuse(weftError('WF005', 'builds on edits that are not in the log'));
      store.refuse(outbox.session, 'WF005');
    }
    this.#refused = [...this.#refused, ...lost];
    this.#waiting = this.#waiting.filter((outbox) => !lost.includes(outbox));
  }

  /** From now on the outbox is kept as a file and not shown. Null: it is not one of these. */
  refuse(outbox: Outbox): { readonly wasShown: boolean } | null {
    const wasShown = this.#shown.includes(outbox);
    if (!wasShown && !this.#waiting.includes(outbox)) return null;
    this.#shown = this.#shown.filter((other) => other !== outbox);
    this.#waiting = this.#waiting.filter((other) => other !== outbox);
    this.#refused = [...this.#refused, outbox];
    return { wasShown };
  }

  /**
   * Releases outboxes that were sent. A tab that was only frozen may have written more meanwhile, and may be gone by
   * now: that is recovered too. True: there is more to show and send.
   */
  async releaseEmpty(store: DocumentStore): Promise<boolean> {
    const empty = this.#shown.filter((outbox) => outbox.isEmpty);
    if (empty.length === 0) return false;
    this.#shown = this.#shown.filter((outbox) => !outbox.isEmpty);
    return this.#takeOver(
      empty.map(({ session }) => session),
      store,
    );
  }

  /** Recovers outboxes whose lock has become free. True: there is more to show and send. */
  async recoverFreed(store: DocumentStore, locks: Locks): Promise<boolean> {
    const freed: SessionId[] = [];
    for (const session of this.#locked) {
      const release = await takeLock(locks, session);
      if (release === null) continue;
      freed.push(session);
      this.#locks.set(session, release);
    }
    // The page was closed meanwhile.
    if (this.#isReleased) this.release();
    if (freed.length === 0 || this.#isReleased) return false;
    this.#locked = this.#locked.filter((session) => !freed.includes(session));
    return this.#takeOver(freed, store);
  }

  /** Takes what the store holds of these sessions, whose locks we hold. A lock that guards nothing is released. */
  async #takeOver(sessions: readonly SessionId[], store: DocumentStore): Promise<boolean> {
    const stored = await store.load();
    this.#readAt = ++this.#moments;
    this.#read = stored?.outboxes ?? [];
    let isMore = false;
    for (const session of sessions) {
      const more = stored?.outboxes.find((outbox) => outbox.session === session && outbox.refused === null);
      if (more !== undefined && more.entries.length > 0 && this.#locks.has(session)) {
        this.#waiting = [...this.#waiting, toOutbox(more)];
        isMore = true;
      } else {
        this.#locks.get(session)?.();
        this.#locks.delete(session);
      }
    }
    return isMore;
  }

  release(): void {
    this.#isReleased = true;
    for (const release of this.#locks.values()) release();
    this.#locks.clear();
  }
}

/** Outboxes that are shown from now on, and the other parts that had to be shown with them. */
type Shown = { readonly outboxes: readonly Outbox[]; readonly others: readonly Part[] };

/** The edits of an outbox, and the live updates that its entries were stored with. */
function piecesOf(outbox: Outbox): readonly DecodedPart[] {
  const own = outbox.part(Number.POSITIVE_INFINITY);
  return [...outbox.buildsOn, ...(own === null ? [] : [own])].flatMap((part) => {
    const decoded = decodeUpdate(part.update);
    return decoded === null ? [] : [{ part, decoded }];
  });
}

function toOutbox(stored: StoredOutbox): Outbox {
  return new Outbox({ session: stored.session, clientId: stored.clientId }, withoutHoles(stored.entries));
}

/** A write may have failed while a later one succeeded: entries after such a hole cannot be sent. */
function withoutHoles(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  const sorted = [...entries].sort((a, b) => a.n - b.n);
  const first = sorted[0]?.n ?? 0;
  return sorted.filter((entry, at) => entry.n === first + at);
}

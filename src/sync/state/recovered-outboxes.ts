// Outboxes that tabs left behind on this device. They are recovered when their lock is free (D6) and shown when
// complete. Sends nothing.
import type { Cancel } from '../../lib/cancel.ts';
import type { Locks, OutboxEntry, StoredDocument, StoredOutbox } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { Part } from '../protocol/row.ts';
import { decodeUpdate } from '../updates/decoded-update.ts';
import { type DecodedPart, dependencyClosure } from './dependency-closure.ts';
import type { DocumentStore } from './document-store.ts';
import { Outbox } from './outbox.ts';
import type { Replica } from './replica.ts';

/** An outbox that builds on rows which the log lacks is refused after this time. */
const REFUSE_AFTER_MS = 45_000;

/** Null if another tab has it, or the browser cannot tell. */
export async function takeLock(locks: Locks, session: SessionId): Promise<Cancel | null> {
  try {
    return await locks.take(session);
  } catch {
    return null;
  }
}

export class RecoveredOutboxes {
  readonly #store: DocumentStore;
  /** Outboxes that are not shown yet: something that they build on is not here, or they are to be put back. */
  #waiting: readonly Outbox[] = [];
  #shown: readonly Outbox[] = [];
  #hidden: readonly Outbox[] = [];
  #refused: readonly Outbox[] = [];
  /** Sessions whose lock is taken: the tab lives, or died so recently that the browser has not noticed. */
  #locked: readonly SessionId[] = [];
  /** The locks that this tab has taken, as the functions that release them. */
  readonly #locks = new Map<SessionId, Cancel>();
  /** All outboxes on the device, as last read. */
  #read: readonly StoredOutbox[] = [];
  /** Counts reads of the store and requests, in their order. */
  #moments = 0;
  #readAt = 0;
  #isReleased = false;
  readonly #lackingSince = new WeakMap<Outbox, number>();

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /** Once, when the page is opened. Returns rows and outboxes as one transaction read them after taking the locks. */
  async recover(locks: Locks): Promise<StoredDocument | null> {
    const stored = await this.#store.load();
    const unsent = (stored?.outboxes ?? []).filter(isUnsent).map(({ session }) => session);
    const freed = await this.#takeLocks(unsent, locks);
    // Their tabs may have written or acknowledged something between this read and the locks.
    const after = freed.length === 0 ? stored : await this.#store.load();
    this.#takeOver(freed, after);
    this.#refused = this.#read.flatMap((outbox) => toRefused(outbox) ?? []);
    return after ?? stored;
  }

  /** Shown in the document, and sent before own edits. */
  get shown(): readonly Outbox[] {
    return this.#shown;
  }

  get all(): readonly Outbox[] {
    return [...this.#refused, ...this.#waiting, ...this.#hidden, ...this.#shown];
  }

  /** A mark of this moment (see `refuseWaiting`). */
  requestStamp(): number {
    return ++this.#moments;
  }

  /** Outboxes that other tabs had not sent when the store was last read; the own one is among them. */
  get ofOtherTabs(): readonly Outbox[] {
    const mine = new Set(this.all.map(({ session }) => session));
    const others = this.#read.filter((outbox) => isUnsent(outbox) && !mine.has(outbox.session)).map(toOutbox);
    // Its tab puts it back, or dies and leaves it to be recovered.
    return others.filter(({ isPutBack }) => !isPutBack);
  }

  /** HI4: outboxes to be put back that are not shown yet. */
  get toPutBack(): readonly Outbox[] {
    return this.#waiting.filter(({ isPutBack }) => isPutBack);
  }

  /** HI4: live updates that outboxes are stored with. What is to be put back may build on them, and the outboxes on that. */
  get storedUnderPutBack(): readonly DecodedPart[] {
    return this.toPutBack.length === 0 ? [] : decodedParts(this.#waiting.flatMap(({ buildsOn }) => buildsOn));
  }

  /** HI4: these have been shown. */
  putBackShown(outboxes: readonly Outbox[]): void {
    this.#waiting = this.#waiting.filter((outbox) => !outboxes.includes(outbox));
    this.#addPutBack(outboxes);
  }

  /**
   * HI4: someone else put something back. These are shown again, as far as the log lacks them, when the document has
   * been rebuilt.
   */
  hide(outboxes: readonly Outbox[]): void {
    this.#shown = this.#shown.filter((outbox) => !outboxes.includes(outbox));
    this.#hidden = [...this.#hidden, ...outboxes];
  }

  /** Still in the document, although it is going to be rebuilt without them: edits that are shown may build on them. */
  get hidden(): readonly Outbox[] {
    return this.#hidden;
  }

  /** An outbox is to be put back from now on. */
  replace(outbox: Outbox, other: Outbox): void {
    this.#shown = this.#shown.filter((one) => one !== outbox);
    this.#addPutBack([other]);
  }

  /** They are sent after earlier ones, on which they may build, and before all others, which may build on them. */
  #addPutBack(outboxes: readonly Outbox[]): void {
    const first = this.#shown.findIndex(({ isPutBack }) => !isPutBack);
    this.#shown = this.#shown.toSpliced(first < 0 ? this.#shown.length : first, 0, ...outboxes);
  }

  unhide(): void {
    this.#waiting = [...this.#waiting, ...this.#hidden];
    this.#hidden = [];
  }

  /** HI3: these are part of what was set aside, although the store may still have them. */
  forget(sessions: readonly SessionId[]): void {
    this.#waiting = this.#waiting.filter(({ session }) => !sessions.includes(session));
    this.#read = this.#read.filter(({ session }) => !sessions.includes(session));
  }

  /** An outbox that this tab has made to be put back. `release`: of its lock, if the tab holds one. */
  add(outbox: Outbox, release: Cancel | null): void {
    this.#waiting = [...this.#waiting.filter(({ session }) => session !== outbox.session), outbox];
    if (release !== null) this.#locks.set(outbox.session, release);
  }

  get hasLocked(): boolean {
    return this.#locked.length > 0;
  }

  /**
   * Shows outboxes that have become complete, together with the live updates they were stored with and waiting ones.
   * Returns the live updates that are shown now (I4). Tabs that saw each other's edits may need each other, all of them
   * at once.
   */
  show(replica: Replica, waitingUpdates: readonly DecodedPart[]): readonly Part[] {
    const liveUpdates: Part[] = [];
    for (let shown = this.#showSome(replica, waitingUpdates); shown !== null;) {
      const { outboxes, others } = shown;
      this.#waiting = this.#waiting.filter((outbox) => !outboxes.includes(outbox));
      this.#shown = [...this.#shown, ...outboxes];
      liveUpdates.push(...outboxes.flatMap((outbox) => outbox.buildsOn), ...others);
      shown = this.#showSome(replica, waitingUpdates);
    }
    return liveUpdates;
  }

  #showSome(replica: Replica, waitingUpdates: readonly DecodedPart[]): Shown | null {
    const waiting = this.#waiting.filter(({ isPutBack }) => !isPutBack);
    const pieces = waiting.map((outbox) => ({ outbox, sources: piecesOf(outbox) }));
    for (const { outbox, sources } of pieces) {
      const pool = [...waitingUpdates, ...pieces.flatMap((other) => (other.outbox === outbox ? [] : other.sources))];
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
   * Every row that existed at the moment of the stamp is here. An outbox that lacks something all the same, and still
   * does 45 s later, is only kept as a file. Outboxes read from the store since the stamp may build on newer rows.
   */
  refuseWaiting(requestStamp: number, now: number): void {
    const lacking = this.#readAt < requestStamp ? this.#waiting : [];
    for (const outbox of lacking) if (!this.#lackingSince.has(outbox)) this.#lackingSince.set(outbox, now);
    // HI4: a device that has what it builds on may be about to put that back.
    const lost = lacking.filter((outbox) => (this.#lackingSince.get(outbox) ?? now) <= now - REFUSE_AFTER_MS);
    for (const outbox of lost) this.refuse(outbox, weftError('WF005', 'builds on edits that are not in the log'));
  }

  /**
   * From now on the outbox is kept as a file and not shown, also if it was released as sent. True: the document has its edits.
   */
  refuse(outbox: Outbox, error: WeftError): boolean {
    const wasShown = !this.#waiting.includes(outbox);
    this.#shown = this.#shown.filter((other) => other !== outbox);
    this.#waiting = this.#waiting.filter((other) => other !== outbox);
    this.#refused = [...this.#refused, outbox];
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    return wasShown;
  }

  /**
   * Releases outboxes that were sent. A tab that was only frozen may have written more meanwhile, and may be gone by
   * now: that is recovered too. True: there is more to show and send.
   */
  async releaseEmpty(): Promise<boolean> {
    const empty = this.#shown.filter((outbox) => outbox.isEmpty).map(({ session }) => session);
    if (empty.length === 0) return false;
    this.#shown = this.#shown.filter((outbox) => !outbox.isEmpty);
    return this.#takeOver(empty, await this.#store.load());
  }

  /** Recovers outboxes whose lock has become free. True: there is more to show and send. */
  async recoverFreed(locks: Locks): Promise<boolean> {
    const freed = await this.#takeLocks(this.#locked, locks);
    // The page was closed meanwhile.
    if (this.#isReleased) this.release();
    if (freed.length === 0 || this.#isReleased) return false;
    return this.#takeOver(freed, await this.#store.load());
  }

  /** Returns the sessions whose lock was free; the others are tried again later. */
  async #takeLocks(sessions: readonly SessionId[], locks: Locks): Promise<readonly SessionId[]> {
    const freed: SessionId[] = [];
    for (const session of sessions) {
      const release = await takeLock(locks, session);
      if (release === null) continue;
      freed.push(session);
      this.#locks.set(session, release);
    }
    this.#locked = sessions.filter((session) => !freed.includes(session));
    return freed;
  }

  /** Takes what the store holds of these sessions, whose locks we hold. A lock that guards nothing is released. */
  #takeOver(sessions: readonly SessionId[], stored: StoredDocument | null): boolean {
    this.#readAt = ++this.#moments;
    this.#read = stored?.outboxes ?? [];
    let isMore = false;
    for (const session of sessions) {
      const more = this.#read.find((outbox) => outbox.session === session && isUnsent(outbox));
      if (more !== undefined && this.#locks.has(session)) {
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
  return decodedParts([...outbox.buildsOn, ...(own === null ? [] : [own])]);
}

const decodedParts = (parts: readonly Part[]): readonly DecodedPart[] =>
  parts.flatMap((part) => {
    const decoded = decodeUpdate(part.update);
    return decoded === null ? [] : [{ part, decoded }];
  });

const isUnsent = ({ refused, entries }: StoredOutbox): boolean => refused === null && entries.length > 0;

function toRefused(stored: StoredOutbox): Outbox | null {
  if (stored.refused === null) return null;
  const outbox = toOutbox(stored);
  outbox.refuse(weftError(stored.refused));
  return outbox.isEmpty ? null : outbox;
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

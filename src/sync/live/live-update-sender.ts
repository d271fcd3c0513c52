// What this tab tells the others on the live topic (L1): its edits without an acknowledgement, its caret, and the newest
// row it knows. As often as the document's budget allows, never when alone.
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type LiveUpdate, encodeLiveUpdate } from '../../protocol/live-update.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Batch } from '../state/outbox.ts';
import type { Clock, Peer } from '../ports.ts';

/** At most 20 live updates per second with text, 10 that only move a caret … */
export const TEXT_INTERVAL_MS = 50;
export const CARET_INTERVAL_MS = 100;
/** … and with many people fewer: deliveries per second and document, shared by all who write. */
export const LIVE_BUDGET = 100;
/** Slower than this, live updates would only delay what the rows bring: they carry no text then. */
const TEXT_INTERVAL_MAX_MS = 1_000;
const WRITES_FOR_MS = 5_000;
/** After an acknowledgement without any later live update: tells the others which row is the newest (L4). */
export const HEAD_AFTER_MS = 200;
/** Who appended this recently sends a live update when somebody joins (L5). */
const APPENDED_LATELY_MS = 5_000;
/** Halved when the server says "too many"; doubled again after each minute of quiet. */
const RECOVERY_MS = 60_000;
const MIN_SHARE = 1 / 64;
const EMPTY: Bytes = new Uint8Array(0);

export interface LiveUpdateSenderHost {
  isJoined(): boolean;
  headSeq(): number;
  send(bytes: Bytes): void;
  /** Own edits without an acknowledgement, or null when there are none, or none that fit into a live update. */
  unacknowledged(): Batch | null;
  /** The own caret, packed. */
  caret(): Bytes;
}

export class LiveUpdateSender {
  readonly #host: LiveUpdateSenderHost;
  readonly #clock: Clock;
  readonly #session: SessionId;
  readonly #budget: number;
  readonly #random: () => number;
  /** Of the pause after what was sent last: a crowd that began at once must not speak at once for ever. */
  #jitterFactor = 1;
  #others: readonly SessionId[] = [];
  readonly #wroteAt = new Map<SessionId, number>();
  #sentCaret: Bytes = Uint8Array.of(0);
  #sentAt = Number.NEGATIVE_INFINITY;
  #sentN = 0;
  #ackedAt = Number.NEGATIVE_INFINITY;
  #share = 1;
  #slowedAt = 0;
  #isQueued = false;
  #timer: Cancel | null = null;
  #headTimer: Cancel | null = null;
  #isStopped = false;

  /** `budget`: deliveries per second and document. */
  constructor(host: LiveUpdateSenderHost, clock: Clock, session: SessionId, budget = LIVE_BUDGET, random = () => 0.5) {
    this.#host = host;
    this.#clock = clock;
    this.#session = session;
    this.#budget = budget;
    this.#random = random;
  }

  /** Own edits up to this number went out in live updates to everybody who is on the topic now. */
  get sentN(): number {
    return this.#others.length > 0 ? this.#sentN : 0;
  }

  /** The presence list of the topic, or nobody when the topic is left. */
  setPeers(peers: readonly Peer[]): void {
    const before = this.#others;
    this.#others = peers.map((peer) => peer.session).filter((session) => session !== this.#session);
    for (const session of this.#wroteAt.keys()) if (!this.#others.includes(session)) this.#wroteAt.delete(session);
    if (this.#others.every((session) => before.includes(session))) return;
    // L5. Who came has seen none of the live updates so far.
    this.#sentN = 0;
    const appendedLately = this.#clock.now() - this.#ackedAt < APPENDED_LATELY_MS;
    if (appendedLately || this.#host.caret().length > 1) this.#sentCaret = EMPTY;
    this.#pump();
  }

  /** Somebody else wrote or moved, told by a live update or a row: the budget is shared with them. */
  peerWrote(session: SessionId): void {
    // Session ids cost nothing: who is not in the presence list gets no share.
    if (this.#others.includes(session)) this.#wroteAt.set(session, this.#clock.now());
  }

  /**
   * There is an edit, or the caret moved. The live update goes out when this task has ended: an editor moves the caret just
   * after the edit, and both belong into one live update.
   */
  changed(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    void Promise.resolve().then(() => {
      this.#isQueued = false;
      this.#pump();
    });
  }

  acknowledged(): void {
    if (this.#isStopped) return;
    this.#ackedAt = this.#clock.now();
    this.#headTimer?.();
    this.#headLater(HEAD_AFTER_MS);
  }

  /** Within the budget too: twenty who write are acknowledged a hundred times a second. */
  #headLater(ms: number): void {
    this.#headTimer = this.#clock.after(ms, () => {
      this.#headTimer = null;
      if (!this.#canSend()) return;
      const wait = this.#sentAt + this.#pause() - this.#clock.now();
      if (wait > 0) this.#headLater(wait);
      else this.#send(null, EMPTY);
    });
  }

  /** So many write that live updates would come too rarely to carry text. */
  get isCrowded(): boolean {
    return this.#others.length > 0 && this.#interval() > TEXT_INTERVAL_MAX_MS;
  }

  /**
   * Rows that the database publishes are deliveries too. In a crowd, whose words no live update carries, one of them takes the
   * turn of a live update; the others are fetched by who sees a gap before it, or by the head that is told.
   */
  takePublishTurn(): boolean {
    if (!this.isCrowded) return true;
    if (this.#clock.now() < this.#sentAt + this.#pause()) return false;
    this.#takeTurn();
    return true;
  }

  /** The server said "too many messages". */
  slowDown(): void {
    this.#share = Math.max(MIN_SHARE, this.#currentShare() / 2);
    this.#slowedAt = this.#clock.now();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#headTimer?.();
    this.#timer = null;
    this.#headTimer = null;
  }

  #pump(): void {
    if (this.#timer !== null || !this.#canSend()) return;
    const interval = this.#interval();
    const batch = interval <= TEXT_INTERVAL_MAX_MS ? this.#host.unacknowledged() : null;
    const isNew = batch !== null && batch.nTo > this.#sentN;
    const caret = this.#host.caret();
    if (!isNew && equalBytes(caret, this.#sentCaret)) return;
    const due = this.#sentAt + Math.max(this.#pause(), isNew ? TEXT_INTERVAL_MS : CARET_INTERVAL_MS);
    const wait = due - this.#clock.now();
    if (wait <= 0) {
      this.#send(batch, caret);
      return;
    }
    this.#timer = this.#clock.after(wait, () => {
      this.#timer = null;
      this.#pump();
    });
  }

  #send(batch: Batch | null, caret: Bytes): void {
    this.#takeTurn();
    this.#headTimer?.();
    this.#headTimer = null;
    if (caret.length > 0) this.#sentCaret = caret;
    if (batch !== null) this.#sentN = Math.max(this.#sentN, batch.nTo);
    const { nFrom, nTo, update } = batch ?? { nFrom: 0, nTo: 0, update: EMPTY };
    const liveUpdate: LiveUpdate = { session: this.#session, nFrom, nTo, head: this.#host.headSeq(), update, caret };
    this.#host.send(encodeLiveUpdate(liveUpdate));
  }

  /** None when alone, and none into a channel that is not joined. */
  #canSend(): boolean {
    return !this.#isStopped && this.#host.isJoined() && this.#others.length > 0;
  }

  #takeTurn(): void {
    this.#sentAt = this.#clock.now();
    this.#jitterFactor = 0.5 + this.#random();
  }

  /** In a crowd about an interval, on average just that. */
  #pause(): number {
    const interval = this.#interval();
    return interval > TEXT_INTERVAL_MAX_MS ? this.#jitterFactor * interval : interval;
  }

  #interval(): number {
    const now = this.#clock.now();
    const writers = 1 + [...this.#wroteAt.values()].filter((at) => now - at < WRITES_FOR_MS).length;
    return (1000 * this.#others.length * writers) / (this.#budget * this.#currentShare());
  }

  #currentShare(): number {
    const minutes = Math.floor((this.#clock.now() - this.#slowedAt) / RECOVERY_MS);
    return Math.min(1, this.#share * 2 ** Math.min(minutes, 10));
  }
}

// Sends the live updates of this tab (L1): its unacknowledged edits, its caret, and the newest row it knows, as often as
// the document's budget allows (LR1) and never when alone.
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type LiveUpdate, encodeLiveUpdate } from '../../protocol/live-update.ts';
import type { Row } from '../../protocol/row.ts';
import type { Audience } from '../log/log-sender.ts';
import type { SessionContext } from '../session-context.ts';
import type { Batch, Outbox } from '../state/outbox.ts';
import { Backlog } from './backlog.ts';
import type { Carets } from './carets.ts';
import type { LiveTopic } from './live-topic.ts';

/** At most 20 live updates per second with text, 10 that only move a caret; fewer with many people (`LIVE_BUDGET`). */
export const TEXT_INTERVAL_MS = 50;
export const CARET_INTERVAL_MS = 100;
/** Deliveries per second and document, shared by everybody who writes. */
export const LIVE_BUDGET = 100;
/** With longer intervals live updates would arrive after the rows, so they hold no text then. */
const TEXT_INTERVAL_MAX_MS = 1_000;
/** Whoever wrote this recently shares the budget. */
const WRITES_FOR_MS = 5_000;
/** After an acknowledgement without a later live update: names the newest row to the others (L4). */
export const HEAD_AFTER_MS = 200;
/** A tab that appended this recently sends a live update when somebody joins (L5). */
const APPENDED_LATELY_MS = 5_000;
/** The share is halved when the server reports too many messages, and doubled after each minute without. */
const RECOVERY_MS = 60_000;
const MIN_SHARE = 1 / 64;
const EMPTY: Bytes = new Uint8Array(0);

export class LiveUpdateSender implements Audience {
  readonly #context: SessionContext;
  readonly #topic: Pick<LiveTopic, 'send'>;
  readonly #carets: Pick<Carets, 'own'>;
  readonly #backlog = new Backlog();
  /** Makes the pause longer or shorter: tabs that began at the same moment must not send in step for ever. */
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

  constructor(context: SessionContext, topic: Pick<LiveTopic, 'send'>, carets: Pick<Carets, 'own'>) {
    this.#context = context;
    this.#topic = topic;
    this.#carets = carets;
  }

  /** Own edits up to this number have reached everybody who is on the topic now. */
  get sentN(): number {
    return this.#others.length > 0 ? this.#sentN : 0;
  }

  /** So many people write that live updates come too rarely to hold text. */
  get isCrowded(): boolean {
    return this.#context.hasLiveUpdates && this.#isOverBudget;
  }

  /** Nobody when every edit of the append went out in live updates, or when the budget is used up. */
  audienceOf(outbox: Outbox, nTo: number): number | null {
    const { hasLiveUpdates, presence, state } = this.#context;
    const isSent = outbox === state.pending.own && nTo > 0 && nTo <= this.sentN;
    if (isSent || (hasLiveUpdates && !this.#takePublishTurn())) return 0;
    return presence.others;
  }

  /** Presence has changed. */
  peersChanged(): void {
    const { ports, presence, sessionId } = this.#context;
    const before = this.#others;
    this.#others = presence.peers.map((peer) => peer.session).filter((session) => session !== sessionId);
    for (const session of this.#wroteAt.keys()) if (!this.#others.includes(session)) this.#wroteAt.delete(session);
    if (this.#others.every((session) => before.includes(session))) return;
    // L5: whoever came has seen none of the live updates so far.
    this.#sentN = 0;
    const appendedLately = ports.clock.now() - this.#ackedAt < APPENDED_LATELY_MS;
    if (appendedLately || this.#carets.own.length > 1) this.#sentCaret = EMPTY;
    this.#pump();
  }

  /** Somebody else wrote or moved their caret, as a live update or a row shows: the budget is shared with them. */
  peerWrote(session: SessionId): void {
    // Session ids cost nothing: a session that presence does not list gets no share.
    if (this.#others.includes(session)) this.#wroteAt.set(session, this.#context.ports.clock.now());
  }

  /** Their authors share the budget. */
  rowsArrived(rows: readonly Row[]): void {
    for (const row of rows) this.peerWrote(row.session);
  }

  /**
   * There is an edit, or the caret moved. The live update goes out when this task has ended: an editor moves the caret
   * just after the edit, and both belong into one live update.
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
    this.#ackedAt = this.#context.ports.clock.now();
    this.#headTimer?.();
    this.#headLater(HEAD_AFTER_MS);
  }

  /** The server reported too many messages. */
  slowDown(): void {
    this.#share = Math.max(MIN_SHARE, this.#currentShare() / 2);
    this.#slowedAt = this.#context.ports.clock.now();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#headTimer?.();
    this.#timer = null;
    this.#headTimer = null;
  }

  /** Within the budget too: with twenty writers there are a hundred acknowledgements a second. */
  #headLater(ms: number): void {
    const { clock } = this.#context.ports;
    this.#headTimer = clock.after(ms, () => {
      this.#headTimer = null;
      if (!this.#canSend()) return;
      const wait = this.#sentAt + this.#pause() - clock.now();
      if (wait > 0) this.#headLater(wait);
      else this.#send(null, EMPTY);
    });
  }

  get #isOverBudget(): boolean {
    return this.#others.length > 0 && this.#interval() > TEXT_INTERVAL_MAX_MS;
  }

  /**
   * A row that the database publishes is a delivery too. In a crowd, where live updates hold no text, such a row takes
   * the turn of a live update; the other rows are fetched because of the gap before it, or because of a reported head.
   */
  #takePublishTurn(): boolean {
    if (!this.#isOverBudget) return true;
    if (this.#context.ports.clock.now() < this.#sentAt + this.#pause()) return false;
    this.#takeTurn();
    return true;
  }

  #pump(): void {
    if (this.#timer !== null || !this.#canSend()) return;
    const { clock } = this.#context.ports;
    const batch = this.#interval() <= TEXT_INTERVAL_MAX_MS ? this.#unacknowledged() : null;
    const isNew = batch !== null && batch.nTo > this.#sentN;
    const caret = this.#carets.own;
    if (!isNew && equalBytes(caret, this.#sentCaret)) return;
    const due = this.#sentAt + Math.max(this.#pause(), isNew ? TEXT_INTERVAL_MS : CARET_INTERVAL_MS);
    const wait = due - clock.now();
    if (wait <= 0) {
      this.#send(batch, caret);
      return;
    }
    this.#timer = clock.after(wait, () => {
      this.#timer = null;
      this.#pump();
    });
  }

  /** Null when there are none, or more than a live update holds. */
  #unacknowledged(): Batch | null {
    const { hasLiveUpdates, schemaVersion, state } = this.#context;
    const { own } = state.pending;
    // L1: others do not show live updates of a session that the database does not know.
    if (!hasLiveUpdates || own.isEmpty || own.refused !== null || !own.isRegistered) return null;
    // SY2: older apps stay on the topic until the page's schema is raised and everybody has moved to the next topic.
    if (state.log.schemaVersion < schemaVersion) return null;
    return this.#backlog.of(own);
  }

  #send(batch: Batch | null, caret: Bytes): void {
    this.#takeTurn();
    this.#headTimer?.();
    this.#headTimer = null;
    if (caret.length > 0) this.#sentCaret = caret;
    if (batch !== null) this.#sentN = Math.max(this.#sentN, batch.nTo);
    const { sessionId: session, state } = this.#context;
    const { nFrom, nTo, update } = batch ?? { nFrom: 0, nTo: 0, update: EMPTY };
    const liveUpdate: LiveUpdate = { session, nFrom, nTo, head: state.log.seq, update, caret };
    this.#topic.send(encodeLiveUpdate(liveUpdate));
  }

  /** Not when alone, and not into a channel that is not joined. */
  #canSend(): boolean {
    return !this.#isStopped && this.#context.presence.isOnLive && this.#others.length > 0;
  }

  #takeTurn(): void {
    this.#sentAt = this.#context.ports.clock.now();
    this.#jitterFactor = 0.5 + this.#context.ports.random.next();
  }

  /** In a crowd about an interval; on average exactly one. */
  #pause(): number {
    const interval = this.#interval();
    return interval > TEXT_INTERVAL_MAX_MS ? this.#jitterFactor * interval : interval;
  }

  /** Each writer's share of the budget, as the time between two live updates. */
  #interval(): number {
    const now = this.#context.ports.clock.now();
    const writers = 1 + [...this.#wroteAt.values()].filter((at) => now - at < WRITES_FOR_MS).length;
    return (1000 * this.#others.length * writers) / (this.#context.liveBudget * this.#currentShare());
  }

  #currentShare(): number {
    const minutes = Math.floor((this.#context.ports.clock.now() - this.#slowedAt) / RECOVERY_MS);
    return Math.min(1, this.#share * 2 ** Math.min(minutes, 10));
  }
}

// Sends the live updates of this tab (L1): its unacknowledged edits, its caret, and the number of the newest row it knows, as
// often as the document's budget allows (LR1) and never when alone.
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Audience } from '../log/log-sender.ts';
import type { SessionId } from '../protocol/ids.ts';
import { type LiveUpdate, encodeLiveUpdate } from '../protocol/live-update.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';
import type { Batch, Outbox } from '../state/outbox.ts';
import { Backlog } from './backlog.ts';
import type { Carets } from './carets.ts';
import { LivePace } from './live-pace.ts';
import type { LiveTopic } from './live-topic.ts';
import type { SessionAnnouncer } from './session-announcer.ts';

/** At most 20 live updates per second with text, 10 that only move a caret; fewer with many people (`LivePace`). */
export const TEXT_INTERVAL_MS = 50;
export const CARET_INTERVAL_MS = 100;
/** After an acknowledgement without a later live update: names the newest row to the others (L4). */
export const HEAD_AFTER_MS = 200;
/** A tab that appended this recently sends a live update when someone joins (L5). */
const APPENDED_LATELY_MS = 5_000;
/** The author receives the row that the database publishes too. If it does not come in this time, it was dropped. */
export const ROW_ECHO_MS = 3_000;
/** A session that could not be registered for its caret tries again for a later one after this time, or for its first edit. */
const REGISTER_AGAIN_MS = 5_000;
const EMPTY: Bytes = new Uint8Array(0);

export type SendingDiagnostics = {
  /** Why live updates of this tab would hold no text now. Null if they would. */
  readonly withoutText:
    | 'off'
    | 'refused'
    | 'not joined'
    | 'alone'
    | 'not registered'
    | 'older schema'
    | 'crowded'
    | null;
  /** The time between two messages of this tab. */
  readonly intervalMs: number;
  /** 1, and less for a while after the server reported too many messages. */
  readonly share: number;
  readonly slowdowns: number;
};

export class LiveUpdateSender implements Audience {
  readonly #context: SessionContext;
  readonly #topic: Pick<LiveTopic, 'send'>;
  readonly #carets: Pick<Carets, 'own'>;
  readonly #backlog = new Backlog();
  readonly #pace: LivePace;
  #sentCaret: Bytes = Uint8Array.of(0);
  #sentN = 0;
  #ackedAt = Number.NEGATIVE_INFINITY;
  /** The database was asked to publish the row of the append in flight. */
  #isRowAsked = false;
  /** The newest row that the topic has named. */
  #publishedSeq = 0;
  #rowEcho: Cancel | null = null;
  #registerNotBefore = Number.NEGATIVE_INFINITY;
  #isQueued = false;
  #timer: Cancel | null = null;
  #headTimer: Cancel | null = null;
  /** LR4: rows went out unpublished while no live update could name them. */
  #isHeadDue = false;
  #isStopped = false;

  constructor(
    context: SessionContext,
    topic: Pick<LiveTopic, 'send'>,
    carets: Pick<Carets, 'own'>,
    announcer: Pick<SessionAnnouncer, 'busyPages' | 'sending'>,
  ) {
    this.#context = context;
    this.#topic = topic;
    this.#carets = carets;
    this.#pace = new LivePace(context, announcer);
  }

  /** Own edits up to this number went out to everyone who is on the topic now. */
  get sentN(): number {
    return this.#pace.hasOthers ? this.#sentN : 0;
  }

  /** So many people write that live updates come too rarely to hold text. */
  get isCrowded(): boolean {
    return this.#context.hasLiveUpdates && this.#pace.isCrowded;
  }

  /** L8: how often to fetch what others write. Null: not at all. */
  get fetchEveryMs(): number | null {
    return this.#context.hasLiveUpdates ? this.#pace.fetchEveryMs : null;
  }

  /** 0 if every edit of the append went out in live updates, or if the budget is used up: then the row is not published. */
  audienceOf(outbox: Outbox, nTo: number): number | null {
    const isOwn = outbox === this.#context.state.pending.own && nTo > 0;
    if (isOwn && nTo > this.#sentN) this.#sendBeforeAppend();
    const isSent = isOwn && nTo <= this.sentN;
    const isPublished = !isSent && this.#takePublishTurn();
    // A relay (no numbers) is not followed by an acknowledgement.
    if (nTo > 0) this.#isRowAsked = isPublished && this.#pace.hasOthers;
    return isPublished ? this.#context.presence.others : 0;
  }

  /** Helps to find the cause when live updates of this tab do not go out. */
  get diagnostics(): SendingDiagnostics {
    return {
      withoutText: this.#whyWithoutText(),
      intervalMs: this.#pace.intervalMs,
      share: this.#pace.share,
      slowdowns: this.#pace.slowdowns,
    };
  }

  /** Presence has changed. */
  peersChanged(): void {
    const { ports, presence, sessionId } = this.#context;
    const others = presence.peers.map((peer) => peer.session).filter((session) => session !== sessionId);
    const hasSomeoneJoined = this.#pace.peersChanged(others, presence.others !== null);
    if (!presence.isOnLive) this.#stopEcho();
    if (this.#isHeadDue && this.#canSend()) {
      this.#isHeadDue = false;
      this.#headLater(HEAD_AFTER_MS);
    }
    if (!hasSomeoneJoined) return;
    // L5: the newcomer has seen none of the live updates so far.
    this.#sentN = 0;
    const appendedLately = ports.clock.now() - this.#ackedAt < APPENDED_LATELY_MS;
    if (appendedLately || this.#carets.own.length > 1) this.#sentCaret = EMPTY;
    this.#pump();
  }

  /** Someone else wrote or moved their caret, as a live update or a row shows: the budget is shared with them. */
  peerWrote(session: SessionId, isNews = true): void {
    this.#pace.peerWrote(session, isNews);
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

  /** An append was answered; its row is `seq`, null when the log holds nothing new. */
  acknowledged(seq: number | null): void {
    if (this.#isStopped) return;
    this.#ackedAt = this.#context.ports.clock.now();
    this.#headTimer?.();
    this.#headLater(HEAD_AFTER_MS);
    if (this.#isRowAsked && seq !== null) this.#expectRow(seq);
    this.#isRowAsked = false;
  }

  /** The database published rows, or a head, on the topic. */
  published(head: number): void {
    this.#publishedSeq = Math.max(this.#publishedSeq, head);
  }

  /** PR6: when a new place may be published. `calledAt` is when the last one was sent, `watching` how many people watch. */
  presentDueAt(calledAt: number, watching: number): number {
    return this.#pace.presentDueAt(calledAt, watching);
  }

  /** The database publishes a place. */
  presented(): void {
    this.#pace.takeTurn();
  }

  /** The database says how many watch. */
  watched(watching: number): void {
    this.#pace.watched(watching);
  }

  /** LR2: others see this tab's edits later than usual, because the server has reported too many messages lately. */
  get isSlowed(): boolean {
    return this.#context.hasLiveUpdates && this.#pace.hasOthers && this.#pace.share < 1;
  }

  /** The server reported too many messages. */
  slowDown(): void {
    this.#pace.slowDown();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#headTimer?.();
    this.#timer = null;
    this.#headTimer = null;
    this.#stopEcho();
  }

  /** LR2: the server drops a row without a word when there are too many messages. */
  #expectRow(seq: number): void {
    if (this.#rowEcho !== null || this.#publishedSeq >= seq || !this.#context.presence.isOnLive) return;
    this.#rowEcho = this.#context.ports.clock.after(ROW_ECHO_MS, () => {
      this.#rowEcho = null;
      // Once is enough: in a crowd rows are all that shows text, and with fewer of them no one would be helped.
      if (this.#publishedSeq < seq && this.#pace.share === 1) this.#pace.slowDown();
    });
  }

  #stopEcho(): void {
    this.#rowEcho?.();
    this.#rowEcho = null;
  }

  /** Within the budget too: with twenty writers there are a hundred acknowledgements a second. */
  #headLater(ms: number): void {
    const { clock } = this.#context.ports;
    this.#headTimer = clock.after(ms, () => {
      this.#headTimer = null;
      if (!this.#canSend()) {
        this.#isHeadDue = this.isCrowded;
        return;
      }
      const wait = this.#pace.answerDueAt() - clock.now();
      if (wait > 0) this.#headLater(wait);
      else this.#send(null, EMPTY);
    });
  }

  /**
   * The newest edits may still wait for the next live update. Acknowledged, they would be in none, and the database
   * would publish the whole row for their sake.
   */
  #sendBeforeAppend(): void {
    if (!this.#canSend() || this.#context.ports.clock.now() < this.#pace.dueAt()) return;
    const batch = this.#unacknowledged();
    if (batch !== null) this.#send(batch, this.#carets.own);
  }

  /**
   * A row that the database publishes is a message too: it takes the turn of a live update. In a crowd it is published
   * only when there is one; the other rows are fetched, because of the gap before the next one or a reported head. That holds
   * too while this session does not see the crowd (LR4): all who lost the topic together append at once.
   */
  #takePublishTurn(): boolean {
    if (this.isCrowded && this.#context.ports.clock.now() < this.#pace.dueAt()) return false;
    if (this.#pace.hasOthers || this.isCrowded) this.#pace.takeTurn();
    return true;
  }

  #pump(): void {
    if (!this.#canSend()) return;
    // Text does not wait for the answer to a newcomer (L5).
    this.#timer?.();
    this.#timer = null;
    const { clock } = this.#context.ports;
    const batch = this.#pace.isCrowded ? null : this.#unacknowledged();
    const isNew = batch !== null && batch.nTo > this.#sentN;
    const caret = this.#shownCaret();
    if (!isNew && equalBytes(caret, this.#sentCaret)) return;
    const dueAt = isNew ? this.#pace.dueAt(TEXT_INTERVAL_MS) : this.#pace.answerDueAt(CARET_INTERVAL_MS);
    const wait = dueAt - clock.now();
    if (wait <= 0) {
      this.#send(batch, caret);
      return;
    }
    this.#timer = clock.after(wait, () => {
      this.#timer = null;
      this.#pump();
    });
  }

  /** CA5: no one shows carets of a session that the database does not know, so the first caret registers it. */
  #shownCaret(): Bytes {
    const { emit, rights, schemaVersion, state } = this.#context;
    const caret = this.#carets.own;
    const { own } = state.pending;
    if (own.isRegistered || caret.length <= 1 || !mayEdit(rights.role)) return caret;
    const now = this.#context.ports.clock.now();
    // SY2: registering would raise the page's schema, which only an edit should.
    const isAllowed = own.refused === null && state.log.schemaVersion >= schemaVersion;
    if (isAllowed && now >= this.#registerNotBefore) {
      this.#registerNotBefore = now + REGISTER_AGAIN_MS;
      emit({ type: 'caretUnregistered' });
    }
    return this.#sentCaret;
  }

  /** Null when there are none, or more than a live update holds. */
  #unacknowledged(): Batch | null {
    const { pending } = this.#context.state;
    return this.#whyWithoutText() === null && !pending.own.isEmpty ? this.#backlog.of(pending.own) : null;
  }

  #whyWithoutText(): SendingDiagnostics['withoutText'] {
    const { hasLiveUpdates, presence, schemaVersion, state } = this.#context;
    const { own } = state.pending;
    if (!hasLiveUpdates) return 'off';
    if (own.refused !== null) return 'refused';
    if (!presence.isOnLive) return 'not joined';
    if (!this.#pace.hasOthers) return 'alone';
    // L1: others do not show live updates of a session that the database does not know.
    if (!own.isRegistered) return 'not registered';
    // SY2: older apps stay on the topic until the page's schema is raised and everyone has moved to the next topic.
    if (state.log.schemaVersion < schemaVersion) return 'older schema';
    return this.#pace.isCrowded ? 'crowded' : null;
  }

  #send(batch: Batch | null, caret: Bytes): void {
    this.#pace.takeTurn();
    this.#headTimer?.();
    this.#headTimer = null;
    this.#isHeadDue = false;
    if (caret.length > 0) this.#sentCaret = caret;
    if (batch !== null) this.#sentN = Math.max(this.#sentN, batch.nTo);
    const { sessionId: session, state } = this.#context;
    const { nFrom, nTo, update } = batch ?? { nFrom: 0, nTo: 0, update: EMPTY };
    const liveUpdate: LiveUpdate = { session, nFrom, nTo, head: state.log.seq, update, caret };
    this.#topic.send(encodeLiveUpdate(liveUpdate));
  }

  /** False while no one else is here, and while the channel is not joined. */
  #canSend(): boolean {
    return !this.#isStopped && this.#context.presence.isOnLive && this.#pace.hasOthers;
  }
}

// Says how often this tab may send on the live topic (LR1, LR2, LR4). The messages of a project are limited, all pages
// together, and each counts once when it is sent and once for everyone who receives it; rows that the database
// publishes count too. Everyone who writes on the page has the same part. Sends nothing.
import type { SessionId } from '../protocol/ids.ts';
import type { SessionContext } from '../session-context.ts';
import { placeInterval, writersBudget, writersInterval } from './message-cost.ts';
import type { SessionAnnouncer } from './session-announcer.ts';

/** The default of `liveBudget`, in messages per second: half of what Supabase's free plan allows a project. */
export const LIVE_BUDGET = 50;
/** Everyone who wrote this recently has a part of the budget. */
const WRITES_FOR_MS = 5_000;
/** `share` is halved when the server reports too many messages, and doubled after each minute without a report. */
const RECOVERY_MS = 60_000;
const MIN_SHARE = 1 / 64;
/** The longest wait before an append (D2). With longer intervals rows come first, so live updates hold no text then. */
const TEXT_INTERVAL_MAX_MS = 250;
/** Realtime averages over this time at least. */
const BURST_SECONDS = 5;
/** A crowd answers newcomers within this time, or one by one. */
const ANSWER_TOGETHER_MS = 1_000;

/** L8: above this interval the others' text comes too late. */
const SLOW_MS = 1_000;
/** How often a session then fetches, at most. */
const FETCH_EVERY_MS = 800;
/** Many sessions fetch less often: about 50 calls a second for a page. */
const FETCH_PER_PERSON_MS = 25;

type PaceContext = Pick<SessionContext, 'liveBudget'> & {
  readonly ports: Pick<SessionContext['ports'], 'clock' | 'random'>;
};

export class LivePace {
  readonly #context: PaceContext;
  readonly #announcer: Pick<SessionAnnouncer, 'busyPages' | 'sending'>;
  /** Makes the pause longer or shorter: tabs that began at the same moment must not send in step for ever. */
  #jitterFactor = 1;
  #others: readonly SessionId[] = [];
  /** LR4: the crowd that this session saw last, while it is not listed. Null if it saw no one. */
  #lost: { readonly others: number; readonly writers: number } | null = null;
  #watching = 0;
  readonly #wroteAt = new Map<SessionId, number>();
  /** When others last wrote something, and did not only move a caret. */
  #newsAt = Number.NEGATIVE_INFINITY;
  #turnAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #share = 1;
  #slowedAt = 0;
  /** How often the server has reported too many messages. */
  slowdowns = 0;

  constructor(context: PaceContext, announcer: Pick<SessionAnnouncer, 'busyPages' | 'sending'>) {
    this.#context = context;
    this.#announcer = announcer;
  }

  get hasOthers(): boolean {
    return this.#others.length > 0;
  }

  /** So many people write that live updates come too rarely to hold text. */
  get isCrowded(): boolean {
    return (this.hasOthers || this.#lost !== null) && this.intervalMs > TEXT_INTERVAL_MAX_MS;
  }

  /** The time between two messages of this tab. */
  get intervalMs(): number {
    const budget = writersBudget(this.#budget, this.#watching);
    const seen = writersInterval(budget, this.#writers, this.#others.length);
    return this.#lost === null ? seen : Math.max(seen, writersInterval(budget, this.#lost.writers, this.#lost.others));
  }

  /** L8: how often to fetch what others write. Null while their messages come often enough, or no one else writes. */
  get fetchEveryMs(): number | null {
    const hasNews = this.#context.ports.clock.now() - this.#newsAt < WRITES_FOR_MS;
    if (!hasNews || this.intervalMs <= SLOW_MS) return null;
    return Math.max(FETCH_EVERY_MS, FETCH_PER_PERSON_MS * this.#others.length);
  }

  /** 1, and less for a while after the server reported too many messages. */
  get share(): number {
    const minutes = Math.floor((this.#context.ports.clock.now() - this.#slowedAt) / RECOVERY_MS);
    return Math.min(1, this.#share * 2 ** Math.min(minutes, 10));
  }

  /**
   * When this tab may send again, ms since 1970; not sooner than `ms` after its last turn. After a rest, in a large crowd,
   * asking starts a wait (`#beginAfterRest`).
   */
  dueAt(ms = 0): number {
    this.#beginAfterRest();
    // L5: the crowd's answers to a newcomer take half of the messages meanwhile.
    const pause = this.#pause() * (this.#isAnswering ? 2 : 1);
    return this.#turnAt + Math.max(pause, ms);
  }

  /** When something without text may go: in a crowd that answers a newcomer, at this tab's random moment (L5). */
  answerDueAt(ms = 0): number {
    return Math.max(this.dueAt(ms), this.#notBefore);
  }

  /**
   * PR6: when a presenter may next send the place they are at. It goes to everyone on the page and to everyone who watches it.
   * `calledAt` is when the last one was sent.
   */
  presentDueAt(calledAt: number, watching: number): number {
    return Math.max(calledAt + placeInterval(this.#budget, this.#others.length, watching), this.answerDueAt());
  }

  /** Something is sent, or a row is published for this tab. */
  takeTurn(): void {
    const { clock, random } = this.#context.ports;
    this.#turnAt = clock.now();
    this.#announcer.sending();
    this.#jitterFactor = 0.5 + random.next();
  }

  /**
   * Takes the other sessions on the live topic, and returns whether one has joined. While this session is not listed there,
   * others may be there that it does not see.
   */
  peersChanged(others: readonly SessionId[], isListed: boolean): boolean {
    if (isListed) this.#lost = null;
    else if (this.hasOthers) this.#lost ??= { others: this.#others.length, writers: this.#writers };
    const hasSomeoneJoined = others.some((session) => !this.#others.includes(session));
    this.#others = others;
    for (const session of this.#wroteAt.keys()) if (!others.includes(session)) this.#wroteAt.delete(session);
    if (hasSomeoneJoined) this.#answerLater();
    return hasSomeoneJoined;
  }

  /**
   * LR3: this many people receive the page's rows on a watch topic. Readers on the live topic are in this number and among the
   * others too: counting them twice costs little, because they are few.
   */
  watched(watching: number): void {
    this.#watching = watching;
  }

  peerWrote(session: SessionId, isNews: boolean): void {
    // Session ids cost nothing: a session that presence does not list gets no part.
    if (!this.#others.includes(session)) return;
    this.#wroteAt.set(session, this.#context.ports.clock.now());
    if (isNews) this.#newsAt = this.#context.ports.clock.now();
  }

  /** The server reported too many messages, or has dropped one. */
  slowDown(): void {
    this.slowdowns += 1;
    this.#share = Math.max(MIN_SHARE, this.share / 2);
    this.#slowedAt = this.#context.ports.clock.now();
  }

  /** L5: everyone answers a newcomer. In a crowd they do so one by one, within the time that the budget asks for. */
  #answerLater(): void {
    const { clock, random } = this.#context.ports;
    const { length } = this.#others;
    const ms = (1_000 * length * (length + 1)) / this.#budget;
    if (ms > ANSWER_TOGETHER_MS) this.#notBefore = Math.max(this.#notBefore, clock.now() + ms * random.next());
  }

  /**
   * In a large crowd no one begins at once: if all did, before they know of each other, that alone would use up what the page
   * may cause in seconds, and the server would close channels. The wait grows while messages of other writers arrive.
   */
  #beginAfterRest(): void {
    const { clock, random } = this.#context.ports;
    const ifAllBegin = (Math.max(this.#others.length, this.#lost?.others ?? 0) + 1) ** 2;
    if (ifAllBegin <= this.#budget * BURST_SECONDS || clock.now() - this.#turnAt <= this.#longestPause) return;
    this.#turnAt = clock.now();
    this.#jitterFactor = random.next();
  }

  /** After a longer time without a message this tab has rested. */
  get #longestPause(): number {
    return (this.#isAnswering ? 4 : 2) * this.intervalMs;
  }

  /** L5: the crowd answers a newcomer, and this tab's random moment has not come yet. */
  get #isAnswering(): boolean {
    return this.#context.ports.clock.now() < this.#notBefore;
  }

  /** How many write now, this session included. */
  get #writers(): number {
    const now = this.#context.ports.clock.now();
    return 1 + [...this.#wroteAt.values()].filter((at) => now - at < WRITES_FOR_MS).length;
  }

  /** Messages per second that this page may cause now. */
  get #budget(): number {
    return this.#context.liveBudget(this.#announcer.busyPages) * this.share;
  }

  /** In a crowd a random time around the interval, after a rest at most the interval. */
  #pause(): number {
    const interval = this.intervalMs;
    return interval > TEXT_INTERVAL_MAX_MS ? this.#jitterFactor * interval : interval;
  }
}

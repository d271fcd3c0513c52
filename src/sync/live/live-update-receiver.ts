// Decides what happens to live updates of others: shown at once when complete (L2), fetched as rows when they stay
// unconfirmed (L4), relayed into the log when their author is gone (D7), and dropped when the author may no longer write
// (L6), or when this tab can't relay and no one else has (D7). Applies none itself: `HeldUpdates` holds them.
import type { Cancel } from '../../lib/cancel.ts';
import type { LogFetcher } from '../log/log-fetcher.ts';
import type { LogSender } from '../log/log-sender.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { LiveUpdate } from '../protocol/live-update.ts';
import type { SessionInfo } from '../protocol/log-answers.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { Part } from '../protocol/row.ts';
import { type SessionContext, mayAppend } from '../session-context.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import type { TabSync } from './tab-sync.ts';

/** The tab asks for the missing rows of a live update after this time. */
export const INCOMPLETE_FETCH_MS = 500;
/** Everyone who shows a live update asks for its row; the jitter spreads the calls. */
export const UNCONFIRMED_FETCH_MS = 2_000;
const UNCONFIRMED_JITTER_MS = 1_000;
/** An author whose edit is not in the log after this time seems to be gone: another tab, at random, relays it. */
export const RELAY_MS = 5_000;
export const RELAY_JITTER_MS = 3_000;
/** After this time a tab that may not append hides a live update: it may never be saved. Every tab drops incomplete ones then. */
export const DROP_MS = 15_000;
const MAX_UNKNOWN_SESSIONS = 64;
/** Anyone can invent sessions: each failed lookup delays the next one, twice as long each time, up to the maximum. */
const LOOKUP_RETRY_MS = 500;
export const UNKNOWN_RETRY_MAX_MS = 8_000;

type UnknownSession = { readonly liveUpdate: LiveUpdate; readonly at: number };

export class LiveUpdateReceiver {
  readonly #context: SessionContext;
  readonly #fetcher: Pick<LogFetcher, 'catchUp'>;
  readonly #sender: Pick<LogSender, 'relay'>;
  readonly #tabs: Pick<TabSync, 'ask'>;
  /** The newest live update of each session whose client id is not known yet. */
  readonly #unknownSessions = new Map<SessionId, UnknownSession>();
  /** When rows were last asked for because of this session. */
  readonly #askedAt = new Map<SessionId, number>();
  /** How much later than `RELAY_MS` this tab relays for a session. */
  readonly #jitter = new Map<SessionId, number>();
  #fetchJitter: number;
  #isLookingUp = false;
  /** Sessions that the database did not know when it was asked. */
  readonly #unregistered = new Set<SessionId>();
  #failedLookups = 0;
  #lookupNotBefore = Number.NEGATIVE_INFINITY;
  /** When rows were last asked for, because of any live update. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #isRelaying = false;
  #isRightsCheckDue = false;
  #rightsChecks = 0;
  /** Calls and topic work since then: a wait begins here at the earliest. */
  #liveSince = 0;
  /** The time of the last attempt to relay or drop, by session. */
  readonly #triedAt = new Map<SessionId, number>();
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #isStopped = false;

  constructor(
    context: SessionContext,
    fetcher: Pick<LogFetcher, 'catchUp'>,
    sender: Pick<LogSender, 'relay'>,
    tabs: Pick<TabSync, 'ask'>,
  ) {
    this.#context = context;
    this.#fetcher = fetcher;
    this.#sender = sender;
    this.#tabs = tabs;
    this.#fetchJitter = UNCONFIRMED_JITTER_MS * context.ports.random.next();
  }

  /** Sessions whose live updates wait until the database has named their client ids. */
  get unknownSessions(): number {
    return this.#unknownSessions.size;
  }

  /** Shows what can be shown. Call `schedule` when everything that arrived together has been received. */
  receive(liveUpdate: LiveUpdate): void {
    if (liveUpdate.update.length === 0 || this.#isStopped) return;
    const clientId = this.#known.clientIdOf(liveUpdate.session);
    if (clientId !== null) {
      this.receivePart({ ...liveUpdate, clientId });
      return;
    }
    const before = this.#unknownSessions.get(liveUpdate.session);
    if (before !== undefined && before.liveUpdate.nTo >= liveUpdate.nTo) return;
    if (before === undefined && this.#unknownSessions.size >= MAX_UNKNOWN_SESSIONS) {
      const other = [...this.#unknownSessions.keys()].find((session) => !this.#isPlausible(session));
      if (other === undefined || !this.#isPlausible(liveUpdate.session)) return;
      this.#unknownSessions.delete(other);
    }
    this.#unknownSessions.set(liveUpdate.session, { liveUpdate, at: before?.at ?? this.#now() });
    void this.#lookUpUnknownSessions();
  }

  /** A live update, or an edit of another tab, whose client id is known. */
  receivePart({ session, clientId, nFrom, nTo, update }: Part): void {
    this.#held.receive({ session, clientId, nFrom, nTo, update }, this.#now());
  }

  /** Rows came, the connection changed, or live updates were shown: the next due time may be another one. */
  schedule(): void {
    const { connection, ports } = this.#context;
    const at = this.#isStopped || !connection.isLive ? null : this.#nextDue();
    if (this.#timer?.at === at) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (at === null) return;
    const cancel = ports.clock.after(Math.max(0, at - this.#now()), () => {
      this.#timer = null;
      void this.#tick();
    });
    this.#timer = { cancel, at };
  }

  /** Calls and topic work again: the time without them does not count. */
  cameLive(): void {
    this.#liveSince = this.#now();
    if (this.#isRightsCheckDue) void this.checkRights();
    this.#lookupNotBefore = Number.NEGATIVE_INFINITY;
    void this.#lookUpUnknownSessions();
    this.schedule();
  }

  /** L6: rights may have changed. Authors who may no longer write lose what is not in the log. */
  async checkRights(): Promise<void> {
    const held = [...this.#held.shown, ...this.#held.waiting].map(({ part }) => part.session);
    const sessions = [...new Set([...held, ...this.#unknownSessions.keys()])];
    this.#isRightsCheckDue = sessions.length > 0;
    if (!this.#isRightsCheckDue || !this.#context.connection.isLive) return;
    const check = ++this.#rightsChecks;
    const infos = await this.#sessionInfo(sessions);
    if (infos === null) return;
    // An answer to an earlier question may be older than the change that a later one asks about.
    if (check === this.#rightsChecks) this.#isRightsCheckDue = false;
    this.#dropWithoutRight(infos);
  }

  stop(): void {
    this.#isStopped = true;
    this.#unknownSessions.clear();
    this.schedule();
  }

  get #held() {
    return this.#context.state.pending.held;
  }

  get #known() {
    return this.#context.state.pending.known;
  }

  #now(): number {
    return this.#context.ports.clock.now();
  }

  async #lookUpUnknownSessions(): Promise<void> {
    if (this.#isLookingUp || this.#unknownSessions.size === 0 || !this.#context.connection.isLive) return;
    const mayAskAll = this.#now() >= this.#lookupNotBefore;
    const asked = [...this.#unknownSessions].filter(([session]) => mayAskAll || this.#isPlausible(session));
    // The timer asks about the others.
    if (asked.length === 0) return this.schedule();
    const sessions = asked.map(([session]) => session);
    this.#isLookingUp = true;
    const infos = await this.#sessionInfo(sessions);
    this.#isLookingUp = false;
    if (this.#isStopped) return;
    this.#noteUnregistered(sessions, infos !== null);
    for (const [session, { at }] of asked) {
      const clientId = this.#known.clientIdOf(session);
      const unknown = this.#unknownSessions.get(session);
      // A session that the database does not know is dropped; its next live update asks again.
      if (infos !== null || clientId !== null) this.#unknownSessions.delete(session);
      if (clientId !== null && unknown !== undefined) this.#held.receive({ ...unknown.liveUpdate, clientId }, at);
    }
    if (infos !== null) void this.#lookUpUnknownSessions();
    this.schedule();
  }

  /** Live updates of honest clients come from sessions that presence lists and that are registered. */
  #isPlausible(session: SessionId): boolean {
    return this.#context.presence.has(session) && !this.#unregistered.has(session);
  }

  #noteUnregistered(asked: readonly SessionId[], isAnswered: boolean): void {
    const unknown = asked.filter((session) => this.#known.clientIdOf(session) === null);
    if (isAnswered) for (const session of unknown) this.#unregistered.add(session);
    for (const session of [...this.#unregistered].slice(0, -MAX_UNKNOWN_SESSIONS)) this.#unregistered.delete(session);
    this.#failedLookups = unknown.length > 0 ? this.#failedLookups + 1 : 0;
    const ms = Math.min(LOOKUP_RETRY_MS * 2 ** Math.min(this.#failedLookups, 10), UNKNOWN_RETRY_MAX_MS);
    if (this.#failedLookups > 0) this.#lookupNotBefore = this.#now() + ms;
  }

  async #sessionInfo(sessions: readonly SessionId[]): Promise<readonly SessionInfo[] | null> {
    const { documentId, emit, ports } = this.#context;
    const infos = await ports.log.sessionInfo(documentId, sessions);
    if (this.#isStopped) return null;
    if (!infos.ok) {
      emit({ type: 'callFailed', error: infos.error });
      return null;
    }
    for (const info of infos.value) this.#known.learnInfo(info);
    emit({ type: 'sessionsNamed' });
    return infos.value;
  }

  #dropWithoutRight(infos: readonly SessionInfo[]): void {
    const withoutRight = infos.filter(({ role }) => !mayEdit(role)).map(({ session }) => session);
    for (const session of withoutRight) this.#unknownSessions.delete(session);
    const held = [...this.#held.shown, ...this.#held.waiting];
    this.#drop(held.filter(({ part }) => withoutRight.includes(part.session)));
  }

  #drop(updates: readonly HeldUpdate[]): void {
    if (updates.length === 0) return;
    const upTo = new Map<SessionId, number>();
    for (const { part } of updates) upTo.set(part.session, Math.max(part.nTo, upTo.get(part.session) ?? 0));
    this.#context.emit({ type: 'liveUpdatesDropped', upTo });
  }

  // ── timers ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #nextDue(): number | null {
    const dues = [
      ...this.#held.shown.flatMap((held) => [this.#fetchDue(held), this.#endDue(held)]),
      ...this.#held.waiting.flatMap((held) => [this.#waitingFetchDue(held), this.#since(held) + DROP_MS]),
    ];
    if (this.#unknownSessions.size > 0 && !this.#isLookingUp) dues.push(this.#lookupNotBefore);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  #since = (held: HeldUpdate): number => Math.max(held.since, this.#liveSince);
  #asked = ({ part }: HeldUpdate): number => this.#askedAt.get(part.session) ?? Number.NEGATIVE_INFINITY;
  #fetchDue = (held: HeldUpdate): number =>
    Math.max(
      this.#since(held) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#asked(held) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );
  #waitingFetchDue = (held: HeldUpdate): number =>
    Math.max(
      this.#since(held) + INCOMPLETE_FETCH_MS,
      this.#asked(held) + UNCONFIRMED_FETCH_MS,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );

  /** When a tab that may append relays it, or another one drops it. */
  #endDue(held: HeldUpdate): number {
    // After a failed attempt (an own edit builds on it, a call failed), the next one waits as long again.
    const { session } = held.part;
    const since = Math.max(this.#since(held), this.#triedAt.get(session) ?? Number.NEGATIVE_INFINITY);
    if (!mayAppend(this.#context)) return since + DROP_MS;
    const jitter = this.#jitter.get(session) ?? RELAY_JITTER_MS * this.#context.ports.random.next();
    this.#jitter.set(session, jitter);
    return since + RELAY_MS + jitter;
  }

  async #tick(): Promise<void> {
    const now = this.#now();
    const { shown, waiting } = this.#held;
    const late = [
      ...shown.filter((held) => this.#fetchDue(held) <= now),
      ...waiting.filter((held) => this.#waitingFetchDue(held) <= now),
    ];
    for (const { part } of late) this.#askedAt.set(part.session, now);
    if (late.length > 0) this.#fetchedAt = now;
    if (this.#unknownSessions.size > 0) void this.#lookUpUnknownSessions();
    if (late.length > 0) this.#fetchJitter = UNCONFIRMED_JITTER_MS * this.#context.ports.random.next();
    const ended = shown.filter((held) => this.#endDue(held) <= now);
    this.#held.dropWaiting((held) => this.#since(held) + DROP_MS <= now);
    // Tabs of this browser may have what is lacking.
    if (waiting.some((held) => late.includes(held))) this.#tabs.ask();
    if (ended.length > 0) {
      for (const { part } of ended) this.#triedAt.set(part.session, now);
      if (mayAppend(this.#context)) void this.#relay(ended);
      else void this.#giveUp(ended);
    }
    this.schedule();
    if (late.length > 0) await this.#fetcher.catchUp();
    this.#forgetOld();
    this.schedule();
  }

  /** D7. Asks the log first: it may have them already, and words that vanish and come back are frightening. */
  async #giveUp(updates: readonly HeldUpdate[]): Promise<void> {
    const infos = await this.#sessionInfo(sessionsOf(updates));
    if (infos === null || !(await this.#confirm(infos))) return;
    const { shown } = this.#held;
    this.#drop(updates.filter((held) => shown.includes(held)));
    this.schedule();
  }

  async #relay(updates: readonly HeldUpdate[]): Promise<void> {
    if (this.#isRelaying) return;
    this.#isRelaying = true;
    await this.#relayNow(updates);
    this.#isRelaying = false;
    this.schedule();
  }

  async #relayNow(updates: readonly HeldUpdate[]): Promise<void> {
    const { emit, state } = this.#context;
    const infos = await this.#sessionInfo(sessionsOf(updates));
    if (infos === null) return;
    this.#dropWithoutRight(infos);
    // Logged by their author meanwhile: the rows are not here yet, or a snapshot holds them.
    const isLogged = ({ part }: HeldUpdate) =>
      infos.some(({ session, lastN }) => session === part.session && lastN >= part.nTo);
    if (updates.some(isLogged) && !(await this.#confirm(infos))) return;
    const hasNoRight = ({ part }: HeldUpdate) =>
      infos.some(({ session, role }) => session === part.session && !mayEdit(role));
    const { shown } = this.#held;
    const lost = updates.filter((held) => shown.includes(held) && !isLogged(held) && !hasNoRight(held));
    const parts = state.pending.dependencies.toRelay(lost);
    if (parts.length === 0 || !mayAppend(this.#context) || this.#isStopped) return;
    const answer = await this.#sender.relay(parts);
    if (this.#isStopped) return;
    if (answer.ok) emit({ type: 'relayAnswered', answer: answer.value });
    // An author of something they build on may no longer write.
    else if (answer.error.code === 'WF005') await this.checkRights();
    else emit({ type: 'callFailed', error: answer.error });
  }

  /** Fetches the rows, then counts edits up to these numbers as logged: a snapshot does not name them. False if that failed. */
  async #confirm(infos: readonly SessionInfo[]): Promise<boolean> {
    if (!(await this.#fetcher.catchUp()) || this.#isStopped) return false;
    for (const { session, lastN } of infos) this.#held.confirm(session, lastN);
    return true;
  }

  #forgetOld(): void {
    const held = new Set([...this.#held.shown, ...this.#held.waiting].map(({ part }) => part.session));
    for (const map of [this.#askedAt, this.#jitter, this.#triedAt]) {
      for (const session of map.keys()) if (!held.has(session)) map.delete(session);
    }
  }
}

const sessionsOf = (updates: readonly HeldUpdate[]): readonly SessionId[] => [
  ...new Set(updates.map(({ part }) => part.session)),
];

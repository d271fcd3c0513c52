// What becomes of live updates: shown at once when complete (L2), asked for when they stay unconfirmed (L4), put into the log
// for an author who is gone (D7), dropped when that author may no longer write (L6) or nobody can (D7).
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import type { AppendAnswer, SessionInfo } from '../../protocol/answers.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { LiveUpdate } from '../../protocol/live-update.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import { mayEdit } from '../../protocol/roles.ts';
import type { Part } from '../../protocol/row.ts';
import type { HeldUpdates, HeldUpdate } from '../state/held-updates.ts';
import type { KnownSessions } from '../state/known-sessions.ts';
import type { Clock, Log, Random } from '../ports.ts';

/** A live update that lacks something: the rows it builds on are late. */
export const INCOMPLETE_FETCH_MS = 500;
/** Rows of shown live updates are asked for, by everybody who sees them: not in the same moment. */
export const UNCONFIRMED_FETCH_MS = 2_000;
const UNCONFIRMED_JITTER_MS = 1_000;
/** An author who is gone: somebody of those who stay, at random. */
export const RELAY_MS = 5_000;
export const RELAY_JITTER_MS = 3_000;
/** Who may not append shows nothing longer that may never be saved. */
export const DROP_MS = 15_000;
const MAX_UNKNOWN_SESSIONS = 64;
/** Anybody can make up sessions: asking in vain makes the next question wait, twice as long each time, up to this. */
const UNKNOWN_RETRY_MS = 500;
export const UNKNOWN_RETRY_MAX_MS = 8_000;

export interface LiveUpdateReceiverHost {
  /** On the topic, and calls work. */
  isLive(): boolean;
  /** This user may write, and nothing keeps this tab from it. */
  mayAppend(): boolean;
  /** Is in the presence list of the topic. */
  isPresent(session: SessionId): boolean;
  /** Fetches rows until the head; false when that failed. */
  catchUp(): Promise<boolean>;
  /** Parts for a relay of these live updates. */
  partsToRelay(liveUpdates: readonly HeldUpdate[]): readonly Part[];
  relay(parts: readonly Part[]): Promise<Result<AppendAnswer, WeftError>>;
  relayed(answer: AppendAnswer): void;
  /** Live updates of these sessions, up to these numbers, are to leave the view. */
  drop(upTo: ReadonlyMap<SessionId, number>): void;
  failed(error: WeftError): void;
  /** Tabs of this browser may have what is lacking. */
  askTabs(): void;
}

type UnknownSession = { readonly liveUpdate: LiveUpdate; readonly at: number };

export class LiveUpdateReceiver {
  readonly #host: LiveUpdateReceiverHost;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Log;
  readonly #document: DocumentId;
  readonly #held: HeldUpdates;
  readonly #known: KnownSessions;
  /** Newest live update of sessions whose client id is not known yet. */
  readonly #unknownSessions = new Map<SessionId, UnknownSession>();
  readonly #askedAt = new Map<SessionId, number>();
  readonly #jitter = new Map<SessionId, number>();
  #fetchJitter = 0;
  #isAsking = false;
  /** Asked about in vain. */
  readonly #unregistered = new Set<SessionId>();
  #vainQuestions = 0;
  #unknownNotBefore = Number.NEGATIVE_INFINITY;
  /** When rows were last asked for, for whichever live update. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #isRelaying = false;
  #isRightsCheckDue = false;
  #liveSince = 0;
  /** Of the newest relay or drop. */
  readonly #triedAt = new Map<SessionId, number>();
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #isStopped = false;

  constructor(
    host: LiveUpdateReceiverHost,
    ports: { readonly clock: Clock; readonly random: Random; readonly log: Log },
    document: DocumentId,
    liveUpdates: HeldUpdates,
    known: KnownSessions,
  ) {
    this.#host = host;
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.#log = ports.log;
    this.#document = document;
    this.#held = liveUpdates;
    this.#known = known;
    this.#fetchJitter = UNCONFIRMED_JITTER_MS * ports.random.next();
  }

  /** Shows what can be shown. What becomes due by it is for `schedule`, when all that came together has been received. */
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
    this.#unknownSessions.set(liveUpdate.session, { liveUpdate, at: before?.at ?? this.#clock.now() });
    void this.#askUnknownSessions();
  }

  receivePart({ session, clientId, nFrom, nTo, update }: Part): void {
    this.#held.receive({ session, clientId, nFrom, nTo, update }, this.#clock.now());
  }

  /** Rows came, the topic was joined or left, live updates were shown: what is due changes. */
  schedule(): void {
    const at = this.#isStopped || !this.#host.isLive() ? null : this.#nextDue();
    if (this.#timer?.at === at) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (at === null) return;
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#timer = null;
      void this.#tick();
    });
    this.#timer = { cancel, at };
  }

  /** Calls and topic work again: time without them counts for nobody. */
  cameLive(): void {
    this.#liveSince = this.#clock.now();
    if (this.#isRightsCheckDue) void this.checkRights();
    this.#unknownNotBefore = Number.NEGATIVE_INFINITY;
    void this.#askUnknownSessions();
    this.schedule();
  }

  /** L6: the rights may be other ones. Authors who may not write any more lose what is not in the log. */
  async checkRights(): Promise<void> {
    const held = [...this.#held.shown, ...this.#held.waiting].map(({ part }) => part.session);
    const sessions = [...new Set([...held, ...this.#unknownSessions.keys()])];
    this.#isRightsCheckDue = sessions.length > 0;
    if (!this.#isRightsCheckDue || !this.#host.isLive()) return;
    const infos = await this.#info(sessions);
    if (infos === null) return;
    this.#isRightsCheckDue = false;
    this.#dropWithoutRight(infos);
  }

  stop(): void {
    this.#isStopped = true;
    this.#unknownSessions.clear();
    this.schedule();
  }

  async #askUnknownSessions(): Promise<void> {
    if (this.#isAsking || this.#unknownSessions.size === 0 || !this.#host.isLive()) return;
    const mayAskAll = this.#clock.now() >= this.#unknownNotBefore;
    const asked = [...this.#unknownSessions].filter(([session]) => mayAskAll || this.#isPlausible(session));
    // The others are asked about by the timer.
    if (asked.length === 0) return this.schedule();
    this.#isAsking = true;
    const infos = await this.#info(asked.map(([session]) => session));
    this.#isAsking = false;
    if (this.#isStopped) return;
    this.#noteUnregistered(
      asked.map(([session]) => session),
      infos !== null,
    );
    for (const [session, { at }] of asked) {
      const clientId = this.#known.clientIdOf(session);
      const unknown = this.#unknownSessions.get(session);
      // Nobody the database knows: dropped, the next live update asks again.
      if (infos !== null || clientId !== null) this.#unknownSessions.delete(session);
      if (clientId !== null && unknown !== undefined) this.#held.receive({ ...unknown.liveUpdate, clientId }, at);
    }
    if (infos !== null) void this.#askUnknownSessions();
    this.schedule();
  }

  /** Live updates of somebody real have come in the presence list's sight, and after their registration. */
  #isPlausible(session: SessionId): boolean {
    return this.#host.isPresent(session) && !this.#unregistered.has(session);
  }

  #noteUnregistered(asked: readonly SessionId[], isAnswered: boolean): void {
    const unknown = asked.filter((session) => this.#known.clientIdOf(session) === null);
    if (isAnswered) for (const session of unknown) this.#unregistered.add(session);
    for (const session of [...this.#unregistered].slice(0, -MAX_UNKNOWN_SESSIONS)) this.#unregistered.delete(session);
    this.#vainQuestions = unknown.length > 0 ? this.#vainQuestions + 1 : 0;
    const ms = Math.min(UNKNOWN_RETRY_MS * 2 ** Math.min(this.#vainQuestions, 10), UNKNOWN_RETRY_MAX_MS);
    if (this.#vainQuestions > 0) this.#unknownNotBefore = this.#clock.now() + ms;
  }

  async #info(sessions: readonly SessionId[]): Promise<readonly SessionInfo[] | null> {
    const infos = await this.#log.sessionInfo(this.#document, sessions);
    if (this.#isStopped) return null;
    if (!infos.ok) {
      this.#host.failed(infos.error);
      return null;
    }
    for (const info of infos.value) this.#known.learnRegistered(info);
    return infos.value;
  }

  #dropWithoutRight(infos: readonly SessionInfo[]): void {
    const rightless = infos.filter(({ role }) => !mayEdit(role)).map(({ session }) => session);
    for (const session of rightless) this.#unknownSessions.delete(session);
    this.#drop([...this.#held.shown, ...this.#held.waiting].filter(({ part }) => rightless.includes(part.session)));
  }

  #drop(liveUpdates: readonly HeldUpdate[]): void {
    if (liveUpdates.length === 0) return;
    const upTo = new Map<SessionId, number>();
    for (const { part } of liveUpdates) upTo.set(part.session, Math.max(part.nTo, upTo.get(part.session) ?? 0));
    this.#host.drop(upTo);
  }

  // ── timers ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #nextDue(): number | null {
    const dues = [
      ...this.#held.shown.flatMap((liveUpdate) => [this.#fetchDue(liveUpdate), this.#endDue(liveUpdate)]),
      ...this.#held.waiting.flatMap((liveUpdate) => [
        this.#waitingFetchDue(liveUpdate),
        this.#since(liveUpdate) + DROP_MS,
      ]),
    ];
    if (this.#unknownSessions.size > 0 && !this.#isAsking) dues.push(this.#unknownNotBefore);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  #since = (liveUpdate: HeldUpdate): number => Math.max(liveUpdate.since, this.#liveSince);
  #asked = ({ part }: HeldUpdate): number => this.#askedAt.get(part.session) ?? Number.NEGATIVE_INFINITY;
  #fetchDue = (liveUpdate: HeldUpdate): number =>
    Math.max(
      this.#since(liveUpdate) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#asked(liveUpdate) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );
  #waitingFetchDue = (liveUpdate: HeldUpdate): number =>
    Math.max(
      this.#since(liveUpdate) + INCOMPLETE_FETCH_MS,
      this.#asked(liveUpdate) + UNCONFIRMED_FETCH_MS,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );

  /** Relay by who may, the end by who may not. */
  #endDue(liveUpdate: HeldUpdate): number {
    // What was tried in vain (an own edit builds on it, a call failed) is tried again after as long.
    const { session } = liveUpdate.part;
    const since = Math.max(this.#since(liveUpdate), this.#triedAt.get(session) ?? Number.NEGATIVE_INFINITY);
    if (!this.#host.mayAppend()) return since + DROP_MS;
    const jitter = this.#jitter.get(session) ?? RELAY_JITTER_MS * this.#random.next();
    this.#jitter.set(session, jitter);
    return since + RELAY_MS + jitter;
  }

  async #tick(): Promise<void> {
    const now = this.#clock.now();
    const { shown, waiting } = this.#held;
    const late = [
      ...shown.filter((liveUpdate) => this.#fetchDue(liveUpdate) <= now),
      ...waiting.filter((liveUpdate) => this.#waitingFetchDue(liveUpdate) <= now),
    ];
    for (const { part } of late) this.#askedAt.set(part.session, now);
    if (late.length > 0) this.#fetchedAt = now;
    if (this.#unknownSessions.size > 0) void this.#askUnknownSessions();
    if (late.length > 0) this.#fetchJitter = UNCONFIRMED_JITTER_MS * this.#random.next();
    const ended = shown.filter((liveUpdate) => this.#endDue(liveUpdate) <= now);
    this.#held.dropWaiting((liveUpdate) => this.#since(liveUpdate) + DROP_MS <= now);
    if (waiting.some((liveUpdate) => late.includes(liveUpdate))) this.#host.askTabs();
    if (ended.length > 0) {
      for (const { part } of ended) this.#triedAt.set(part.session, now);
      if (this.#host.mayAppend()) void this.#relay(ended);
      else void this.#giveUp(ended);
    }
    this.schedule();
    if (late.length > 0) await this.#host.catchUp();
    this.#forgetOld();
    this.schedule();
  }

  /** D7. The log first: a row of theirs may be told of already, and words that vanish to come back frighten. */
  async #giveUp(liveUpdates: readonly HeldUpdate[]): Promise<void> {
    if (!(await this.#host.catchUp()) || this.#isStopped) return;
    const held = this.#held.shown;
    this.#drop(liveUpdates.filter((liveUpdate) => held.includes(liveUpdate)));
    this.schedule();
  }

  async #relay(liveUpdates: readonly HeldUpdate[]): Promise<void> {
    if (this.#isRelaying) return;
    this.#isRelaying = true;
    await this.#relayNow(liveUpdates);
    this.#isRelaying = false;
    this.schedule();
  }

  async #relayNow(liveUpdates: readonly HeldUpdate[]): Promise<void> {
    const infos = await this.#info([...new Set(liveUpdates.map(({ part }) => part.session))]);
    if (infos === null) return;
    this.#dropWithoutRight(infos);
    // Logged by their author meanwhile: the rows are missing here, or a snapshot holds them.
    const isLogged = ({ part }: HeldUpdate) =>
      infos.some(({ session, lastN }) => session === part.session && lastN >= part.nTo);
    if (liveUpdates.some(isLogged)) {
      if (!(await this.#host.catchUp())) return;
      for (const { session, lastN } of infos) this.#held.confirm(session, lastN);
    }
    const isGone = ({ part }: HeldUpdate) =>
      infos.some(({ session, role }) => session === part.session && !mayEdit(role));
    const held = this.#held.shown;
    const lost = liveUpdates.filter(
      (liveUpdate) => held.includes(liveUpdate) && !isLogged(liveUpdate) && !isGone(liveUpdate),
    );
    const parts = this.#host.partsToRelay(lost);
    if (parts.length === 0 || !this.#host.mayAppend() || this.#isStopped) return;
    const answer = await this.#host.relay(parts);
    if (this.#isStopped) return;
    if (answer.ok) this.#host.relayed(answer.value);
    // One of those it builds on may no longer write.
    else if (answer.error.code === 'WF005') await this.checkRights();
    else this.#host.failed(answer.error);
  }

  #forgetOld(): void {
    const held = new Set([...this.#held.shown, ...this.#held.waiting].map(({ part }) => part.session));
    for (const map of [this.#askedAt, this.#jitter, this.#triedAt]) {
      for (const session of map.keys()) if (!held.has(session)) map.delete(session);
    }
  }
}

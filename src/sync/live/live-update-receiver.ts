// What becomes of frames: shown at once when complete (L2), asked for when they stay unconfirmed (L4), put into the log
// for an author who is gone (D7), dropped when that author may no longer write (L6) or nobody can (D7).
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import type { AppendAnswer, SessionInfo } from '../../protocol/answers.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { LiveUpdate } from '../../protocol/live-update.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import { mayEdit } from '../../protocol/roles.ts';
import type { Part } from '../../protocol/row.ts';
import type { Frames, HeldFrame } from './held-updates.ts';
import type { KnownSessions } from '../log/known-sessions.ts';
import type { Clock, Log, Random } from '../ports.ts';

/** A frame that lacks something: the rows it builds on are late. */
export const INCOMPLETE_FETCH_MS = 500;
/** Rows of shown frames are asked for, by everybody who sees them: not in the same moment. */
export const UNCONFIRMED_FETCH_MS = 2_000;
const UNCONFIRMED_JITTER_MS = 1_000;
/** An author who is gone: somebody of those who stay, at random. */
export const RESCUE_MS = 5_000;
export const RESCUE_JITTER_MS = 3_000;
/** Who may not append shows nothing longer that may never be saved. */
export const DROP_MS = 15_000;
const MAX_STRANGERS = 64;
/** Anybody can make up sessions: asking in vain makes the next question wait, twice as long each time, up to this. */
const STRANGER_MS = 500;
export const STRANGER_MAX_MS = 8_000;

export interface FrameReceiverHost {
  /** On the topic, and calls work. */
  isLive(): boolean;
  /** This user may write, and nothing keeps this tab from it. */
  mayAppend(): boolean;
  /** Is in the roster of the topic. */
  isPresent(session: SessionId): boolean;
  /** Fetches rows until the head; false when that failed. */
  catchUp(): Promise<boolean>;
  /** Parts for a rescue of these frames. */
  carriedForRescue(frames: readonly HeldFrame[]): readonly Part[];
  rescue(parts: readonly Part[]): Promise<Result<AppendAnswer, WeftError>>;
  rescued(answer: AppendAnswer): void;
  /** Frames of these sessions, up to these numbers, are to leave the view. */
  drop(upTo: ReadonlyMap<SessionId, number>): void;
  failed(error: WeftError): void;
  /** Tabs of this browser may have what is lacking. */
  askTabs(): void;
}

type Stranger = { readonly frame: LiveUpdate; readonly at: number };

export class FrameReceiver {
  readonly #host: FrameReceiverHost;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Log;
  readonly #document: DocumentId;
  readonly #frames: Frames;
  readonly #known: KnownSessions;
  /** Newest frame of sessions whose client id is not known yet. */
  readonly #strangers = new Map<SessionId, Stranger>();
  readonly #askedAt = new Map<SessionId, number>();
  readonly #jitter = new Map<SessionId, number>();
  #fetchJitter = 0;
  #isAsking = false;
  /** Asked about in vain. */
  readonly #nobodies = new Set<SessionId>();
  #vainQuestions = 0;
  #strangersNotBefore = Number.NEGATIVE_INFINITY;
  /** When rows were last asked for, for whichever frame. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #isRescuing = false;
  #isAuditDue = false;
  #liveSince = 0;
  /** Of the newest rescue or drop. */
  readonly #triedAt = new Map<SessionId, number>();
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #isStopped = false;

  constructor(
    host: FrameReceiverHost,
    ports: { readonly clock: Clock; readonly random: Random; readonly log: Log },
    document: DocumentId,
    frames: Frames,
    known: KnownSessions,
  ) {
    this.#host = host;
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.#log = ports.log;
    this.#document = document;
    this.#frames = frames;
    this.#known = known;
    this.#fetchJitter = UNCONFIRMED_JITTER_MS * ports.random.next();
  }

  /** Shows what can be shown. What becomes due by it is for `schedule`, when all that came together has been received. */
  receive(frame: LiveUpdate): void {
    if (frame.update.length === 0 || this.#isStopped) return;
    const clientId = this.#known.clientIdOf(frame.session);
    if (clientId !== null) {
      this.receivePart({ ...frame, clientId });
      return;
    }
    const before = this.#strangers.get(frame.session);
    if (before !== undefined && before.frame.nTo >= frame.nTo) return;
    if (before === undefined && this.#strangers.size >= MAX_STRANGERS) {
      const other = [...this.#strangers.keys()].find((session) => !this.#isCredible(session));
      if (other === undefined || !this.#isCredible(frame.session)) return;
      this.#strangers.delete(other);
    }
    this.#strangers.set(frame.session, { frame, at: before?.at ?? this.#clock.now() });
    void this.#askStrangers();
  }

  receivePart({ session, clientId, nFrom, nTo, update }: Part): void {
    this.#frames.receive({ session, clientId, nFrom, nTo, update }, this.#clock.now());
  }

  /** Rows came, the topic was joined or left, frames were shown: what is due changes. */
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
    if (this.#isAuditDue) void this.audit();
    this.#strangersNotBefore = Number.NEGATIVE_INFINITY;
    void this.#askStrangers();
    this.schedule();
  }

  /** L6: the rights may be other ones. Authors who may not write any more lose what is not in the log. */
  async audit(): Promise<void> {
    const held = [...this.#frames.shown, ...this.#frames.waiting].map(({ part }) => part.session);
    const sessions = [...new Set([...held, ...this.#strangers.keys()])];
    this.#isAuditDue = sessions.length > 0;
    if (!this.#isAuditDue || !this.#host.isLive()) return;
    const infos = await this.#info(sessions);
    if (infos === null) return;
    this.#isAuditDue = false;
    this.#dropRightless(infos);
  }

  stop(): void {
    this.#isStopped = true;
    this.#strangers.clear();
    this.schedule();
  }

  async #askStrangers(): Promise<void> {
    if (this.#isAsking || this.#strangers.size === 0 || !this.#host.isLive()) return;
    const mayAskAll = this.#clock.now() >= this.#strangersNotBefore;
    const asked = [...this.#strangers].filter(([session]) => mayAskAll || this.#isCredible(session));
    // The others are asked about by the timer.
    if (asked.length === 0) return this.schedule();
    this.#isAsking = true;
    const infos = await this.#info(asked.map(([session]) => session));
    this.#isAsking = false;
    if (this.#isStopped) return;
    this.#judgeStrangers(
      asked.map(([session]) => session),
      infos !== null,
    );
    for (const [session, { at }] of asked) {
      const clientId = this.#known.clientIdOf(session);
      const stranger = this.#strangers.get(session);
      // Nobody the database knows: dropped, the next frame asks again.
      if (infos !== null || clientId !== null) this.#strangers.delete(session);
      if (clientId !== null && stranger !== undefined) this.#frames.receive({ ...stranger.frame, clientId }, at);
    }
    if (infos !== null) void this.#askStrangers();
    this.schedule();
  }

  /** Frames of somebody real have come in the roster's sight, and after their registration. */
  #isCredible(session: SessionId): boolean {
    return this.#host.isPresent(session) && !this.#nobodies.has(session);
  }

  #judgeStrangers(asked: readonly SessionId[], isAnswered: boolean): void {
    const unknown = asked.filter((session) => this.#known.clientIdOf(session) === null);
    if (isAnswered) for (const session of unknown) this.#nobodies.add(session);
    for (const session of [...this.#nobodies].slice(0, -MAX_STRANGERS)) this.#nobodies.delete(session);
    this.#vainQuestions = unknown.length > 0 ? this.#vainQuestions + 1 : 0;
    const ms = Math.min(STRANGER_MS * 2 ** Math.min(this.#vainQuestions, 10), STRANGER_MAX_MS);
    if (this.#vainQuestions > 0) this.#strangersNotBefore = this.#clock.now() + ms;
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

  #dropRightless(infos: readonly SessionInfo[]): void {
    const rightless = infos.filter(({ role }) => !mayEdit(role)).map(({ session }) => session);
    for (const session of rightless) this.#strangers.delete(session);
    this.#drop([...this.#frames.shown, ...this.#frames.waiting].filter(({ part }) => rightless.includes(part.session)));
  }

  #drop(frames: readonly HeldFrame[]): void {
    if (frames.length === 0) return;
    const upTo = new Map<SessionId, number>();
    for (const { part } of frames) upTo.set(part.session, Math.max(part.nTo, upTo.get(part.session) ?? 0));
    this.#host.drop(upTo);
  }

  // ── timers ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #nextDue(): number | null {
    const dues = [
      ...this.#frames.shown.flatMap((frame) => [this.#fetchDue(frame), this.#endDue(frame)]),
      ...this.#frames.waiting.flatMap((frame) => [this.#waitingFetchDue(frame), this.#since(frame) + DROP_MS]),
    ];
    if (this.#strangers.size > 0 && !this.#isAsking) dues.push(this.#strangersNotBefore);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  #since = (frame: HeldFrame): number => Math.max(frame.since, this.#liveSince);
  #asked = ({ part }: HeldFrame): number => this.#askedAt.get(part.session) ?? Number.NEGATIVE_INFINITY;
  #fetchDue = (frame: HeldFrame): number =>
    Math.max(
      this.#since(frame) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#asked(frame) + UNCONFIRMED_FETCH_MS + this.#fetchJitter,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );
  #waitingFetchDue = (frame: HeldFrame): number =>
    Math.max(
      this.#since(frame) + INCOMPLETE_FETCH_MS,
      this.#asked(frame) + UNCONFIRMED_FETCH_MS,
      this.#fetchedAt + INCOMPLETE_FETCH_MS,
    );

  /** Rescue by who may, the end by who may not. */
  #endDue(frame: HeldFrame): number {
    // What was tried in vain (an own edit builds on it, a call failed) is tried again after as long.
    const { session } = frame.part;
    const since = Math.max(this.#since(frame), this.#triedAt.get(session) ?? Number.NEGATIVE_INFINITY);
    if (!this.#host.mayAppend()) return since + DROP_MS;
    const jitter = this.#jitter.get(session) ?? RESCUE_JITTER_MS * this.#random.next();
    this.#jitter.set(session, jitter);
    return since + RESCUE_MS + jitter;
  }

  async #tick(): Promise<void> {
    const now = this.#clock.now();
    const { shown, waiting } = this.#frames;
    const late = [
      ...shown.filter((frame) => this.#fetchDue(frame) <= now),
      ...waiting.filter((frame) => this.#waitingFetchDue(frame) <= now),
    ];
    for (const { part } of late) this.#askedAt.set(part.session, now);
    if (late.length > 0) this.#fetchedAt = now;
    if (this.#strangers.size > 0) void this.#askStrangers();
    if (late.length > 0) this.#fetchJitter = UNCONFIRMED_JITTER_MS * this.#random.next();
    const ended = shown.filter((frame) => this.#endDue(frame) <= now);
    this.#frames.dropWaiting((frame) => this.#since(frame) + DROP_MS <= now);
    if (waiting.some((frame) => late.includes(frame))) this.#host.askTabs();
    if (ended.length > 0) {
      for (const { part } of ended) this.#triedAt.set(part.session, now);
      if (this.#host.mayAppend()) void this.#rescue(ended);
      else void this.#giveUp(ended);
    }
    this.schedule();
    if (late.length > 0) await this.#host.catchUp();
    this.#forgetOld();
    this.schedule();
  }

  /** D7. The log first: a row of theirs may be told of already, and words that vanish to come back frighten. */
  async #giveUp(frames: readonly HeldFrame[]): Promise<void> {
    if (!(await this.#host.catchUp()) || this.#isStopped) return;
    const held = this.#frames.shown;
    this.#drop(frames.filter((frame) => held.includes(frame)));
    this.schedule();
  }

  async #rescue(frames: readonly HeldFrame[]): Promise<void> {
    if (this.#isRescuing) return;
    this.#isRescuing = true;
    await this.#rescueNow(frames);
    this.#isRescuing = false;
    this.schedule();
  }

  async #rescueNow(frames: readonly HeldFrame[]): Promise<void> {
    const infos = await this.#info([...new Set(frames.map(({ part }) => part.session))]);
    if (infos === null) return;
    this.#dropRightless(infos);
    // Logged by their author meanwhile: the rows are missing here, or a snapshot holds them.
    const isLogged = ({ part }: HeldFrame) =>
      infos.some(({ session, lastN }) => session === part.session && lastN >= part.nTo);
    if (frames.some(isLogged)) {
      if (!(await this.#host.catchUp())) return;
      for (const { session, lastN } of infos) this.#frames.confirm(session, lastN);
    }
    const isGone = ({ part }: HeldFrame) =>
      infos.some(({ session, role }) => session === part.session && !mayEdit(role));
    const held = this.#frames.shown;
    const lost = frames.filter((frame) => held.includes(frame) && !isLogged(frame) && !isGone(frame));
    const parts = this.#host.carriedForRescue(lost);
    if (parts.length === 0 || !this.#host.mayAppend() || this.#isStopped) return;
    const answer = await this.#host.rescue(parts);
    if (this.#isStopped) return;
    if (answer.ok) this.#host.rescued(answer.value);
    // One of those it builds on may no longer write.
    else if (answer.error.code === 'WF005') await this.audit();
    else this.#host.failed(answer.error);
  }

  #forgetOld(): void {
    const held = new Set([...this.#frames.shown, ...this.#frames.waiting].map(({ part }) => part.session));
    for (const map of [this.#askedAt, this.#jitter, this.#triedAt]) {
      for (const session of map.keys()) if (!held.has(session)) map.delete(session);
    }
  }
}

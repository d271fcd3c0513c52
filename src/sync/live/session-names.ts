// Asks the database for the people behind the sessions on the live topic (CA5). Listed people, carets and announced edits get
// their name from its answer alone; presence only says which sessions are there.
import type { Cancel } from '../../lib/cancel.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { SessionContext } from '../session-context.ts';

/** The most sessions that wait for a name. The rest are asked about when they send again, or presence changes. */
const MAX_WAITING = 64;
/** A session that got no name is asked about again after this, then twice as long each time, up to the maximum. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Newcomers announce themselves just after they are listed, and several may come: one call asks about all of them. */
const LISTED_WAIT_MS = 300;
/** Pause between calls about sessions that did nothing but appear in presence, which anyone can fill. */
const LISTED_INTERVAL_MS = 1_000;

type Waiting = {
  readonly at: number;
  readonly retryMs: number;
  /** It did nothing but appear in presence. */
  readonly isListedOnly: boolean;
};

type NamesContext = Pick<SessionContext, 'connection' | 'documentId' | 'emit' | 'ports' | 'presence' | 'state'>;

export class SessionNames {
  readonly #context: NamesContext;
  /** Sessions without a name, each with the time of the next question about it. */
  readonly #waiting = new Map<SessionId, Waiting>();
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #listedAskedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #isStopped = false;

  constructor(context: NamesContext) {
    this.#context = context;
  }

  /** These sessions did something that is shown with a name. `waitMs`: another call may bring their names meanwhile. */
  need(sessions: readonly SessionId[], waitMs = 0): void {
    this.#add(sessions, waitMs, false);
  }

  /** Presence, or the connection, has changed. */
  check(): void {
    for (const session of this.#waiting.keys()) {
      if (!this.#context.presence.has(session)) this.#waiting.delete(session);
    }
    this.#add(this.#context.presence.unnamed, LISTED_WAIT_MS, true);
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#schedule();
  }

  #add(sessions: readonly SessionId[], waitMs: number, isListedOnly: boolean): void {
    const { ports, presence } = this.#context;
    for (const session of sessions) {
      const before = this.#waiting.get(session);
      if (this.#isNamed(session, isListedOnly) || !presence.has(session)) continue;
      if (before !== undefined && (!before.isListedOnly || isListedOnly)) continue;
      if (before === undefined && this.#waiting.size >= MAX_WAITING) break;
      const at = this.#notBefore(ports.clock.now() + waitMs, isListedOnly);
      this.#waiting.set(session, { at, retryMs: FIRST_RETRY_MS, isListedOnly });
    }
    this.#schedule();
  }

  #notBefore(at: number, isListedOnly: boolean): number {
    return isListedOnly ? Math.max(at, this.#listedAskedAt + LISTED_INTERVAL_MS) : at;
  }

  #isNamed(session: SessionId, isListedOnly: boolean): boolean {
    const { known } = this.#context.state.pending;
    return (isListedOnly ? known.listedUserOf(session) : known.userOf(session)) !== null;
  }

  #schedule(): void {
    const { connection, ports } = this.#context;
    const isIdle = this.#isStopped || this.#isAsking || !connection.isLive || this.#waiting.size === 0;
    const at = isIdle ? null : Math.min(...[...this.#waiting.values()].map((one) => one.at));
    if (this.#timer?.at === at) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (at === null) return;
    const cancel = ports.clock.after(Math.max(0, at - ports.clock.now()), () => {
      this.#timer = null;
      void this.#ask();
    });
    this.#timer = { cancel, at };
  }

  async #ask(): Promise<void> {
    const { documentId, emit, ports, state } = this.#context;
    for (const [session, { isListedOnly }] of this.#waiting)
      if (this.#isNamed(session, isListedOnly)) this.#waiting.delete(session);
    const now = ports.clock.now();
    const due = [...this.#waiting].flatMap(([session, { at }]) => (at <= now ? [session] : []));
    if (due.length > 0) {
      if (due.some((session) => this.#waiting.get(session)?.isListedOnly)) this.#listedAskedAt = now;
      this.#isAsking = true;
      const infos = await ports.log.sessionInfo(documentId, due);
      this.#isAsking = false;
      if (this.#isStopped) return;
      if (infos.ok) {
        for (const info of infos.value) state.pending.known.learnInfo(info);
        if (infos.value.length > 0) emit({ type: 'sessionsNamed' });
      } else emit({ type: 'callFailed', error: infos.error });
      this.#retryLater(due);
    }
    this.#schedule();
  }

  #retryLater(asked: readonly SessionId[]): void {
    for (const session of asked) {
      const waiting = this.#waiting.get(session);
      this.#waiting.delete(session);
      if (waiting === undefined || this.#isNamed(session, waiting.isListedOnly)) continue;
      const { retryMs, isListedOnly } = waiting;
      const at = this.#notBefore(this.#context.ports.clock.now() + retryMs, isListedOnly);
      this.#waiting.set(session, { at, retryMs: Math.min(2 * retryMs, MAX_RETRY_MS), isListedOnly });
    }
  }
}

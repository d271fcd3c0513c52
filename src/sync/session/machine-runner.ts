// Runs the machine: one event after the other, and the two timers it asks for. The session performs its other effects.
import { backoffMs } from '../../lib/async/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Effect, type Event, START, type Wait, step } from '../connection/machine.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { SessionContext } from '../session-context.ts';

/** While the page is visible: the last resort when every message was lost. */
export const HEAD_CHECK_MS = 30_000;
/** The same on the topic after `QUIET_AFTER_MS`: a page that no one uses wakes the device once a minute. */
export const QUIET_HEAD_CHECK_MS = 60_000;
/** While the topic is not joined, between this and `WITHOUT_TOPIC_MAX_MS` (L7). */
const WITHOUT_TOPIC_MS = 2_000;
export const WITHOUT_TOPIC_MAX_MS = 5_000;
/** The same as a multiple of the last answer's time, if that is more: so each page spends little of its time waiting for answers. */
const WITHOUT_TOPIC_ANSWERS = 8;
/** After this long without a new row, own ones included, the head is checked more rarely. */
export const QUIET_AFTER_MS = 300_000;
/** Everyone on the topic moves at once, so each waits a random part of this time and they come back one by one. */
export const MOVE_JITTER_MS = 2_000;

export class MachineRunner {
  readonly #context: SessionContext;
  readonly #events: Event[] = [];
  #isStepping = false;
  /** The server asked not to be called before this time. */
  #retryNotBefore = Number.NEGATIVE_INFINITY;
  #retry: { readonly cancel: Cancel; readonly at: number } | null = null;
  #headCheck: Cancel | null = null;
  /** The newest row and the topic's state when the head was last to be checked, and since when both are the same. */
  #seq = 0;
  #wasLive = false;
  #quietSince = Number.NEGATIVE_INFINITY;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** When the next try happens by itself, ms since 1970. */
  get retryAt(): number | null {
    return this.#retry?.at ?? null;
  }

  /** Performs the first effects. The first state is in `ConnectionState`. */
  start(): void {
    for (const effect of START[1]) this.#perform(effect);
  }

  /** SY15: a retry by timer waits at least as long as the server asked. The user, focus and network do not wait. */
  respectRetryAfter({ retryAfterMs = 0 }: WeftError): void {
    this.#retryNotBefore = Math.max(this.#retryNotBefore, this.#context.ports.clock.now() + retryAfterMs);
  }

  /** An event that an effect causes waits until all effects of this one are done. */
  dispatch(event: Event): void {
    this.#events.push(event);
    if (this.#headCheck !== null && (event.type === 'wentHidden' || event.type === 'cameBack')) this.#startHeadCheck();
    if (this.#isStepping) return;
    this.#isStepping = true;
    const { connection, emit } = this.#context;
    const wasLive = connection.isLive;
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const [state, effects] = step(connection.state, next);
      connection.state = state;
      for (const effect of effects) this.#perform(effect);
    }
    this.#isStepping = false;
    emit({ type: 'machineStepped', cameLive: connection.isLive && !wasLive });
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'startRetry':
        this.#startRetry(effect.wait);
        return;
      case 'stopRetry':
        this.#retry?.cancel();
        this.#retry = null;
        return;
      case 'startHeadCheck':
        this.#startHeadCheck();
        return;
      case 'stopHeadCheck':
        this.#headCheck?.();
        this.#headCheck = null;
        return;
      default:
        this.#context.emit(effect);
    }
  }

  #startRetry(wait: Wait): void {
    this.#retry?.cancel();
    const random = this.#context.ports.random.next();
    const asked = this.#retryNotBefore - this.#context.ports.clock.now();
    const drawn = wait.kind === 'move' ? MOVE_JITTER_MS * random : backoffMs(wait.attempt, random);
    // The server asked every client to wait equally long, so each adds its own random time.
    const ms = asked > 0 ? asked + drawn : drawn;
    const cancel = this.#context.ports.clock.after(ms, () => {
      this.#retry = null;
      this.dispatch({ type: 'retryDue' });
    });
    this.#retry = { cancel, at: this.#context.ports.clock.now() + ms };
  }

  #startHeadCheck(): void {
    this.#headCheck?.();
    // Hidden tabs do not poll; `cameBack` starts the timer again, and checks at once on the topic.
    this.#headCheck = () => undefined;
    if (!this.#context.ports.environment.isVisible()) return;
    this.#headCheck = this.#context.ports.clock.after(this.#untilHeadCheck(), () => {
      this.dispatch({ type: 'headCheckDue' });
    });
  }

  /** L4. L7: calls take the place of the topic as long as someone seems to write. */
  #untilHeadCheck(): number {
    const { connection, ports, state } = this.#context;
    const now = ports.clock.now();
    if (state.log.seq !== this.#seq || connection.isLive !== this.#wasLive) this.#quietSince = now;
    this.#seq = state.log.seq;
    this.#wasLive = connection.isLive;
    const isQuiet = now - this.#quietSince > QUIET_AFTER_MS;
    if (connection.isLive) return isQuiet ? QUIET_HEAD_CHECK_MS : HEAD_CHECK_MS;
    if (isQuiet) return HEAD_CHECK_MS;
    const least = Math.max(WITHOUT_TOPIC_MS, WITHOUT_TOPIC_ANSWERS * connection.answerMs);
    const spread = (WITHOUT_TOPIC_MAX_MS / WITHOUT_TOPIC_MS - 1) * ports.random.next();
    return Math.min(HEAD_CHECK_MS, least * (1 + spread));
  }
}

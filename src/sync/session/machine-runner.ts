// Runs the machine: one event after the other, and the two timers it asks for. What else it wants done, the session does.
import type { WeftError } from '../../protocol/errors.ts';
import { assertNever } from '../../lib/assert.ts';
import { backoffMs } from '../../lib/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Effect, type Event, START, type State, type Wait, step } from '../connection/machine.ts';
import type { Clock, Random } from '../ports.ts';

/** While visible: the last resort when every message was lost. */
export const HEAD_CHECK_MS = 30_000;
/** A move concerns everybody on the topic: they come back one by one. */
export const MOVE_JITTER_MS = 2_000;

export interface MachineRunnerHost {
  isVisible(): boolean;
  callOpen(): void;
  joinTopic(): void;
  leaveTopic(): void;
  checkHead(): void;
  send(): void;
  sendWhileHidden(): void;
  /** Told after every event, its effects done. */
  stepped(): void;
}

export class MachineRunner {
  readonly #host: MachineRunnerHost;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #events: Event[] = [];
  #state: State = START[0];
  #isStepping = false;
  /** The server asked not to be called before. */
  #retryNotBefore = Number.NEGATIVE_INFINITY;
  #retry: { readonly cancel: Cancel; readonly at: number } | null = null;
  #headCheck: Cancel | null = null;

  constructor(host: MachineRunnerHost, clock: Clock, random: Random) {
    this.#host = host;
    this.#clock = clock;
    this.#random = random;
  }

  get state(): State {
    return this.#state;
  }

  /** When the next try happens by itself, ms since 1970. */
  get retryAt(): number | null {
    return this.#retry?.at ?? null;
  }

  start(): void {
    for (const effect of START[1]) this.#perform(effect);
  }

  /** PL1: waits by themselves are as long as the server asked, at least; the user, focus and network come first. */
  respectRetryAfter({ retryAfterMs = 0 }: WeftError): void {
    this.#retryNotBefore = Math.max(this.#retryNotBefore, this.#clock.now() + retryAfterMs);
  }

  /** Events that effects bring about wait until all effects of this one are done. */
  dispatch(event: Event): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const [state, effects] = step(this.#state, next);
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
    }
    this.#isStepping = false;
    this.#host.stepped();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'callOpen':
        this.#host.callOpen();
        return;
      case 'joinTopic':
        this.#host.joinTopic();
        return;
      case 'leaveTopic':
        this.#host.leaveTopic();
        return;
      case 'checkHead':
        this.#host.checkHead();
        return;
      case 'send':
        this.#host.send();
        return;
      case 'sendWhileHidden':
        this.#host.sendWhileHidden();
        return;
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
        assertNever(effect);
    }
  }

  #startRetry(wait: Wait): void {
    this.#retry?.cancel();
    const random = this.#random.next();
    const asked = this.#retryNotBefore - this.#clock.now();
    const drawn = wait.kind === 'move' ? MOVE_JITTER_MS * random : backoffMs(wait.attempt, random);
    // Everybody was told the same: not all of them in the same moment.
    const ms = asked > 0 ? asked + drawn : drawn;
    const cancel = this.#clock.after(ms, () => {
      this.#retry = null;
      this.dispatch({ type: 'retryDue' });
    });
    this.#retry = { cancel, at: this.#clock.now() + ms };
  }

  #startHeadCheck(): void {
    this.#headCheck?.();
    this.#headCheck = this.#clock.after(HEAD_CHECK_MS, () => {
      // Hidden tabs do not poll; the timer goes on, and `cameBack` checks at once.
      if (this.#host.isVisible()) this.dispatch({ type: 'headCheckDue' });
      else this.#startHeadCheck();
    });
  }
}

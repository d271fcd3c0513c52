// Where a session sits: on the live topic, or, as one of many who only read, on the view topic, where the database alone
// speaks (VT1–VT5). Decides and asks for time; joining and leaving is done by who is told to.
import type { Cancel } from '../../lib/cancel.ts';
import { type DocumentRole, mayEdit } from '../../protocol/roles.ts';
import type { Clock, Random } from '../ports.ts';

/** Readers are on the live topic while at most so many sessions are. */
export const MAX_ON_LIVE = 8;
/** Who looks in from the view topic stays only with some room left: nobody else should have to go for them. */
export const ROOM = 2;
/** Who just came goes first, one by one … */
export const LEAVE_JITTER_MS = 2_000;
/** … and who has been there only when that was not enough. */
export const SETTLED_LEAVE_MS = 3_000;
/** Also keeps the database publishing (`watched_until`). */
export const ASK_AGAIN_MS = 15_000;
/** Until the first look whether there is room again; doubled after each in vain. */
export const LOOK_AGAIN_MS = 180_000;
export const LOOK_AGAIN_MAX_MS = 1_800_000;

export type TopicMode = 'live' | 'view';

export interface TopicModeHost {
  /** Null: not known yet. */
  role(): DocumentRole | null;
  /** Sessions on the live topic, this one included; null while that is not known. */
  present(): number | null;
  /** Calls work, and somebody may be looking. */
  isAwake(): boolean;
  /** Another topic from now on. */
  moved(): void;
  /** Fetch rows now. */
  ask(): void;
}

export class TopicModeSwitch {
  readonly #host: TopicModeHost;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #max: number;
  #mode: TopicMode = 'live';
  #isJoined = false;
  /** Came from the view topic to look; not decided yet. */
  #isLooking = false;
  /** There was room for it on the live topic at some time since it came. */
  #isSettled = false;
  /** The rows between the two topics are still to be fetched. */
  #isBetween = false;
  #looks = 0;
  #leaving: Cancel | null = null;
  #asking: Cancel | null = null;
  #looking: Cancel | null = null;

  constructor(host: TopicModeHost, clock: Clock, random: Random, max: number) {
    this.#host = host;
    this.#clock = clock;
    this.#random = random;
    this.#max = max;
  }

  get mode(): TopicMode {
    return this.#mode;
  }

  /** The topic of this topic mode is joined. */
  joined(): void {
    this.#isJoined = true;
    // Joined, then fetched: what was published in between is not lost.
    if (this.#isBetween) this.#host.ask();
    this.#isBetween = false;
    if (this.#mode === 'view') this.#askLater();
  }

  /** It was left, or lost. */
  left(): void {
    this.#isJoined = false;
    this.#isSettled = false;
    this.#stay();
    this.#asking?.();
    this.#asking = null;
  }

  /** Presence list or role may be other ones. */
  check(): void {
    if (mayEdit(this.#host.role())) {
      this.#stay();
      this.#looks = 0;
      this.#isLooking = false;
      if (this.#mode === 'view') this.#switchTo('live');
      return;
    }
    const present = this.#mode === 'live' && this.#isJoined ? this.#host.present() : null;
    if (present === null) return;
    if (present <= (this.#isLooking ? this.#max - ROOM : this.#max)) {
      this.#stay();
      this.#isSettled = true;
      if (this.#isLooking) this.#looks = 0;
      this.#isLooking = false;
    } else if (this.#isLooking) {
      this.#goAway();
    } else if (this.#leaving === null) {
      const random = this.#random.next();
      const ms = this.#isSettled ? SETTLED_LEAVE_MS * (1 + random) : LEAVE_JITTER_MS * random;
      this.#leaving = this.#clock.after(ms, () => {
        this.#leaving = null;
        this.#goAway();
      });
    }
  }

  stop(): void {
    this.left();
    this.#looking?.();
    this.#looking = null;
  }

  #goAway(): void {
    this.#isLooking = false;
    this.#lookLater();
    this.#looks += 1;
    this.#switchTo('view');
  }

  #stay(): void {
    this.#leaving?.();
    this.#leaving = null;
  }

  #switchTo(mode: TopicMode): void {
    this.#mode = mode;
    if (mode === 'live') {
      this.#looking?.();
      this.#looking = null;
    }
    this.#isBetween = true;
    this.#host.moved();
  }

  #lookLater(): void {
    const ms = Math.min(LOOK_AGAIN_MS * 2 ** this.#looks, LOOK_AGAIN_MAX_MS) * (1 + this.#random.next() / 2);
    this.#looking?.();
    this.#looking = this.#clock.after(ms, () => {
      this.#looking = null;
      // Nobody looks, or nothing works: there is no hurry.
      if (!this.#host.isAwake() || !this.#isJoined) {
        this.#lookLater();
        return;
      }
      this.#isLooking = true;
      this.#switchTo('live');
    });
  }

  #askLater(): void {
    this.#asking?.();
    this.#asking = this.#clock.after(ASK_AGAIN_MS, () => {
      if (this.#host.isAwake()) this.#host.ask();
      this.#askLater();
    });
  }
}

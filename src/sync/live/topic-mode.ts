// Decides which topic a session is on: the live topic or, as one of many readers, the view topic, where only the
// database sends (VT1–VT5). Asks for rows while the topic may not bring them. Reads nothing that arrives there.
import type { Cancel } from '../../lib/cancel.ts';
import type { TopicMode } from '../connection/connection-state.ts';
import type { LogFetcher } from '../log/log-fetcher.ts';
import { mayEdit } from '../protocol/roles.ts';
import { type Epoch, WATCH_AGAIN_MS } from '../protocol/topics.ts';
import type { SessionContext } from '../session-context.ts';
import type { LiveTopic } from './live-topic.ts';

/** Readers are on the live topic while at most this many sessions are. */
export const MAX_ON_LIVE = 8;
/** A reader who looks in from the view topic stays only with this many places free: no one has to leave for them. */
export const FREE_PLACES = 2;
/** Newcomers leave first, one by one, within this time. */
export const LEAVE_JITTER_MS = 2_000;
/** Readers who were there before leave only after this time, if too many are still there. */
export const SETTLED_LEAVE_MS = 3_000;
/** Rows are asked for this often while presence does not list this session (L4). */
export const UNLISTED_ASK_MS = 5_000;
/** After this time a reader on the view topic checks whether the live one has room; doubled each time it has none. */
export const LOOK_AGAIN_MS = 180_000;
export const LOOK_AGAIN_MAX_MS = 1_800_000;

export class TopicModeSwitch {
  readonly #context: SessionContext;
  readonly #topic: LiveTopic;
  readonly #fetcher: LogFetcher;
  #isJoined = false;
  /** The reader came from the view topic to look for room, and it is not decided yet whether it stays. */
  #isLooking = false;
  /** The live topic has had room for this reader at some time since it joined. */
  #isSettled = false;
  /** The rows between the two topics are still to be fetched. */
  #isBetween = false;
  #looks = 0;
  #isStopped = false;
  #leaving: Cancel | null = null;
  #asking: Cancel | null = null;
  #looking: Cancel | null = null;
  /** VT4: when this reader next looks in on the live topic, ms since 1970. */
  #lookAt: number | null = null;

  constructor(context: SessionContext, topic: LiveTopic, fetcher: LogFetcher) {
    this.#context = context;
    this.#topic = topic;
    this.#fetcher = fetcher;
  }

  /** Joins the topic of the newest epoch, with the rights of now. */
  join(): void {
    const { rights } = this.#context;
    if (rights.epoch === null || this.#isStopped) return;
    rights.joining();
    this.#joinTopic(rights.epoch);
  }

  leave(): void {
    this.lost();
    this.#topic.leave();
  }

  /** The topic of this mode is joined. */
  joined(): void {
    this.#isJoined = true;
    // Joined first, then fetched: rows published in between are not lost.
    if (this.#isBetween) void this.#fetcher.catchUp();
    this.#isBetween = false;
    this.#ask();
  }

  /** The topic was left or lost. */
  lost(): void {
    this.#isJoined = false;
    this.#isSettled = false;
    this.#stay();
    this.#ask();
  }

  /** Presence, the role, or whether the page is visible may have changed. */
  check(): void {
    const { connection, ports, presence, rights } = this.#context;
    this.#ask();
    this.#look();
    if (mayEdit(rights.role)) {
      this.#stay();
      this.#looks = 0;
      this.#isLooking = false;
      if (connection.topicMode === 'view') this.#switchTo('live');
      return;
    }
    if (connection.topicMode === 'view' || !this.#isJoined || presence.others === null) return;
    const { length: present } = presence.peers;
    if (present <= this.#context.maxOnLive - (this.#isLooking ? FREE_PLACES : 0)) {
      this.#stay();
      this.#isSettled = true;
      if (this.#isLooking) this.#looks = 0;
      this.#isLooking = false;
    } else if (this.#isLooking) {
      this.#goToViewTopic();
    } else if (this.#leaving === null) {
      const random = ports.random.next();
      const ms = this.#isSettled ? SETTLED_LEAVE_MS * (1 + random) : LEAVE_JITTER_MS * random;
      this.#leaving = ports.clock.after(ms, () => {
        this.#leaving = null;
        this.#goToViewTopic();
      });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.leave();
    this.#lookAt = null;
    this.#look();
  }

  #goToViewTopic(): void {
    this.#isLooking = false;
    this.#lookLater();
    this.#looks += 1;
    this.#switchTo('view');
  }

  #stay(): void {
    this.#leaving?.();
    this.#leaving = null;
  }

  /** While neither topic is joined, the next join is the new one's. */
  #switchTo(mode: TopicMode): void {
    this.#context.connection.topicMode = mode;
    if (mode === 'live') this.#lookAt = null;
    this.#look();
    this.#isBetween = true;
    const { epoch } = this.#topic;
    if (epoch !== null) this.#joinTopic(epoch);
  }

  #joinTopic(epoch: Epoch): void {
    this.leave();
    this.#topic.join(epoch, this.#context.connection.topicMode);
  }

  #lookLater(): void {
    const { clock, random } = this.#context.ports;
    const ms = Math.min(LOOK_AGAIN_MS * 2 ** this.#looks, LOOK_AGAIN_MAX_MS) * (1 + random.next() / 2);
    this.#lookAt = clock.now() + ms;
  }

  /** A hidden page has no timer; what is due happens when it is visible again. */
  #look(): void {
    const { clock, environment } = this.#context.ports;
    if (this.#lookAt === null || !environment.isVisible()) {
      this.#looking?.();
      this.#looking = null;
      return;
    }
    this.#looking ??= clock.after(Math.max(0, this.#lookAt - clock.now()), () => {
      this.#looking = null;
      if (this.#isJoined && this.#context.connection.isLive) {
        this.#isLooking = true;
        this.#switchTo('live');
      } else {
        // Nothing works: there is no hurry.
        this.#lookLater();
        this.#look();
      }
    });
  }

  /** Asks for rows while they may not come by the topic. A hidden page has no timer: it asks when it is visible again. */
  #ask(): void {
    const ms = this.#askEveryMs;
    if (ms === null) {
      this.#asking?.();
      this.#asking = null;
      return;
    }
    this.#asking ??= this.#context.ports.clock.after(ms, () => {
      this.#asking = null;
      if (this.#context.connection.isLive) void this.#fetcher.catchUp();
      this.#ask();
    });
  }

  get #askEveryMs(): number | null {
    const { connection, ports, presence } = this.#context;
    if (!this.#isJoined || !ports.environment.isVisible()) return null;
    if (connection.topicMode === 'view') return WATCH_AGAIN_MS;
    // After a join that is so for a moment, until presence has come.
    return presence.others === null ? UNLISTED_ASK_MS : null;
  }
}

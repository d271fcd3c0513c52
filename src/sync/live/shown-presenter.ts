// The page's presenter, as far as this tab knows (PR1–PR4). Takes the database's messages in whatever order they arrive, and
// forgets a presenter about whom no more of them come. Asks for nothing.
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';
import type { SessionId, UserId } from '../protocol/ids.ts';
import { type Place, isSamePlace } from '../protocol/place.ts';
import { PRESENTER_GONE_MS, type PresentingAnswer, type PresentingMessage } from '../protocol/presenting.ts';

export type Presenter = {
  /** Null for watchers by link: a link reveals nothing of the workspace. */
  readonly user: UserId | null;
  /** Chosen by the presenter: it may name a block that this page does not have. */
  readonly place: Place | null;
  /** This session presents. */
  readonly isOwn: boolean;
};

export class ShownPresenter {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #own: SessionId | null;
  readonly #changed: () => void;
  /** The time in the newest message or answer of the database. */
  #at = 0;
  #gone: Cancel | null = null;
  /** The presenter; one and the same object while nothing about it changes. Never this session. */
  current: Presenter | null = null;

  constructor(clock: Pick<Clock, 'after'>, own: SessionId | null, changed: () => void) {
    this.#clock = clock;
    this.#own = own;
    this.#changed = changed;
  }

  /** Returns false without a presentation, and for a message or answer that is not newer than one before. */
  learn(news: PresentingMessage | PresentingAnswer): boolean {
    if (news == null || news.at <= this.#at) return false;
    const age = 'age' in news ? news.age : 0;
    this.#at = news.at;
    this.#stopWaiting();
    const isOver = news.place === null || age >= PRESENTER_GONE_MS;
    if (isOver || (this.#own !== null && news.session === this.#own)) {
      this.#show(null);
      return true;
    }
    this.#gone = this.#clock.after(PRESENTER_GONE_MS - age, () => this.#show(null));
    const { current } = this;
    const { place, user = null } = news;
    // WC3: the message that ended the presentation of another person was lost.
    if (current?.user !== user) this.#show(null);
    const isSame = current?.user === user && isSamePlace(current.place, place);
    if (!isSame) this.#show(Object.freeze({ user, place, isOwn: false }));
    return true;
  }

  /**
   * The call's answer stands for the session's own message: earlier messages are old from now on, and so is what they said.
   * Returns false if another session has begun since.
   */
  ownCallAnswered(at: number): boolean {
    if (at > this.#at) {
      this.#at = at;
      this.#stopWaiting();
      this.#show(null);
    }
    return this.current === null;
  }

  stop(): void {
    this.#stopWaiting();
  }

  #show(presenter: Presenter | null): void {
    if (presenter === this.current) return;
    this.current = presenter;
    this.#changed();
  }

  #stopWaiting(): void {
    this.#gone?.();
    this.#gone = null;
  }
}

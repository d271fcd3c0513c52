// Shows in the awareness object who writes in a text beside the page, as the database says of people who may send no carets (CA6).
import type { Awareness } from 'y-protocols/awareness';
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';
import type { BesideMessage } from '../protocol/beside.ts';
import type { UserId } from '../protocol/ids.ts';
import { setRemoteState } from './timerless-awareness.ts';

/** A writer of whom no more is said has stopped: the message that says so was lost, or they are gone. */
export const WRITER_GONE_MS = 15_000;
/** Beyond the keys of carets, which are client ids and numbers below 2 ** 33. */
const FIRST_KEY = 2 ** 33;

export class WritersBeside {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #awareness: Awareness;
  readonly #keys = new Map<UserId, number>();
  readonly #shown = new Map<UserId, Cancel>();

  constructor(clock: Pick<Clock, 'after'>, awareness: Awareness) {
    this.#clock = clock;
    this.#awareness = awareness;
  }

  said({ user, beside }: BesideMessage): void {
    this.#hide(user);
    if (beside === null) return;
    this.#shown.set(
      user,
      this.#clock.after(WRITER_GONE_MS, () => this.#hide(user)),
    );
    setRemoteState(this.#awareness, this.#keyOf(user), { cursor: { beside }, user });
  }

  /** Also called when the session is not on the live topic any more: no message says then that they have stopped. */
  stop(): void {
    for (const user of [...this.#shown.keys()]) this.#hide(user);
  }

  #hide(user: UserId): void {
    this.#shown.get(user)?.();
    this.#shown.delete(user);
    setRemoteState(this.#awareness, this.#keyOf(user), null);
  }

  #keyOf(user: UserId): number {
    const key = this.#keys.get(user) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(user, key);
    return key;
  }
}

// SY19: rows reach the watch topics at most once a second. Whoever appended within that second publishes the rest when
// it is over.
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Clock, Log } from '../ports.ts';

const PUBLISH_AFTER_MS = 1_000;
const PUBLISH_TRIES = 4;

export interface TailPublisherHost {
  /** The newest own row; 0 when there is none. */
  savedSeq(): number;
}

export class TailPublisher {
  readonly #host: TailPublisherHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #timer: Cancel | null = null;
  #isStopped = false;

  constructor(host: TailPublisherHost, clock: Clock, log: Log, document: DocumentId) {
    this.#host = host;
    this.#clock = clock;
    this.#log = log;
    this.#document = document;
  }

  /** The watch topics were written to less than a second ago; when that second is over it is their turn. */
  later(triesLeft = PUBLISH_TRIES): void {
    if (this.#isStopped || triesLeft === 0) return;
    this.#timer ??= this.#clock.after(PUBLISH_AFTER_MS, () => {
      this.#timer = null;
      void this.#publish(triesLeft - 1);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#timer = null;
  }

  async #publish(triesLeft: number): Promise<void> {
    const published = await this.#log.publishPending(this.#document);
    // Another writer's append took the turn of that second, too early to tell of ours; or nobody watches any more.
    if (published.ok && published.value < this.#host.savedSeq()) this.later(triesLeft);
  }
}

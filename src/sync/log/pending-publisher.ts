// SY19: rows reach the watch topics at most once a second, and less often if many watch. If an own row came too soon after
// another one, this tab has the rest published when the database says that the pause is over.
import type { Cancel } from '../../lib/cancel.ts';
import type { SessionContext } from '../session-context.ts';

/** The wait if the database names no time: another writer's append was first, or no one watches any more. */
const PUBLISH_AFTER_MS = 1_000;
const PUBLISH_TRIES = 4;

export class PendingPublisher {
  readonly #context: SessionContext;
  #timer: Cancel | null = null;
  #newestOwnSeq = 0;
  #isStopped = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** An append was answered with this seq. */
  saved(seq: number): void {
    this.#newestOwnSeq = seq;
  }

  /** The watch topics were written to a moment ago: has the rest published in `ms`. */
  publishLater(ms: number, triesLeft = PUBLISH_TRIES): void {
    if (this.#isStopped || triesLeft === 0) return;
    this.#timer ??= this.#context.ports.clock.after(ms > 0 ? ms : PUBLISH_AFTER_MS, () => {
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
    const { documentId, ports } = this.#context;
    const published = await ports.log.publishPending(documentId);
    if (!published.ok) return;
    const { publishedSeq, publishIn } = published.value;
    // Another writer's append took that turn, too early to include our row; or no one watches any more.
    if (publishedSeq < this.#newestOwnSeq) this.publishLater(publishIn, triesLeft);
  }
}

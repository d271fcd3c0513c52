// SY19: rows reach the watch topics at most once a second. If an own row came too soon after another one, this tab has
// the rest published when that second is over.
import type { Cancel } from '../../lib/cancel.ts';
import type { SessionContext } from '../session-context.ts';

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

  /** The watch topics were written to less than a second ago: tries again when that second is over. */
  publishLater(triesLeft = PUBLISH_TRIES): void {
    if (this.#isStopped || triesLeft === 0) return;
    this.#timer ??= this.#context.ports.clock.after(PUBLISH_AFTER_MS, () => {
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
    // Another writer's append took that second's turn, too early to include our row; or nobody watches any more.
    if (published.ok && published.value < this.#newestOwnSeq) this.publishLater(triesLeft);
  }
}

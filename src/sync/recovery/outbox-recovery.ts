// Decides when to try again to recover outboxes whose lock was taken, because their tabs may die while this page is open
// (D6).
import type { Cancel } from '../../lib/cancel.ts';
import type { LogFetcher } from '../log/log-fetcher.ts';
import type { LogSender } from '../log/log-sender.ts';
import type { SessionContext } from '../session-context.ts';

/** A reloaded page holds its lock for a moment longer than it lives; a live tab's lock is tried ever more rarely. */
const RECOVER_AGAIN_MS = 300;
const RECOVER_AGAIN_MAX_MS = 30_000;

export class OutboxRecovery {
  readonly #context: SessionContext;
  readonly #fetcher: LogFetcher;
  readonly #sender: LogSender;
  #timer: Cancel | null = null;
  #isStopped = false;

  constructor(context: SessionContext, fetcher: LogFetcher, sender: LogSender) {
    this.#context = context;
    this.#fetcher = fetcher;
    this.#sender = sender;
  }

  start(waitMs = RECOVER_AGAIN_MS): void {
    const { ports, state } = this.#context;
    if (this.#isStopped || !state.pending.recovered.hasLocked) return;
    this.#timer = ports.clock.after(waitMs, () => {
      void this.#recover().then(() => this.start(Math.min(2 * waitMs, RECOVER_AGAIN_MAX_MS)));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
  }

  async #recover(): Promise<void> {
    const { emit, ports, state } = this.#context;
    const { pending } = state;
    const isMore = await pending.showRecovered(pending.recovered.recoverFreed(ports.locks));
    if (!isMore || this.#isStopped) return;
    emit({ type: 'viewChanged' });
    // Its tab may have seen rows that have not reached this one yet.
    await this.#fetcher.catchUp();
    this.#sender.sendNow();
  }
}

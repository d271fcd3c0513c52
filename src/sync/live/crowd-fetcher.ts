// Fetches rows while others write and may send too rarely to be followed (L8): calls cost none of Realtime's messages.
import type { Cancel } from '../../lib/cancel.ts';
import type { LogFetcher } from '../log/log-fetcher.ts';
import type { SessionContext } from '../session-context.ts';
import type { LiveUpdateSender } from './live-update-sender.ts';

export class CrowdFetcher {
  readonly #context: SessionContext;
  readonly #pace: Pick<LiveUpdateSender, 'fetchEveryMs'>;
  readonly #fetcher: Pick<LogFetcher, 'catchUp'>;
  #timer: Cancel | null = null;
  #isStopped = false;

  constructor(
    context: SessionContext,
    pace: Pick<LiveUpdateSender, 'fetchEveryMs'>,
    fetcher: Pick<LogFetcher, 'catchUp'>,
  ) {
    this.#context = context;
    this.#pace = pace;
    this.#fetcher = fetcher;
  }

  /** A call brought what there was: also the answer to an own append. */
  answered(): void {
    this.#timer?.();
    this.#timer = null;
    this.check();
  }

  /** Others may have written. */
  check(): void {
    if (this.#timer !== null || this.#isStopped) return;
    const ms = this.#pace.fetchEveryMs;
    if (ms === null) return;
    const { clock, random } = this.#context.ports;
    this.#timer = clock.after(ms * (0.5 + random.next() / 2), () => {
      this.#timer = null;
      const { connection, ports } = this.#context;
      if (connection.isLive && ports.environment.isVisible()) void this.#fetcher.catchUp();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#timer = null;
  }
}

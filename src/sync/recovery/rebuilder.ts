// Decides when the shown document is replaced by one replayed from the log, mostly to take live updates out of the
// view. One rebuild at a time; a failed one runs again when `retry` is called.
import type { LogFetcher } from '../log/log-fetcher.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { SessionContext } from '../session-context.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import { needsRebuild, rebuild } from './rebuild.ts';
import { replayLog } from './replay-log.ts';

/**
 * A rebuild fails while the row of an acknowledged edit is still on its way here. After this many, the session starts
 * anew (HI3).
 */
const MAX_TRIES = 5;

export class Rebuilder {
  readonly #context: SessionContext;
  readonly #fetcher: LogFetcher;
  /** Live updates of these sessions up to these numbers have to go. */
  readonly #dropped = new Map<SessionId, number>();
  #isDue = false;
  #isRunning = false;
  #isStopped = false;

  constructor(context: SessionContext, fetcher: LogFetcher) {
    this.#context = context;
    this.#fetcher = fetcher;
  }

  drop(upTo: ReadonlyMap<SessionId, number>): void {
    for (const [session, n] of upTo) this.#dropped.set(session, Math.max(n, this.#dropped.get(session) ?? 0));
    this.retry();
  }

  /** The document does not show what the log says. */
  rebuild(): void {
    this.#isDue = true;
    this.retry();
  }

  retry(): void {
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let tries = 0;
    while (tries < MAX_TRIES && (await this.#rebuildOnce())) tries += 1;
    this.#isRunning = false;
    if (tries === MAX_TRIES && !this.#isStopped) this.#context.emit({ type: 'mustStartAnew' });
  }

  /** Whether another try makes sense at once. */
  async #rebuildOnce(): Promise<boolean> {
    const { emit, state } = this.#context;
    state.pending.held.dropWaiting(this.#isDropped);
    // A shown one that own edits build on stays: it goes into the log with them.
    if (this.#isStopped || !(this.#isDue || needsRebuild(state, this.#isDropped))) {
      this.#dropped.clear();
      return false;
    }
    const replayed = await replayLog(this.#context);
    if (this.#isStopped) return false;
    if (!replayed.ok) {
      emit({ type: 'callFailed', error: replayed.error });
      return false;
    }
    if (!rebuild(state, replayed.value, this.#isDropped)) return this.#fetcher.catchUp();
    this.#dropped.clear();
    this.#isDue = false;
    emit({ type: 'documentReplaced' });
    return false;
  }

  readonly #isDropped = ({ part }: HeldUpdate): boolean => part.nTo <= (this.#dropped.get(part.session) ?? 0);
}

// Reports the threads whose words stand elsewhere by now. The person who moved them reports it; everyone else waits, and reports it
// only if that person's tab did not, because it closed or may not change the thread.
import type { MovedAnchor } from 'weft-document/comments/anchor-index.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';

type OnMoved = (thread: ThreadId, anchor: Anchor, known: Anchor) => void;

/** Each tab waits a random time in this range, so that of many tabs one is first. */
const OTHERS_WAIT_MS = { from: 20_000, to: 80_000 } as const;

export class MovedThreads {
  readonly #listeners = new Set<OnMoved>();
  readonly #waiting = new Map<ThreadId, { readonly known: Anchor; readonly timer: ReturnType<typeof setTimeout> }>();

  readonly onMoved = (run: OnMoved): Cancel => {
    this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  };

  /** Called in the middle of a transaction, so the report comes in a later task. */
  add(moved: MovedAnchor): void {
    this.#stopWaiting(moved.id);
    const { from, to } = OTHERS_WAIT_MS;
    const ms = moved.isOwn ? 0 : from + Math.random() * (to - from);
    this.#waiting.set(moved.id, { known: moved.known, timer: setTimeout(() => this.#report(moved), ms) });
  }

  /** Stops waiting for threads that are no longer shown, or that have another anchor by now: someone reported it. */
  settle(threads: readonly { readonly id: ThreadId; readonly anchor: Anchor }[]): void {
    const anchors = new Map(threads.map(({ id, anchor }) => [id, anchor]));
    for (const [id, { known }] of this.#waiting) {
      const anchor = anchors.get(id);
      if (anchor === undefined || JSON.stringify(anchor) !== JSON.stringify(known)) this.#stopWaiting(id);
    }
  }

  destroy(): void {
    for (const id of this.#waiting.keys()) this.#stopWaiting(id);
    this.#listeners.clear();
  }

  #report({ id, anchor, known }: MovedAnchor): void {
    this.#waiting.delete(id);
    for (const run of this.#listeners) run(id, anchor, known);
  }

  #stopWaiting(id: ThreadId): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
  }
}

// The comments of the page behind a link to watch: loaded while the link shows them, then only what changed since. None is
// stored on the device.
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { onceWithin } from '../../lib/async/once-within.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { LinkComments } from '../../ports/comments.ts';
import type { LinkThread } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { Timing } from '../offline/cached-list.ts';
import { DENIED } from './loaded-comments.ts';

export type LinkCommentsView = {
  /** `hidden`: the link shows none. */
  readonly phase: 'loading' | 'ready' | 'hidden';
  /** Oldest first. */
  readonly threads: readonly LinkThread[];
};

export interface LinkCommentsState {
  readonly getView: () => LinkCommentsView;
  readonly subscribe: (run: () => void) => Cancel;
  readonly close: () => void;
}

/** All watchers learn of a comment at once: each asks at a random moment within this time. */
const ASK_WITHIN_MS = 2_000;
const ASK_AGAIN_WITHIN_MS = 10_000;

export function linkComments(options: {
  readonly secret: LinkSecret;
  readonly watch: Pick<LinkWatch, 'getView' | 'subscribe'>;
  readonly comments: LinkComments;
  readonly timing: Pick<Timing, 'after' | 'random'>;
}): LinkCommentsState {
  const { secret, watch, comments, timing } = options;
  const changes = new Subscribable();
  const threads = new Map<ThreadId, LinkThread>();
  let view: LinkCommentsView = { phase: 'loading', threads: [] };
  /** The change that the link named last; null while it shows no comments. */
  let named: number | null = null;
  /** The newest change that is in `threads`. */
  let known = 0;
  /** Counts how often the link stopped showing them. */
  let generation = 0;
  let asks: Promise<void> | null = null;
  const soon = onceWithin(timing, () => {
    asks ??= ask().finally(() => (asks = null));
  });
  let isClosed = false;

  const show = (phase: LinkCommentsView['phase']) => {
    view = { phase, threads: Array.from(threads.values()).toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)) };
    changes.notify();
  };
  const forget = () => {
    threads.clear();
    known = 0;
  };
  const ask = async (): Promise<void> => {
    const [asked, askedIn] = [named, generation];
    const answer = await comments.list(secret, known);
    if (isClosed || named === null) return;
    // Since then `threads` was emptied: the answer lacks what it had.
    if (askedIn !== generation) return ask();
    if (!answer.ok) {
      if (!DENIED.includes(answer.error.code) && answer.error.code !== 'WF009') return soon.call(ASK_AGAIN_WITHIN_MS);
      forget();
      return show('hidden');
    }
    if (answer.value.change < known) {
      // The server went back to an earlier state.
      forget();
      return ask();
    }
    known = answer.value.change;
    for (const one of answer.value.threads) {
      if ('removed' in one) threads.delete(one.id);
      else threads.set(one.id, one);
    }
    show('ready');
    if (named !== asked) soon.call(ASK_WITHIN_MS);
  };
  const follow = () => {
    const { comments: change } = watch.getView();
    if (change === named) return;
    const isFirst = named === null;
    named = change;
    if (change !== null) return soon.call(isFirst ? 0 : ASK_WITHIN_MS);
    generation += 1;
    soon.cancel();
    forget();
    show('hidden');
  };
  const stop = watch.subscribe(follow);
  follow();

  return {
    getView: () => view,
    subscribe: changes.subscribe,
    close() {
      isClosed = true;
      stop();
      soon.cancel();
    },
  };
}

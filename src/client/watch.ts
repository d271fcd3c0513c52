// `import { watch } from 'weft-client'`: follows a page by its share link, in Node.
import * as v from 'valibot';
import { fromBase64, toBase64 } from '../lib/bytes.ts';
import { parseJsonOrNull } from '../lib/parse-or-null.ts';
import { NodeMarkdown } from './node-markdown.ts';
import type { PageChange } from './page-change.ts';
import { PageWatch, type Start } from './page-watch.ts';
import { WatchError } from './watch-error.ts';
import { parseWatchLink } from './watch-link.ts';

export type { BlockChange, PageChange, TitleChange } from './page-change.ts';
export { WatchError, type WatchErrorCode } from './watch-error.ts';

/**
 * A place between two changes, for another `watch`. Plain JSON. `page` is the page of then; without it all changes are fetched
 * again, though only those after `seq` are reported. `at` is the time of the change `seq`; with it a restored server is noticed.
 */
export type WatchPosition = v.InferOutput<typeof watchPosition>;

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const watchPosition = v.object({ seq: whole, page: v.nullable(v.string()), at: v.optional(whole) });

/** Reads a position that was stored as JSON. Null for anything else. */
export const parsePosition = (json: string): WatchPosition | null => parseJsonOrNull(watchPosition, json);

export type WatchOptions = {
  /** Ends the iteration. It does not throw. */
  readonly signal?: AbortSignal;
  /** Reports every change after this one: a `position()`, or a change's `seq`. Left out: from now on. */
  readonly since?: WatchPosition | number;
  /** Ends with `unreachable` after this time without an answer. Left out: it keeps trying. */
  readonly timeoutMs?: number;
};

/** Can be iterated once: leaving the loop closes it. */
export interface PageWatcher extends AsyncIterable<PageChange> {
  /** Resolves with the page's title when the page is here. Not needed before iterating. */
  ready(): Promise<string>;
  /** The page as of the newest change that has arrived, which may be newer than the one that the iteration is at. */
  markdown(): Promise<{ readonly seq: number; readonly markdown: string }>;
  /** After the change that the iteration is at, which counts as handled. Null before the page is here. */
  position(): WatchPosition | null;
  close(): void;
}

/** Throws a `WatchError` with the code `badLink` for what is no link. Later errors come out of the iteration. */
export function watch(link: string, { signal, since, timeoutMs }: WatchOptions = {}): PageWatcher {
  const parsed = parseWatchLink(link);
  if (parsed === null) throw new WatchError('badLink', 'it looks like https://host/s#secret');
  const pageWatch = new PageWatch(parsed, {
    start: startOf(since),
    openWithinMs: timeoutMs ?? null,
    timeoutMs: timeoutMs ?? null,
    isOnce: false,
  });
  const writer = new NodeMarkdown();
  const close = () => {
    signal?.removeEventListener('abort', close);
    pageWatch.close();
    writer.close();
  };
  signal?.addEventListener('abort', close);
  if (signal?.aborted === true) close();
  /** Changes of the batch in hand that the iteration has not reached. */
  let rest: readonly PageChange[] = [];
  let reachedSeq: number | null = null;
  return {
    ready: async () => (await pageWatch.start())?.title ?? '',
    async markdown() {
      await pageWatch.start();
      const page = pageWatch.page();
      return page === null ? { seq: 0, markdown: '' } : { seq: page.seq, markdown: await writer.write(page) };
    },
    position() {
      const position = pageWatch.position();
      if (position === null) return null;
      if (rest.length > 0 && reachedSeq !== null) return { seq: reachedSeq, page: null };
      const { seq, stored } = position;
      return stored === null
        ? { seq, page: null }
        : { seq, page: toBase64(stored.state), ...(stored.at === null ? {} : { at: stored.at }) };
    },
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for (let batch = await pageWatch.next(); batch !== null; batch = await pageWatch.next()) {
          rest = batch.changes;
          for (const change of batch.changes) {
            if (signal?.aborted === true) return;
            rest = rest.slice(1);
            reachedSeq = change.seq;
            yield change;
          }
        }
      } finally {
        close();
      }
    },
  };
}

function startOf(since: WatchOptions['since']): Start | null {
  if (since === undefined) return null;
  if (typeof since === 'number') return { seq: since, stored: null };
  const state = since.page === null ? null : fromBase64(since.page);
  return {
    seq: since.seq,
    stored: state === null ? null : { seq: since.seq, at: since.at ?? null, state },
  };
}

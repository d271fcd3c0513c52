// The comments of one page as the server has them, with a copy on this device. Each answer has only what changed since the one
// before.
import type { Atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { type Result, ok } from '../../lib/result.ts';
import type { Comments } from '../../ports/comments.ts';
import type { ListCache } from '../../ports/device.ts';
import type { ChangedThread } from '../../protocol/comments.ts';
import { type ListState, type Timing, cachedList } from '../offline/cached-list.ts';
import { commentsKey } from '../offline/cached-pages.ts';
import type { AtomStore } from '../store.ts';
import { type KnownComments, parseStoredComments, peopleIn, withList, withThread } from './known-comments.ts';

/** With these codes the server says that the person may not read the comments. */
export const DENIED: readonly WeftError['code'][] = ['WF001', 'WF002'];

export interface LoadedComments {
  readonly atom: Atom<ListState<KnownComments>>;
  readonly refresh: () => Promise<void>;
  /** Asks for everything anew: what is known may be of a server that was restored from an earlier state. */
  readonly reload: () => void;
  /** Takes the answer to a write. Null: the answer had no thread. Resolves when the list has it. */
  readonly receive: (thread: ChangedThread | null) => Promise<void>;
  readonly markRead: () => void;
  /** This person has read everything that is known here, and no newer list is on its way. */
  readonly isAllRead: () => boolean;
  readonly close: () => void;
}

export function loadedComments(options: {
  readonly document: DocumentId;
  readonly store: AtomStore;
  readonly comments: Pick<Comments, 'list' | 'markRead'>;
  readonly listCache: ListCache;
  readonly timing: Timing;
  readonly ensureLoaded: (people: readonly UserId[]) => void;
}): LoadedComments {
  const { document, store, comments } = options;
  let mustReload = false;
  let isAsking = false;

  const ask = async (after: number) => {
    isAsking = true;
    const answer = await comments.list(document, after);
    isAsking = false;
    return answer;
  };
  const fetch = async (known: () => KnownComments | null): Promise<Result<KnownComments, WeftError>> => {
    const isReload = mustReload;
    mustReload = false;
    const after = isReload ? 0 : (known()?.change ?? 0);
    const answer = await ask(after);
    if (!answer.ok) {
      mustReload ||= isReload;
      return answer;
    }
    // Answers to writes may have come meanwhile.
    const before = known();
    if (isReload || (before === null && after === 0)) return answer;
    // The server was restored from an earlier state, or what the answer builds on is gone.
    if (before === null || answer.value.change < after) return ask(0);
    // An earlier `markRead` did not reach the server.
    if (answer.value.readChange < before.readChange) void comments.markRead(document, before.readChange);
    return ok(withList(before, answer.value));
  };
  const list = cachedList<KnownComments>({
    ...options,
    key: commentsKey(document),
    fetch,
    parse: parseStoredComments,
    goneCodes: DENIED,
  });
  const value = () => store.get(list.atom).value;
  const stopNaming = store.sub(list.atom, () => {
    const known = value();
    if (known !== null) options.ensureLoaded(peopleIn(known));
  });

  return {
    atom: list.atom,
    refresh: list.refresh,
    reload() {
      mustReload = true;
      void list.refresh();
    },
    async receive(thread) {
      if (thread === null || value() === null) return list.refresh();
      list.amend((known) => withThread(known, thread));
    },
    markRead() {
      const known = value();
      if (known === null || known.readChange >= known.change) return;
      list.amend((now) => ({ ...now, readChange: known.change }));
      void comments.markRead(document, known.change);
    },
    isAllRead() {
      const known = value();
      return known !== null && known.readChange >= known.change && !isAsking;
    },
    close() {
      stopNaming();
      list.close();
    },
  };
}

/** Puts the answer to a write into the copy of a page that is not open. */
export async function receiveStored(listCache: ListCache, document: DocumentId, thread: ChangedThread): Promise<void> {
  const known = parseStoredComments(await listCache.load(commentsKey(document)));
  if (known !== null) await listCache.save(commentsKey(document), withThread(known, thread));
}

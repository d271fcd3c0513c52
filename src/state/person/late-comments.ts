// The person's comments, whose code loads after the first screen: with the first page that is shown, or a little later for what
// waits on this device.
import { type Atom, atom } from 'jotai/vanilla';
import type { PersonComments, WaitingComment } from '../comments/person-comments.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

export interface LateComments {
  /** Null until the code is loaded. */
  readonly atom: Atom<PersonComments | null>;
  readonly waitingAtom: Atom<readonly WaitingComment[]>;
  /** Resolves to null if the code can't be loaded now. */
  readonly load: () => Promise<PersonComments | null>;
  readonly close: () => void;
}

const LOAD_AFTER_MS = 2_000;
const NONE: readonly WaitingComment[] = [];

export function lateComments(
  store: AtomStore,
  timing: Pick<Timing, 'after'>,
  open: () => Promise<PersonComments>,
): LateComments {
  const commentsAtom = atom<PersonComments | null>(null);
  let opening: Promise<PersonComments | null> | null = null;
  let isClosed = false;
  const load = () => {
    opening ??= open().then(
      (comments) => {
        if (isClosed) comments.close();
        else store.set(commentsAtom, comments);
        return comments;
      },
      // The network went away before the code was here.
      () => (opening = null),
    );
    return opening;
  };
  const stopWaiting = timing.after(LOAD_AFTER_MS, () => void load());
  return {
    atom: commentsAtom,
    waitingAtom: atom((get) => get(get(commentsAtom)?.waitingAtom ?? noneAtom)),
    load,
    close() {
      isClosed = true;
      stopWaiting();
      store.get(commentsAtom)?.close();
    },
  };
}

const noneAtom = atom(NONE);

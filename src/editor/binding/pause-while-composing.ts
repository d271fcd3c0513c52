// Holds back remote edits while a word is being composed (IME), each for two seconds at most. A change next to the word
// would break the browser's composition (T15 in docs/losses.md).
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { Cancel } from '../../lib/cancel.ts';

/** The longest time a remote edit waits. */
export const MAX_WAIT_MS = 2000;
/** After the end of a composition. ProseMirror reads and redraws the word up to 20 ms later. */
const SETTLE_MS = 50;

export const pauseWhileComposing = (session: Session) =>
  Extension.create({
    name: 'pauseWhileComposing',
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => ({ destroy: watchComposition(view, session) }) })],
  });

function watchComposition(view: EditorView, session: Session): () => void {
  let release: Cancel | null = null;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const resume = () => {
    clearTimeout(limit);
    clearTimeout(settling);
    release?.();
    release = null;
  };
  const hold = () => {
    resume();
    release = session.pauseRemote(MAX_WAIT_MS);
    // If the composition takes longer, the waiting edits are applied and new ones wait again. Not every browser
    // reports the end of a composition.
    limit = setTimeout(() => (view.composing ? hold() : resume()), MAX_WAIT_MS);
  };
  const begin = () => {
    clearTimeout(settling);
    if (release === null) hold();
  };
  const end = () => {
    clearTimeout(settling);
    settling = setTimeout(resume, SETTLE_MS);
  };
  view.dom.addEventListener('compositionstart', begin);
  view.dom.addEventListener('compositionend', end);
  return () => {
    view.dom.removeEventListener('compositionstart', begin);
    view.dom.removeEventListener('compositionend', end);
    resume();
  };
}

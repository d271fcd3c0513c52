// A word that is being composed (IME) is the browser's until it is done: a change beside it would break it. What others
// write waits that long, though never longer than two seconds (T15).
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Cancel } from '../../lib/cancel.ts';
import type { Session } from '../../sync/session/session-api.ts';

/** So long an edit of others may wait. */
export const MAX_WAIT_MS = 2000;
/** ProseMirror reads the composed word this long after its end at the latest (20 ms), and draws it anew. */
const SETTLE_MS = 50;

export const composing = (session: Session) =>
  Extension.create({
    name: 'composing',
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => ({ destroy: holdWhileComposing(view, session) }) })],
  });

function holdWhileComposing(view: EditorView, session: Session): () => void {
  let release: Cancel | null = null;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const letGo = () => {
    clearTimeout(limit);
    clearTimeout(settling);
    release?.();
    release = null;
  };
  const hold = () => {
    letGo();
    release = session.pauseRemote(MAX_WAIT_MS);
    // A word that takes longer: what waited went through, what comes now waits anew. Not every browser tells its end.
    limit = setTimeout(() => (view.composing ? hold() : letGo()), MAX_WAIT_MS);
  };
  const begin = () => {
    clearTimeout(settling);
    if (release === null) hold();
  };
  const end = () => {
    clearTimeout(settling);
    settling = setTimeout(letGo, SETTLE_MS);
  };
  view.dom.addEventListener('compositionstart', begin);
  view.dom.addEventListener('compositionend', end);
  return () => {
    view.dom.removeEventListener('compositionstart', begin);
    view.dom.removeEventListener('compositionend', end);
    letGo();
  };
}

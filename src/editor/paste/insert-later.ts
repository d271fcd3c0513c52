// Inserts pasted content that is ready only later, at the place where it was pasted.
import { TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { trackPosition } from '../files/pending-positions.ts';

/** Runs the insertion with the selection of the paste; false if the editor takes no edits any more. */
export type InsertLater = (insert: () => void) => boolean;

/** Remembers the selection. Its ends move with everything that is written meanwhile. Call the result once. */
export function rememberPlace(view: EditorView): InsertLater {
  const { from, to } = view.state.selection;
  const start = trackPosition(view, from);
  const end = trackPosition(view, to);
  return (insert) => {
    if (view.isDestroyed) return false;
    const [first, last] = [start(), end()];
    if (!view.editable) return false;
    const { selection, doc } = view.state;
    const isElsewhere = selection.from !== first || selection.to !== last;
    const caretBefore = isElsewhere ? trackPosition(view, selection.head) : null;
    if (isElsewhere) {
      const intended = TextSelection.between(doc.resolve(first), doc.resolve(last));
      view.dispatch(view.state.tr.setSelection(intended));
    }
    insert();
    if (caretBefore === null) return true;
    // If the user is writing somewhere else by now, the caret returns there.
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(caretBefore()))));
    return true;
  };
}

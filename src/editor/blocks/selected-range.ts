// The selection of an editor as a range of the DOM, to paint it while the editor has no focus: the browser hides it then.
import type { EditorView } from '@tiptap/pm/view';

export function selectedRange(view: EditorView): Range {
  const { from, to } = view.state.selection;
  const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)];
  const range = new Range();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return range;
}

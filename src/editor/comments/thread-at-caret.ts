// Notices when someone clicks the words of a thread, or moves the caret into them.
import type { Editor } from '@tiptap/core';
import { type EditorState, NodeSelection, type Transaction } from '@tiptap/pm/state';
import type { Cancel } from '../../lib/cancel.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { comesFromDocument } from '../binding/binding-of.ts';
import { commentMarksKey } from './comment-plugin.ts';
import { type ThreadMark, threadMarksIn } from './thread-marks.ts';

/** The meta of a transaction that puts the caret into words without that being someone's choice. */
export const PLACED = 'placed';

/** `onThread`: null when the caret has left the words of a thread, and after a click beside all of them. */
export function watchThreadAtCaret(editor: Editor, onThread: (thread: ThreadId | null) => void): Cancel {
  const { view } = editor;
  let current: ThreadId | null = null;
  const onTransaction = ({ transaction }: { transaction: Transaction }) => {
    if (!transaction.selectionSet || comesFromDocument(transaction) || hasSelectedWords(view.state)) return;
    const before = current;
    current = threadAt(view.state);
    if (current !== before && transaction.getMeta(commentMarksKey) !== PLACED) onThread(current);
  };
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return;
    const isClicked = ({ id }: ThreadMark) => target.closest(`[data-thread="${id}"]`) !== null;
    current = shortest(threadMarksIn(view.state).filter(isClicked));
    onThread(current);
  };
  editor.on('transaction', onTransaction);
  view.dom.addEventListener('click', onClick);
  return () => {
    editor.off('transaction', onTransaction);
    view.dom.removeEventListener('click', onClick);
  };
}

/** Someone who selects words does not ask for their threads. */
const hasSelectedWords = ({ selection }: EditorState): boolean =>
  !selection.empty && !(selection instanceof NodeSelection);

/** The thread whose words, or whose block, the selection is in; null if there is none. */
export function threadAt(state: EditorState): ThreadId | null {
  const { selection } = state;
  const isNode = selection instanceof NodeSelection;
  const { from, to } = selection;
  // A caret beside a block is not in it.
  const isHere = (mark: ThreadMark) => mark.kind !== 'block' || (isNode ? mark.from === from : mark.from < from);
  return shortest(threadMarksIn(state, from, to).filter(isHere));
}

/** Of threads that overlap, the one about the fewest words is meant. */
function shortest(marks: readonly ThreadMark[]): ThreadId | null {
  const [first] = marks.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  return first === undefined || first.id === 'draft' ? null : first.id;
}

// Lines within a code block: indent, outdent, a new line with the indent of the one before, and leaving the block.
// Indenting and outdenting change only white space, so that they merge with what others type in the same lines.
import type { Command, EditorState, Transaction } from '@tiptap/pm/state';
import { type PlacedBlock, blockAt, isCode } from '../schema/block-at.ts';

const INDENT = '  ';
const OPENING = /[{([:]$/;

/** Tab and Shift-Tab in code; false elsewhere. */
export const shiftCodeLines =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const block = blockAt(state.selection.$from);
    if (block === null || !isCode(block.node)) return false;
    if (dispatch === undefined) return true;
    const starts = selectedLines(state, block);
    if (by > 0 && state.selection.empty) dispatch(state.tr.insertText(INDENT).scrollIntoView());
    else dispatch(shiftLines(state, block, starts, by).scrollIntoView());
    return true;
  };

/** Enter: the next line has the same indent as this one, or one step more after an opening bracket or a colon. */
export function newCodeLine(state: EditorState): Transaction {
  const { $from } = state.selection;
  const before = $from.parent.textContent.slice(0, $from.parentOffset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return state.tr.insertText(`\n${indent}${OPENING.test(line) ? INDENT : ''}`);
}

/** Enter on a blank last line leaves the code block: this removes that line. Null anywhere else. */
export function leaveBlankCodeLine({ selection, tr }: EditorState, { node, at }: PlacedBlock): Transaction | null {
  const text = node.textContent;
  const blank = /\n[ \t]*$/.exec(text);
  if (!selection.empty || selection.$from.parentOffset !== text.length || blank === null) return null;
  return tr.delete(at + 1 + blank.index, at + 1 + text.length);
}

/** Offsets at which the selected lines begin. */
function selectedLines({ selection: { from, to } }: EditorState, { node, at }: PlacedBlock): readonly number[] {
  const text = node.textContent;
  const first = text.slice(0, Math.max(0, from - at - 1)).lastIndexOf('\n') + 1;
  const last = Math.min(to - at - 1, text.length);
  const starts = [first];
  for (let next = text.indexOf('\n', first); next >= 0 && next < last; next = text.indexOf('\n', next + 1)) {
    // A selection that ends before a line's first character does not include that line.
    if (next + 1 < last || from === to) starts.push(next + 1);
  }
  return starts;
}

function shiftLines(
  { tr }: EditorState,
  { node, at }: PlacedBlock,
  starts: readonly number[],
  by: 1 | -1,
): Transaction {
  // From last to first, so that earlier offsets stay valid.
  for (const start of starts.toReversed()) {
    const line = node.textContent.slice(start);
    const spaces = /^(?:\t| {1,2})/.exec(line)?.[0].length ?? 0;
    const from = at + 1 + start;
    if (by < 0 && spaces > 0) tr.delete(from, from + spaces);
    else if (by > 0 && line !== '' && !line.startsWith('\n')) tr.insert(from, tr.doc.type.schema.text(INDENT));
  }
  return tr;
}

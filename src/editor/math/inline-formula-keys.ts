// The keys at a formula in a line. The second `$` makes it; Escape, Backspace or undo right after give the characters back. The
// arrows go into its source, and Enter or Escape out of it.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { FORMULA_MARK, type InlineFormula, formulaClosedBy } from 'weft-document/blocks/inline-formulas.ts';
import { MATH } from 'weft-document/names.ts';
import type * as Y from 'yjs';
import { isCode } from '../schema/block-at.ts';
import { formulaAround, formulaBefore, formulaBehind } from './inline-formulas.ts';

/** The end of the formula that was just made, for as long as the caret stays there; otherwise null. */
const key = new PluginKey<number | null>('inlineFormulaKeys');
/** So many characters before the second sign are searched for the first one. */
const READ_BACK = 1_100;

export const inlineFormulaKeys = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'inlineFormulaKeys',
    // Before the keys that leave a list, select a block and the like.
    priority: 1050,
    addProseMirrorPlugins: () => [
      new Plugin<number | null>({
        key,
        state: {
          init: () => null,
          apply(transaction, before) {
            const made: number | null = transaction.getMeta(key) ?? before;
            const end = made === null ? null : transaction.mapping.map(made, -1);
            const { selection } = transaction;
            return end !== null && selection.empty && selection.head === end ? end : null;
          },
        },
        props: {
          handleTextInput: (view, from, to, text) => onText(view, undo, from, to, text),
          handleKeyDown: (view, event) => onKey(view, undo, event),
          handleDOMEvents: { beforeinput: (view, event) => onDelete(view, event) },
        },
      }),
    ],
  });

function onText(view: EditorView, undo: Y.UndoManager, from: number, to: number, text: string): boolean {
  const { state } = view;
  const $from = state.doc.resolve(from);
  if (view.composing || isCode($from.parent) || $from.parent.type.name === MATH) return false;
  // `$5-$6`: they were amounts.
  if (/^\d/.test(text) && key.getState(state) === from) giveBack(view, undo);
  if (text !== '$' || formulaAround(state.doc, from) !== null) return false;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - READ_BACK), $from.parentOffset);
  const closed = formulaClosedBy(`${before}$`);
  const { [FORMULA_MARK]: formula, code } = state.schema.marks;
  // A backtick will make code of it.
  if (closed === null || formula === undefined || before.split('`').length % 2 === 0) return false;
  const start = from - (closed.to - closed.from - 1);
  if (code !== undefined && start < from && state.doc.rangeHasMark(start, from, code)) return false;
  view.dispatch(state.tr.insertText('$', from, to).scrollIntoView());
  // Undo gives back what was typed, with its last sign.
  undo.stopCapturing();
  const mark = view.state.tr.addMark(start, from + 1, formula.create()).removeStoredMark(formula);
  view.dispatch(mark.setMeta(key, from + 1));
  undo.stopCapturing();
  return true;
}

/** Takes the mark from the formula that was just made. */
function giveBack(view: EditorView, undo: Y.UndoManager): boolean {
  const end = key.getState(view.state) ?? null;
  const made = end === null ? null : formulaBefore(view.state.doc, end);
  const type = view.state.schema.marks[FORMULA_MARK];
  if (made === null || type === undefined) return false;
  undo.stopCapturing();
  view.dispatch(view.state.tr.removeMark(made.from, made.to, type));
  return true;
}

function onKey(view: EditorView, undo: Y.UndoManager, event: KeyboardEvent): boolean {
  const { state } = view;
  const { selection } = state;
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!isPlain || view.composing || !(selection instanceof TextSelection) || !selection.empty) return false;
  const at = selection.head;
  if ((event.key === 'Escape' || event.key === 'Backspace') && giveBack(view, undo)) return true;
  if (event.key === 'Enter' || event.key === 'Escape') {
    const around = formulaAround(state.doc, at);
    return around !== null && moveTo(view, around.to);
  }
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return false;
  const isForward = (event.key === 'ArrowRight') === (directionAt(view, at) === 'ltr');
  const next = isForward ? formulaBehind(state.doc, at) : formulaBefore(state.doc, at);
  return next !== null && moveTo(view, isForward ? next.from + 1 : next.to - 1);
}

function directionAt(view: EditorView, at: number): string {
  const { node } = view.domAtPos(at);
  const element = node instanceof Element ? node : node.parentElement;
  return element === null ? 'ltr' : getComputedStyle(element).direction;
}

function moveTo(view: EditorView, at: number): boolean {
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)).scrollIntoView());
  return true;
}

/**
 * The browser does not find the hidden characters. Deleting a character deletes the formula's sign, which shows its
 * source; deleting a word or line deletes the formula.
 */
function onDelete(view: EditorView, event: InputEvent): boolean {
  const direction = /^delete(Content|Word|SoftLine|HardLine)(Backward|Forward)$/.exec(event.inputType);
  if (direction === null || !view.editable || view.composing) return false;
  const deleted = deletedRange(view.state, direction[1] === 'Content', direction[2] === 'Forward');
  if (deleted === null) return false;
  event.preventDefault();
  view.dispatch(view.state.tr.delete(deleted.from, deleted.to).scrollIntoView());
  return true;
}

function deletedRange(
  { doc, selection }: EditorState,
  isCharacter: boolean,
  isForward: boolean,
): Pick<InlineFormula, 'from' | 'to'> | null {
  if (!(selection instanceof TextSelection) || !selection.empty) return null;
  const at = selection.head;
  const formula = isForward ? formulaBehind(doc, at) : formulaBefore(doc, at);
  if (formula === null || !isCharacter) return formula;
  return isForward ? { from: at, to: at + 1 } : { from: at - 1, to: at };
}

// Selecting whole blocks, and the keys that act on them. Escape or a second Ctrl-A starts it, Shift with an arrow
// extends it.
import { Extension } from '@tiptap/core';
import { type Command, NodeSelection, Plugin, Selection, TextSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { BLOCK } from 'weft-document/names.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { blockAt } from '../schema/block-at.ts';
import { BlockSelection, positionOf, touchedBlocks } from './block-selection.ts';
import { isHidden, visiblePosition } from './folding.ts';
import { manySelectedRule } from './many-selected-rule.ts';
import { duplicateSelected, moveSelected } from './move-selected-blocks.ts';

/** Dispatches `blockMenu` on the given target when the user asks for the menu of the selected blocks. */
export const blockSelecting = (context: EditContext, uiCommands: EventTarget) =>
  Extension.create({
    name: 'blockSelecting',
    priority: 600,
    addKeyboardShortcuts() {
      const { editor } = this;
      const run = (command: Command) => () => command(editor.view.state, editor.view.dispatch, editor.view);
      const move = (by: 1 | -1) => () => editor.isEditable && moveSelected(editor, context, by);
      return {
        ArrowUp: run(moveSelection(-1, false)),
        ArrowDown: run(moveSelection(1, false)),
        'Shift-ArrowUp': run(moveSelection(-1, true)),
        'Shift-ArrowDown': run(moveSelection(1, true)),
        ArrowLeft: run(backToText(-1)),
        ArrowRight: run(backToText(1)),
        Enter: run(backToText(1)),
        'Mod-a': run(selectMore),
        'Alt-Shift-ArrowUp': move(-1),
        'Alt-Shift-ArrowDown': move(1),
        'Mod-d': () => editor.isEditable && duplicateSelected(editor, context),
        'Mod-/': () => uiCommands.dispatchEvent(new Event('blockMenu')),
      };
    },
    addProseMirrorPlugins: () => [
      new Plugin({
        view: () => manySelectedRule(),
        props: {
          decorations: ({ doc, selection }) => {
            if (!(selection instanceof BlockSelection) || selection.isMany) return null;
            const decorations: Decoration[] = [];
            const { from, to } = selection.blocks;
            for (let index = from, at = selection.from; index < to; index++) {
              const end = at + doc.child(index).nodeSize;
              decorations.push(Decoration.node(at, end, { class: 'is-selected' }));
              at = end;
            }
            return DecorationSet.create(doc, decorations);
          },
          handleTextInput: (view, _from, _to, text) => typeOverBlocks(view, text),
          handleDOMEvents: {
            compositionstart: (view) => {
              typeOverBlocks(view, '');
              return false;
            },
          },
        },
      }),
    ],
  });

/** Escape selects the blocks that the selection touches. A second Escape puts the caret at the end of the last one. */
export const selectBlock: Command = (state, dispatch) => {
  const { doc, selection, tr } = state;
  if (doc.childCount === 0) return false;
  if (selection instanceof BlockSelection) return backToText(1)(state, dispatch);
  const { from, to } = touchedBlocks(state);
  dispatch?.(tr.setSelection(BlockSelection.between(doc, from, to - 1)));
  return true;
};

/** Ctrl-A selects the text of the block first, then all blocks. */
const selectMore: Command = ({ doc, selection, tr }, dispatch) => {
  if (doc.childCount === 0) return false;
  const block = selection instanceof BlockSelection ? null : blockAt(selection.$from);
  const start = (block?.at ?? 0) + 1;
  const end = start + (block?.node.content.size ?? 0);
  const isWithin = block !== null && selection.to <= end && (selection.from > start || selection.to < end);
  const all = () => BlockSelection.between(doc, 0, doc.childCount - 1);
  dispatch?.(tr.setSelection(isWithin ? TextSelection.create(doc, start, end) : all()));
  return true;
};

/**
 * With blocks selected, an arrow selects the next block and Shift-arrow extends the selection. In text, Shift-arrow
 * beyond the end of the block starts a block selection.
 */
const moveSelection =
  (by: 1 | -1, extend: boolean): Command =>
  (state, dispatch, view) => {
    const { doc, selection, tr } = state;
    if (selection instanceof BlockSelection) {
      const isHiddenAt = (index: number) => isHidden(state, positionOf(doc, index));
      // Folded blocks move together with their toggle.
      let [anchor, head] = [selection.anchorIndex, selection.headIndex];
      while (isHiddenAt(anchor)) anchor--;
      while (isHiddenAt(head)) head--;
      do head += by;
      while (head >= 0 && head < doc.childCount && isHiddenAt(head));
      if (head < 0 || head >= doc.childCount) return true;
      dispatch?.(tr.setSelection(BlockSelection.between(doc, extend ? anchor : head, head)).scrollIntoView());
      return true;
    }
    if (!extend || (!(selection instanceof TextSelection) && !(selection instanceof NodeSelection))) return false;
    // Selections within a table are handled by its own keys.
    if (selection.$head.depth > 1) return false;
    if (selection instanceof TextSelection && view?.endOfTextblock(by > 0 ? 'down' : 'up') !== true) return false;
    const [$anchor, $head] = selection instanceof NodeSelection ? [selection.$from, selection.$from] : ends(selection);
    const anchor = $anchor.index(0);
    const head = Math.max(0, Math.min($head.index(0) + by, doc.childCount - 1));
    dispatch?.(tr.setSelection(BlockSelection.between(doc, anchor, head)).scrollIntoView());
    return true;
  };

const ends = ({ $anchor, $head }: Selection) => [$anchor, $head] as const;

/** Back into the text: at the end of the last selected block, or at the start of the first. */
const backToText =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const { doc, selection, tr } = state;
    if (!(selection instanceof BlockSelection)) return false;
    // Into the toggle's own text, not into its folded body.
    const at = by > 0 ? visiblePosition(state, selection.to - 1) + 1 : selection.from;
    const $at = doc.resolve(at);
    const inside = by > 0 ? at - 1 : at + 1;
    const node = by > 0 ? $at.nodeBefore : $at.nodeAfter;
    dispatch?.(
      tr.setSelection(
        node?.isTextblock === true ? TextSelection.create(doc, inside) : Selection.near($at, by > 0 ? -1 : 1),
      ),
    );
    return true;
  };

/** Text typed over selected blocks replaces them with a new paragraph. */
function typeOverBlocks(view: EditorView, text: string): boolean {
  const { selection, schema, tr } = view.state;
  const type = schema.nodes[BLOCK];
  if (!(selection instanceof BlockSelection) || type === undefined || !view.editable) return false;
  tr.replaceWith(selection.from, selection.to, type.create());
  const at = positionOf(tr.doc, selection.blocks.from) + 1;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, at)).scrollIntoView());
  if (text === '') return true;
  // Handled like typed text, so that smart quotes, menus and Markdown shortcuts apply.
  const insert = () => view.state.tr.insertText(text, at);
  if (view.someProp('handleTextInput', (handle) => handle(view, at, at, text, insert)) !== true)
    view.dispatch(insert());
  return true;
}

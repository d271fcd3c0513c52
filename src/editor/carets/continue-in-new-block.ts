// If someone deletes a block while you type in it, your next characters go into a new block in its place. Without this,
// ProseMirror would leave the caret in a neighbouring block, and the characters would be glued to other people's words.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK } from 'weft-document/names.ts';
import { comesFromDocument } from '../binding/binding-of.ts';

/**
 * The longest time from the last key to the deletion, and from the deletion to a key that was meant for the deleted
 * text.
 */
const MAX_PAUSE_MS = 1_500;

/** `position` is a position between blocks, where the deleted block was. */
type TypingState = {
  readonly typedAt: number;
  readonly deleted: { readonly position: number; readonly at: number } | null;
};
const KEY = new PluginKey<TypingState>('continueInNewBlock');

export const ContinueInNewBlock = Extension.create({
  name: 'continueInNewBlock',
  // Before the keys that join blocks.
  priority: 950,
  addProseMirrorPlugins: () => [
    new Plugin<TypingState>({
      key: KEY,
      state: {
        init: () => ({ typedAt: -Infinity, deleted: null }),
        apply(transaction, value, before, after) {
          const now = performance.now();
          if (!comesFromDocument(transaction)) {
            if (transaction.docChanged) return { typedAt: now, deleted: null };
            return transaction.selectionSet && value.deleted !== null ? { ...value, deleted: null } : value;
          }
          if (!transaction.docChanged) return value;
          if (value.deleted !== null) {
            return {
              ...value,
              deleted: { ...value.deleted, position: transaction.mapping.map(value.deleted.position, -1) },
            };
          }
          if (now - value.typedAt > MAX_PAUSE_MS) return value;
          const position = positionOfDeleted(transaction, before, after);
          return position === null ? value : { ...value, deleted: { position, at: now } };
        },
      },
      props: {
        handleTextInput: (view, _from, _to, text) => writeInNewBlock(view, text),
        handleKeyDown(view, { key }) {
          if (key === 'Enter') return writeInNewBlock(view, '');
          // The key was meant for characters that are gone with their block.
          return (key === 'Backspace' || key === 'Delete') && deletedPosition(view.state) !== null;
        },
      },
    }),
  ],
});

function deletedPosition(state: EditorState): number | null {
  const deleted = KEY.getState(state)?.deleted ?? null;
  return deleted === null || performance.now() - deleted.at > MAX_PAUSE_MS ? null : deleted.position;
}

/** Null if the block of the caret still exists, or its text is somewhere else. */
function positionOfDeleted(
  { mapping }: Transaction,
  { selection, doc }: EditorState,
  after: EditorState,
): number | null {
  const { $head } = selection;
  if (!(selection instanceof TextSelection) || $head.depth === 0) return null;
  const { parent } = $head;
  const now = after.selection.$head.parent;
  if (!mapping.mapResult($head.before(), 1).deletedAfter || now === parent) return null;
  const hasSameText = ({ textContent }: typeof parent) => textContent !== '' && textContent === parent.textContent;
  if (hasSameText(now)) return null;
  const index = $head.index(0);
  const id: unknown = doc.child(index).attrs['id'];
  const position = mapping.map($head.before(1), -1);
  if (after.doc.resolve(position).depth > 0) return null;
  for (let at = 0, start = 0; at < after.doc.childCount; at++) {
    const block = after.doc.child(at);
    start += block.nodeSize;
    // The block was redrawn or moved. For a deleted row or column of a table, the new block goes below the table.
    if (typeof id === 'string' && block.attrs['id'] === id) return $head.depth === 1 ? null : start;
  }
  return position;
}

function writeInNewBlock(view: EditorView, text: string): boolean {
  const position = deletedPosition(view.state);
  const { tr, schema } = view.state;
  const type = schema.nodes[BLOCK];
  if (position === null || type === undefined || !view.editable) return false;
  tr.insert(position, type.create(null, text === '' ? null : schema.text(text)));
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, position + 1 + text.length)).scrollIntoView());
  return true;
}

// Who is in the middle of a word when somebody deletes the block goes on in a block of their own at its place: the caret
// that ProseMirror leaves stands in a neighbour, and the next letters would be glued to other people's words.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK } from '../../document/names.ts';
import { comesFromDocument } from '../binding/binding-of.ts';

/** Between keys of who writes on, and between the deleting and the key that was meant for what is gone. */
const WRITES_ON_MS = 1_500;

/** `place`: between blocks, where the deleted one stood. */
type Facts = { readonly typedAt: number; readonly gone: { readonly place: number; readonly at: number } | null };
const KEY = new PluginKey<Facts>('typingOn');

export const TypingOn = Extension.create({
  name: 'typingOn',
  // Before keys that join blocks.
  priority: 950,
  addProseMirrorPlugins: () => [
    new Plugin<Facts>({
      key: KEY,
      state: {
        init: () => ({ typedAt: -Infinity, gone: null }),
        apply(transaction, facts, before, after) {
          const now = performance.now();
          if (!comesFromDocument(transaction)) {
            if (transaction.docChanged) return { typedAt: now, gone: null };
            return transaction.selectionSet && facts.gone !== null ? { ...facts, gone: null } : facts;
          }
          if (!transaction.docChanged) return facts;
          if (facts.gone !== null) {
            return { ...facts, gone: { ...facts.gone, place: transaction.mapping.map(facts.gone.place, -1) } };
          }
          if (now - facts.typedAt > WRITES_ON_MS) return facts;
          const place = placeOfGone(transaction, before, after);
          return place === null ? facts : { ...facts, gone: { place, at: now } };
        },
      },
      props: {
        handleTextInput: (view, _from, _to, text) => writeOn(view, text),
        handleKeyDown(view, { key }) {
          if (key === 'Enter') return writeOn(view, '');
          // Meant for letters that are gone with their block.
          return (key === 'Backspace' || key === 'Delete') && goneOf(view.state) !== null;
        },
      },
    }),
  ],
});

function goneOf(state: EditorState): number | null {
  const gone = KEY.getState(state)?.gone ?? null;
  return gone === null || performance.now() - gone.at > WRITES_ON_MS ? null : gone.place;
}

/** Null while the block of the caret is there, or its words stand somewhere else. */
function placeOfGone({ mapping }: Transaction, { selection, doc }: EditorState, after: EditorState): number | null {
  const { $head } = selection;
  if (!(selection instanceof TextSelection) || $head.depth === 0) return null;
  const { parent } = $head;
  const now = after.selection.$head.parent;
  if (!mapping.mapResult($head.before(), 1).deletedAfter || now === parent) return null;
  const says = ({ textContent }: typeof parent) => textContent !== '' && textContent === parent.textContent;
  if (says(now)) return null;
  const index = $head.index(0);
  const id: unknown = doc.child(index).attrs['id'];
  const place = mapping.map($head.before(1), -1);
  if (after.doc.resolve(place).depth > 0) return null;
  for (let at = 0, start = 0; at < after.doc.childCount; at++) {
    const block = after.doc.child(at);
    start += block.nodeSize;
    // Drawn anew, or moved. Of a table a row or a column is gone: below it is the next place for words.
    if (typeof id === 'string' && block.attrs['id'] === id) return $head.depth === 1 ? null : start;
  }
  return place;
}

function writeOn(view: EditorView, text: string): boolean {
  const place = goneOf(view.state);
  const { tr, schema } = view.state;
  const type = schema.nodes[BLOCK];
  if (place === null || type === undefined || !view.editable) return false;
  tr.insert(place, type.create(null, text === '' ? null : schema.text(text)));
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place + 1 + text.length)).scrollIntoView());
  return true;
}

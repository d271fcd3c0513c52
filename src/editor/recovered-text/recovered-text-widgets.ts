// Elements between the blocks for the cards of recovered text. They are widget decorations, which are never written.
// React renders the cards into them.
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { onePer } from '../../lib/one-per.ts';
import type { RecoveredTextEntry, RecoveredTexts } from './recovered-texts.ts';

const key = new PluginKey<DecorationSet>('recoveredTextWidgets');
const elementsOf = onePer<RecoveredTexts, Map<string, HTMLElement>>(() => new Map());

/** The element of a card. It stays the same as long as the card exists. */
export function elementOf(list: RecoveredTexts, entry: RecoveredTextEntry): HTMLElement {
  const all = elementsOf(list);
  const known = all.get(entry.key);
  if (known !== undefined) return known;
  const element = document.createElement('div');
  element.className = 'recovered-text-place';
  element.contentEditable = 'false';
  all.set(entry.key, element);
  return element;
}

export const recoveredTextWidgets = (list: RecoveredTexts): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: (_config, { doc }) => draw(doc, list),
      apply(transaction, drawn, _before, { doc }) {
        const isListChanged = transaction.getMeta(key) !== undefined;
        if (!isListChanged && !transaction.docChanged) return drawn;
        return list.get().length === 0 ? DecorationSet.empty : draw(doc, list);
      },
    },
    props: { decorations: (state) => key.getState(state) ?? null },
    view(view) {
      const stop = list.subscribe(() => view.dispatch(view.state.tr.setMeta(key, 'changed')));
      return { destroy: stop };
    },
  });

function draw(doc: Node, list: RecoveredTexts): DecorationSet {
  const ends = new Map<unknown, number>();
  doc.forEach((node, at) => void ends.set(node.attrs['id'], at + node.nodeSize));
  const widgets = list.get().map((entry) => {
    const at = entry.after.map((id) => ends.get(id)).find((end) => end !== undefined) ?? 0;
    return Decoration.widget(at, () => elementOf(list, entry), {
      key: entry.key,
      side: -1,
      ignoreSelection: true,
      stopEvent: () => true,
    });
  });
  return DecorationSet.create(doc, widgets);
}

// Positions that wait for an insertion. They are mapped through all edits meanwhile.
import { Plugin, PluginKey } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';

const key = new PluginKey<ReadonlyMap<number, number>>('pendingPositions');
type Meta = { readonly add?: readonly [id: number, at: number]; readonly remove?: number };
let lastId = 0;

export const pendingPositions = () =>
  new Plugin<ReadonlyMap<number, number>>({
    key,
    state: {
      init: () => new Map(),
      apply(transaction, positions) {
        const meta: Meta | undefined = transaction.getMeta(key);
        if (meta === undefined && (positions.size === 0 || !transaction.docChanged)) return positions;
        const moved = new Map(Array.from(positions, ([id, at]) => [id, transaction.mapping.map(at, -1)] as const));
        if (meta?.add !== undefined) moved.set(...meta.add);
        if (meta?.remove !== undefined) moved.delete(meta.remove);
        return moved;
      },
    },
  });

/** Returns a function that releases the position and returns where it is by then. */
export function trackPosition(view: EditorView, at: number): () => number {
  lastId += 1;
  const id = lastId;
  view.dispatch(view.state.tr.setMeta(key, { add: [id, Math.min(at, view.state.doc.content.size)] }));
  return () => {
    const position = key.getState(view.state)?.get(id) ?? view.state.doc.content.size;
    view.dispatch(view.state.tr.setMeta(key, { remove: id }));
    return position;
  };
}

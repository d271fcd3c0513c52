// Positions that wait for an insertion. They are mapped through all edits meanwhile.
import { Plugin, PluginKey } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';

const PLACES = new PluginKey<ReadonlyMap<number, number>>('heldPlaces');
type Meta = { readonly put?: readonly [key: number, at: number]; readonly drop?: number };
let keys = 0;

export const pendingPositions = () =>
  new Plugin<ReadonlyMap<number, number>>({
    key: PLACES,
    state: {
      init: () => new Map(),
      apply(transaction, places) {
        const meta: Meta | undefined = transaction.getMeta(PLACES);
        if (meta === undefined && (places.size === 0 || !transaction.docChanged)) return places;
        const moved = new Map(Array.from(places, ([key, at]) => [key, transaction.mapping.map(at, -1)] as const));
        if (meta?.put !== undefined) moved.set(...meta.put);
        if (meta?.drop !== undefined) moved.delete(meta.drop);
        return moved;
      },
    },
  });

/** Returns a function that releases the position and returns where it is by then. */
export function trackPosition(view: EditorView, at: number): () => number {
  keys += 1;
  const key = keys;
  view.dispatch(view.state.tr.setMeta(PLACES, { put: [key, Math.min(at, view.state.doc.content.size)] }));
  return () => {
    const place = PLACES.getState(view.state)?.get(key) ?? view.state.doc.content.size;
    view.dispatch(view.state.tr.setMeta(PLACES, { drop: key }));
    return place;
  };
}

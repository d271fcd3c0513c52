// When two people move the same block at once, two copies with one id remain (T2 in docs/losses.md). Every client picks
// the same copy to remove, and only its creator removes it, unless someone has typed into it in the meantime.
import * as Y from 'yjs';
import { compareYjsIds } from '../compare-yjs-ids.ts';
import { bodyOf } from '../names.ts';
import { newBlockId } from '../new-block-id.ts';
import { setAttribute } from '../set-attribute.ts';

/**
 * Of blocks with the same id, the one with the lowest Yjs id stays. Removes the others that `client` created, but gives
 * one that differs by now a new id. Only looks at the blocks in `ids`.
 */
export function removeOwnDuplicates(doc: Y.Doc, client: number, ids: ReadonlySet<unknown>, origin: object): void {
  const body = bodyOf(doc);
  const idOf = (node: Y.XmlElement): unknown => node.getAttribute('id');
  const copies = Map.groupBy(
    elementsOf(body).filter((node) => ids.has(idOf(node))),
    idOf,
  );
  const losing: { readonly copy: Y.XmlElement; readonly winner: Y.XmlElement }[] = [];
  for (const nodes of copies.values()) {
    const [winner, ...others] = nodes.toSorted(compareYjsIds);
    if (winner === undefined) continue;
    for (const copy of others) if (copy._item?.id.client === client) losing.push({ copy, winner });
  }
  if (losing.length === 0) return;
  doc.transact(() => {
    for (const { copy, winner } of losing) {
      if (copy.toString() === winner.toString()) body.delete(body.toArray().indexOf(copy), 1);
      else setAttribute(copy, 'id', newBlockId());
    }
  }, origin);
}

/** The block with this id. If there are several, the copy that wins. */
export function blockWithId(body: Y.XmlFragment, id: string): Y.XmlElement | null {
  const copies = elementsOf(body).filter((node) => node.getAttribute('id') === id);
  return copies.toSorted(compareYjsIds)[0] ?? null;
}

const elementsOf = (body: Y.XmlFragment): readonly Y.XmlElement[] =>
  body.toArray().filter((node): node is Y.XmlElement => node instanceof Y.XmlElement);

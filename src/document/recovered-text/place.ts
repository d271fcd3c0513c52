// Finds where in the page something was that a transaction deleted. Call `idsBefore` and `kindOf` while the
// transaction's listeners run: afterwards Yjs drops deleted items.
import * as Y from 'yjs';
import { BLOCK, CELL, ROW } from '../names.ts';
import type { LineKind } from '../tables/table-grid.ts';
import { deletedAttribute } from './deleted-part.ts';

/** Ids of this many blocks before the place are stored: one of them may still exist later. */
const MAX_IDS_BEFORE = 12;

/** The nearest first. A table that is still there is the nearest to what it lost. */
export function idsBefore(block: Y.XmlElement): readonly string[] {
  const ids: string[] = [];
  for (let item = block._item; item !== null && ids.length < MAX_IDS_BEFORE; item = item.left) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    const id: unknown = type instanceof Y.XmlElement ? type.getAttribute('id') : null;
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

/** The index of each child of the body that has an id. */
export const indexesById = (body: Y.XmlFragment): ReadonlyMap<unknown, number> =>
  new Map(body.toArray().map((node, at) => [node instanceof Y.XmlElement ? node.getAttribute('id') : null, at]));

/** The index at which to insert what was behind these blocks: behind the first that is still there, else at the top. */
export function indexAfter(body: Y.XmlFragment, ids: readonly string[]): number {
  const indexes = indexesById(body);
  return (ids.map((id) => indexes.get(id)).find((at) => at !== undefined) ?? -1) + 1;
}

/** Tells a row and a column, of which each cell is deleted by itself, from a block, which has no `line`. */
export const lineOf = ({ nodeName }: Y.XmlElement): { readonly line?: LineKind } =>
  nodeName === ROW ? { line: 'row' } : nodeName === CELL ? { line: 'column' } : {};

/** The kind of a deleted block; a paragraph for anything else. */
export function kindOf(block: Y.XmlElement): string {
  const kind = deletedAttribute(block, 'kind');
  return block.nodeName === BLOCK && typeof kind === 'string' ? kind : 'paragraph';
}

// The outermost element that a transaction deleted: a block, or a row or cell of a table that is still there. Call this while the
// transaction's listeners run: afterwards Yjs drops what deleted items held.
import * as Y from 'yjs';
import { CELL, ROW, TABLE, bodyOf } from '../names.ts';
import { MOVED, firstIdOf } from '../tables/table-grid.ts';

/** The outermost deleted elements, in no particular order. */
export function deletedParts(transaction: Y.Transaction): readonly Y.XmlElement[] {
  const body = bodyOf(transaction.doc);
  const parts: Y.XmlElement[] = [];
  if (!hasChangedParts(transaction)) return parts;
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || !wasThere(struct, transaction)) return;
    const type: unknown = struct.content instanceof Y.ContentType ? struct.content.type : null;
    if (type instanceof Y.XmlElement && isPart(type, body)) parts.push(type);
  });
  return parts;
}

/** The children of the body that the transaction inserted, in order. */
export function insertedBlocks(transaction: Y.Transaction): readonly Y.XmlElement[] {
  const body = bodyOf(transaction.doc);
  return new Set<unknown>(transaction.changed.keys()).has(body) ? insertedInto(body, transaction) : [];
}

/** The inserted blocks, and the rows and cells that the transaction inserted into tables that were there. */
export function insertedParts(transaction: Y.Transaction): readonly Y.XmlElement[] {
  const types: readonly unknown[] = [...transaction.changed.keys()];
  const lines = types.filter(holdsLines).flatMap((type) => insertedInto(type, transaction));
  return [...insertedBlocks(transaction), ...lines];
}

const insertedInto = (parent: Y.XmlFragment, transaction: Y.Transaction): readonly Y.XmlElement[] =>
  (parent.toArray() as readonly unknown[])
    .filter((node) => node instanceof Y.XmlElement)
    .filter(({ _item: item }) => item !== null && !wasThere(item, transaction));

/** False only if no block, row or cell came or went. */
export function hasChangedParts({ changed, doc }: Y.Transaction): boolean {
  const body = bodyOf(doc);
  const types: readonly unknown[] = [...changed.keys()];
  return types.some((type) => type === body || holdsLines(type));
}

const holdsLines = (type: unknown): type is Y.XmlElement =>
  type instanceof Y.XmlElement && [TABLE, ROW].includes(type.nodeName);

/** A child of the body, or a row or cell whose table is there. */
function isPart(node: Y.XmlElement, body: Y.XmlFragment): boolean {
  const { parent } = node;
  if (parent === body) return true;
  if (!(parent instanceof Y.XmlElement) || parent._item?.deleted !== false) return false;
  const above = node.nodeName === ROW ? TABLE : node.nodeName === CELL ? ROW : null;
  return parent.nodeName === above && isPart(parent, body);
}

/**
 * The deleted part around a node, and where in it the node is: its number among the children that were there, and how many
 * these were, level by level. Null outside of the body.
 */
export function deletedPartAround(
  node: Y.XmlText,
  transaction: Y.Transaction,
): { readonly part: Y.XmlElement; readonly path: PathInPart } | null {
  const body = bodyOf(transaction.doc);
  const path: { at: number; of: number }[] = [];
  let child: Y.XmlText | Y.XmlElement = node;
  for (;;) {
    const parent: unknown = child.parent;
    if (!(parent instanceof Y.XmlElement)) return null;
    const items = itemsOf(parent, transaction);
    path.unshift({ at: items.findIndex(({ id }) => id === child._item?.id), of: items.length });
    // The text alone was deleted, or this is the outermost of what was.
    if (parent._item?.deleted === false || isPart(parent, body)) return { part: parent, path };
    child = parent;
  }
}
export type PathInPart = readonly { readonly at: number; readonly of: number }[];

/**
 * Tells a part from the others, also after it was moved: a block's id, or the first Yjs id of a row or cell. Null for a block
 * without an id.
 */
export function keyOfPart(part: Y.XmlElement): string | null {
  const isLine = part.nodeName === ROW || part.nodeName === CELL;
  const known = deletedAttribute(part, isLine ? MOVED : 'id');
  if (typeof known === 'string') return known;
  return isLine ? firstIdOf(part) : null;
}

/** Reads an attribute of a deleted node. */
export function deletedAttribute(node: Y.XmlElement, name: string): unknown {
  const content: unknown = node._map.get(name)?.content;
  return content instanceof Y.ContentAny ? content.arr.at(-1) : undefined;
}

/** The elements in an element before the transaction, in order. */
export const elementsBefore = (parent: Y.XmlElement, transaction: Y.Transaction): readonly Y.XmlElement[] =>
  itemsOf(parent, transaction)
    .flatMap(({ content }) => nodeOf(content))
    .filter((node) => node instanceof Y.XmlElement);

/** The items that an element or text had before the transaction, in order. */
export function itemsOf({ _start }: Y.XmlElement | Y.XmlText, transaction: Y.Transaction): readonly Y.Item[] {
  const items: Y.Item[] = [];
  for (let item = _start; item !== null; item = item.right) if (wasThere(item, transaction)) items.push(item);
  return items;
}

/** It was there before the transaction. */
export const wasThere = ({ id, deleted }: Y.Item, { beforeState, deleteSet }: Y.Transaction): boolean =>
  id.clock < (beforeState.get(id.client) ?? 0) && (!deleted || Y.isDeleted(deleteSet, id));

export const contentString = (content: Y.Item['content']): string =>
  content instanceof Y.ContentString ? content.str : '';

export const nodeOf = (content: Y.Item['content']): readonly (Y.XmlElement | Y.XmlText)[] =>
  content instanceof Y.ContentType && (content.type instanceof Y.XmlElement || content.type instanceof Y.XmlText)
    ? [content.type]
    : [];

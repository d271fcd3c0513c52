// Positions in a page with loose content between its blocks, or with marks outside of its texts, found by index. y-tiptap's
// functions expect an element wherever they walk, and throw or return positions that are off by the length of the loose
// content.
import type { Node } from '@tiptap/pm/model';
import * as Y from 'yjs';
import { type BodyPart, bodyParts } from '../../document/body-parts.ts';

/** Below the body: the rows of a table, their cells and the texts of those. */
const MAX_DEPTH = 3;

/** True also for marks that mark nothing: `bodyParts` leaves them out, but y-tiptap takes them for elements. */
export function hasLooseContent(node: Y.XmlFragment, depth = 0): boolean {
  for (let item = node._first; item !== null; item = item.next) {
    const type = item.content instanceof Y.ContentType ? item.content.type : null;
    if (type instanceof Y.XmlText && depth > 0) continue;
    if (!(type instanceof Y.XmlElement)) return true;
    if (depth < MAX_DEPTH && hasLooseContent(type, depth + 1)) return true;
  }
  return false;
}

/** `at` is a position in `page`, which shows the document. */
export function relativeByIndex(body: Y.XmlFragment, page: Node, at: number): Y.RelativePosition {
  const $at = page.resolve(at);
  const parts = bodyParts(body);
  let fragment: Y.XmlFragment = body;
  for (let depth = 0; depth < $at.depth; depth++) {
    const index = $at.index(depth);
    const child: unknown = depth === 0 ? parts[index]?.element : fragment.toArray()[index];
    if (!(child instanceof Y.XmlElement)) return beforeIndex(fragment, index, parts);
    fragment = child;
  }
  return $at.parent.isTextblock
    ? inTexts(fragment, $at.parentOffset)
    : beforeIndex(fragment, $at.index(), fragment === body ? parts : null);
}

function inTexts(block: Y.XmlFragment, offset: number): Y.RelativePosition {
  let left = offset;
  for (const text of block.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    if (left <= text.length) return Y.createRelativePositionFromTypeIndex(text, left, -1);
    left -= text.length;
  }
  // A block without a text: y-tiptap's form of a position in it.
  return new Y.RelativePosition(block._item?.id ?? null, null, null);
}

const beforeIndex = (fragment: Y.XmlFragment, index: number, parts: readonly BodyPart[] | null): Y.RelativePosition =>
  Y.createRelativePositionFromTypeIndex(fragment, parts === null ? index : (parts[index]?.from ?? fragment.length), 0);

type Found = { readonly type: Y.AbstractType<unknown>; readonly index: number };

/** The position in `page`, which shows the document; null if it is not in the page. */
export function absoluteByIndex(body: Y.XmlFragment, page: Node, { type, index }: Found): number | null {
  const parts = bodyParts(body);
  const elements = elementsAround(body, type);
  if (elements === null) return null;
  let node = page;
  let at = 0;
  for (const [depth, element] of elements.entries()) {
    const above = elements[depth - 1];
    const place = above === undefined ? parts.findIndex((part) => part.element === element) : indexIn(above, element);
    const child = node.maybeChild(place);
    if (child === null) return null;
    at += sizeBefore(node, place);
    // A grey block: there is no position inside.
    if (child.isLeaf) return at;
    at += 1;
    node = child;
  }
  if (type === body) return sizeBefore(page, parts.filter((part) => part.from + part.length <= index).length);
  if (elements.length === 0) return null;
  if (!node.isTextblock) return at + sizeBefore(node, Math.min(index, node.childCount));
  const before = type instanceof Y.XmlText ? lengthBefore(type) + index : 0;
  return at + Math.min(before, node.content.size);
}

/** The elements from the body's child down to the one that is or contains the type; null if it is not in the body. */
function elementsAround(body: Y.XmlFragment, type: Y.AbstractType<unknown>): readonly Y.XmlElement[] | null {
  const elements: Y.XmlElement[] = [];
  let below: unknown = type;
  while (below !== body) {
    if (!(below instanceof Y.AbstractType) || below._item === null || below._item.deleted) return null;
    if (below instanceof Y.XmlElement) elements.unshift(below);
    below = below.parent;
  }
  return elements;
}

const indexIn = (parent: Y.XmlElement, child: Y.XmlElement): number =>
  parent.toArray().findIndex((one: unknown) => one === child);

/** The letters of the block's texts before this one. */
function lengthBefore({ _item: item }: Y.XmlText): number {
  let length = 0;
  for (let left = item?.prev ?? null; left !== null; left = left.prev) {
    if (left.content instanceof Y.ContentType && left.content.type instanceof Y.XmlText)
      length += left.content.type.length;
  }
  return length;
}

function sizeBefore(parent: Node, index: number): number {
  let size = 0;
  for (const child of parent.children.slice(0, index)) size += child.nodeSize;
  return size;
}

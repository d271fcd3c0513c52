// Converts positions between the editor and the document. A position in a text is found through its block or cell, without a walk
// through the page; any other, or one beside loose content, through the index of each node above it.
import type { Node } from '@tiptap/pm/model';
import { type EditorState, TextSelection } from '@tiptap/pm/state';
import { type BodyPart, bodyParts } from 'weft-document/body-parts.ts';
import * as Y from 'yjs';
import { sizeOf } from '../schema/size-of.ts';
import type { PageBinding } from './binding-of.ts';

/** `at` is a position in `page`, which shows the document. Throws or is wrong while the page is behind the document. */
export function toRelativePosition({ body, nodes }: PageBinding, page: Node, at: number): Y.RelativePosition {
  const $at = page.resolve(at);
  const element = $at.parent.isTextblock ? nodes.elementOf($at.parent) : null;
  if (element !== null) return inTexts(element, $at.parentOffset);
  const parts = bodyParts(body);
  let parent: Y.XmlFragment = body;
  for (let depth = 0; depth < $at.depth; depth++) {
    const index = $at.index(depth);
    const child: unknown = depth === 0 ? parts[index]?.element : parent.toArray()[index];
    if (!(child instanceof Y.XmlElement)) return beforeIndex(parent, index, parts);
    parent = child;
  }
  return $at.parent.isTextblock
    ? inTexts(parent, $at.parentOffset)
    : beforeIndex(parent, $at.index(), parent === body ? parts : null);
}

function inTexts(block: Y.XmlFragment, offset: number): Y.RelativePosition {
  let left = offset;
  for (const text of block.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    if (left <= text.length) return Y.createRelativePositionFromTypeIndex(text, left, -1);
    left -= text.length;
  }
  // A block without a text.
  return new Y.RelativePosition(block._item?.id ?? null, null, null);
}

const beforeIndex = (parent: Y.XmlFragment, index: number, parts: readonly BodyPart[] | null): Y.RelativePosition =>
  Y.createRelativePositionFromTypeIndex(parent, parts === null ? index : (parts[index]?.from ?? parent.length), 0);

/** Null if the content at that position is not in the document. `page` is the page whose nodes the binding knows. */
export function toAbsolutePosition(binding: PageBinding, page: Node, position: Y.RelativePosition): number | null {
  const found = Y.createAbsolutePositionFromRelativePosition(position, binding.doc);
  if (found === null) return null;
  const start = found.type instanceof Y.XmlText ? startOf(binding, page, found.type) : null;
  if (start !== null) return start + found.index;
  // While the page lacks blocks of the document, only a position in a block that is drawn can be found.
  return binding.nodes.isWhole ? absoluteByIndex(binding.body, page, found) : null;
}

/** The selection as the document knows it. */
export type RelativeSelection = {
  readonly isText: boolean;
  readonly anchor: Y.RelativePosition;
  readonly head: Y.RelativePosition;
};

export function relativeSelection(binding: PageBinding, { selection, doc }: EditorState): RelativeSelection {
  const { anchor, head } = selection;
  const at = toRelativePosition(binding, doc, head);
  return {
    isText: selection instanceof TextSelection,
    anchor: anchor === head ? at : toRelativePosition(binding, doc, anchor),
    head: at,
  };
}

/** The position before the text's first character; null if the path from the page down to the text is not certain. */
function startOf({ body, nodes }: PageBinding, page: Node, text: Y.XmlText): number | null {
  if (text._item?.deleted !== false) return null;
  let start = lengthBefore(text);
  let below: Y.XmlText | Y.XmlElement = text;
  while (below.parent !== body) {
    const element: unknown = below.parent;
    if (!(element instanceof Y.XmlElement)) return null;
    const node = nodes.get(element);
    const above =
      element.parent === body ? page : element.parent instanceof Y.XmlElement ? nodes.get(element.parent) : null;
    if (node === null || node.isLeaf || above === null || nodes.elementOf(node) !== element) return null;
    const offset = offsetOf(above, node);
    if (offset === null) return null;
    start += offset + 1;
    below = element;
  }
  return start;
}

function offsetOf(parent: Node, child: Node): number | null {
  let offset = 0;
  for (const one of parent.children) {
    if (one === child) return offset;
    offset += one.nodeSize;
  }
  return null;
}

type Found = { readonly type: Y.AbstractType<unknown>; readonly index: number };

/** Null if the position is not in the page. */
function absoluteByIndex(body: Y.XmlFragment, page: Node, { type, index }: Found): number | null {
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
    at += sizeOf(node, 0, place);
    // An unsupported block: there is no position inside.
    if (child.isLeaf) return at;
    at += 1;
    node = child;
  }
  if (type === body) return sizeOf(page, 0, parts.filter((part) => part.from + part.length <= index).length);
  if (elements.length === 0) return null;
  if (!node.isTextblock) return at + sizeOf(node, 0, index);
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

/** The characters of the block's texts before this one. */
function lengthBefore({ _item: item }: Y.XmlText): number {
  let length = 0;
  for (let left = item?.prev ?? null; left !== null; left = left.prev) {
    if (left.content instanceof Y.ContentType && left.content.type instanceof Y.XmlText)
      length += left.content.type.length;
  }
  return length;
}

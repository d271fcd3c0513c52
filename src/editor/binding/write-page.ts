// Writes the editor's page into the document. Nearly every edit is in one block or cell, so only that one is compared. Otherwise the
// children of the page, of a table or of a row are matched with the elements of the document: an element that has a child's node stays
// with it, and what lies between two of those is changed in place, from both ends, as far as the kinds agree.
import type { Node } from '@tiptap/pm/model';
import { bodyParts } from 'weft-document/body-parts.ts';
import { type AttributeValue, setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';
import { equalEnds } from '../../lib/lists/equal-ends.ts';
import { longestAscent } from '../../lib/lists/longest-ascent.ts';
import { UNKNOWN } from '../schema/unknown-node.ts';
import type { PageBinding } from './binding-of.ts';
import type { PageNodes } from './page-nodes.ts';
import { changedChildren } from './show-document.ts';
import { hasTextOf, newText, writeText } from './write-text.ts';

/** Call inside a transaction of the document. */
export function writeChange(binding: PageBinding, page: Node): void {
  const { nodes } = binding;
  const { syncedPage } = nodes;
  if (syncedPage === null || !writeSingleChange(nodes, syncedPage, page)) writeWholePage(binding, page);
  nodes.syncedPage = page;
}

/** Writes a whole page. Unsupported blocks stay as they are or, if the page lacks them, are deleted (T4 in docs/losses.md). */
export function writeWholePage({ body, nodes }: PageBinding, page: Node): void {
  const slots = bodyParts(body).map((part): Slot => {
    const { element, from, length } = part;
    const node = nodes.nodeOfPart(part);
    return { element: isUnsupported(node) ? null : element, from, length, node };
  });
  writeChildren(body, slots, page.children, nodes);
}

/** False if the page has unsupported blocks twice or in another order: it is not known what would have to be written. */
export function keepsUnsupported({ body, nodes }: PageBinding, page: Node): boolean {
  const wanted = unsupportedIn(page);
  if (wanted.length === 0) return true;
  let kept = 0;
  for (const part of bodyParts(body)) if (nodes.nodeOfPart(part) === wanted[kept]) kept += 1;
  return kept === wanted.length;
}

export const unsupportedIn = (page: Node): readonly Node[] => page.children.filter(isUnsupported);

const isUnsupported = (node: Node | null): boolean => node?.type.name === UNKNOWN;

/** Returns false and writes nothing unless exactly one child changed and its element is known. */
export function writeSingleChange(nodes: PageNodes, before: Node, after: Node): boolean {
  const at = singleChangedChild(before, after);
  if (at === null) return false;
  const [old, changed] = [before.child(at), after.child(at)];
  const element = nodes.elementOf(old);
  if (element === null || element.nodeName !== changed.type.name) return false;
  const isInside = !changed.isTextblock && !changed.isLeaf && changed.sameMarkup(old);
  if (isInside && writeSingleChange(nodes, old, changed)) nodes.set(element, changed);
  else writeElement(element, changed, nodes);
  return true;
}

/** True if exactly one block changed, and the document has it: this can be written while the page lacks other blocks. */
export function isSingleChange(nodes: PageNodes, before: Node, after: Node): boolean {
  const at = singleChangedChild(before, after);
  if (at === null) return false;
  const [old, changed] = [before.child(at), after.child(at)];
  return nodes.elementOf(old) !== null && changed.type === old.type;
}

function singleChangedChild(before: Node, after: Node): number | null {
  if (before.childCount !== after.childCount) return null;
  const [from, to] = changedChildren(before, after);
  return to - from === 1 ? from : null;
}

/** A child of the body, of a table or of a row. Loose content and an unsupported block have no element here: they stay or are deleted. */
type Slot = {
  readonly element: Y.XmlElement | null;
  /** The index of its first child in Yjs, and how many children it has. */
  readonly from: number;
  readonly length: number;
  readonly node: Node | null;
};

const slotsOf = (element: Y.XmlElement, nodes: PageNodes): readonly Slot[] =>
  element.toArray().map((child, from) => {
    const known = child instanceof Y.XmlElement ? child : null;
    return { element: known, from, length: 1, node: known && nodes.get(known) };
  });

function writeChildren(
  parent: Y.XmlFragment,
  slots: readonly Slot[],
  children: readonly Node[],
  nodes: PageNodes,
): void {
  const [left, right] = equalEnds(slots.length, children.length, (slot, child) =>
    isSame(slots[slot], children[child], nodes),
  );
  const middle = { slots: [left, slots.length - right], children: [left, children.length - right] } as const;
  // From last to first: earlier indices stay valid.
  for (const gap of gapsIn(middle, slots, children).toReversed()) {
    const before = slots[gap.slots[0] - 1];
    const at = before === undefined ? 0 : before.from + before.length;
    writeGap(parent, at, slots.slice(...gap.slots), children.slice(...gap.children), nodes);
  }
}

/**
 * True if the element has the node, or the same content as a node that no element has: that one is its node from now on. Empty cells
 * are all equal, and what others type in one must not end up in the next.
 */
function isSame(slot: Slot | undefined, node: Node | undefined, nodes: PageNodes): boolean {
  if (slot === undefined || node === undefined) return false;
  if (slot.node === node) return true;
  if (slot.element === null || nodes.elementOf(node) !== null || !isEqual(slot.element, node)) return false;
  nodes.setAll(slot.element, node);
  return true;
}

type Range = readonly [from: number, to: number];
type Gap = { readonly slots: Range; readonly children: Range };

/**
 * The gaps between the elements that stay with their nodes although others moved past them. Unsupported blocks are placed first, because
 * nothing can be written in their place.
 */
function gapsIn(middle: Gap, slots: readonly Slot[], children: readonly Node[]): readonly Gap[] {
  const places = new Map<Node, number>();
  // A node that stands at two places stands for no element.
  for (const [at, node] of children.entries()) places.set(node, places.has(node) ? -1 : at);
  const placeOf = (index: number) => {
    const node = slots[index]?.node ?? null;
    return (node === null ? undefined : places.get(node)) ?? -1;
  };
  const split = (gap: Gap, mayStay: (slot: Slot) => boolean): readonly Gap[] => {
    const staying = slots.slice(...gap.slots).flatMap((slot, index) => {
      const at = gap.slots[0] + index;
      return mayStay(slot) && placeOf(at) >= gap.children[0] && placeOf(at) < gap.children[1] ? [at] : [];
    });
    let [slot, child] = [gap.slots[0], gap.children[0]];
    const inOrder = longestAscent(staying.map(placeOf));
    const gaps = staying.flatMap((at, nth): Gap[] => {
      if (!inOrder.has(nth)) return [];
      const before: Gap = { slots: [slot, at], children: [child, placeOf(at)] };
      [slot, child] = [at + 1, placeOf(at) + 1];
      return [before];
    });
    return [...gaps, { slots: [slot, gap.slots[1]], children: [child, gap.children[1]] }];
  };
  return split(middle, ({ node }) => isUnsupported(node)).flatMap((gap) =>
    split(gap, ({ element }) => element !== null),
  );
}

/** Each child takes the element at its own end, if it is of its kind; the end where more is the same goes first. */
function writeGap(
  parent: Y.XmlFragment,
  start: number,
  slots: readonly Slot[],
  children: readonly Node[],
  nodes: PageNodes,
): void {
  let at = start;
  let [left, right] = [0, 0];
  while (left + right < slots.length && left + right < children.length) {
    const [slot, child] = [slots[left], children[left]];
    const [lastSlot, lastChild] = [slots.at(-1 - right), children.at(-1 - right)];
    if (slot === undefined || child === undefined || lastSlot === undefined || lastChild === undefined) return;
    const first = elementFor(slot, child);
    const last = elementFor(lastSlot, lastChild);
    const isLast =
      last !== null && (first === null || likeness(first, child, nodes) < likeness(last, lastChild, nodes));
    if (isLast) {
      writeElement(last, lastChild, nodes);
      right += 1;
      continue;
    }
    if (first === null) {
      deleteSlots(parent, at, [slot], nodes);
      parent.insert(at, [newElement(child, nodes)]);
    } else writeElement(first, child, nodes);
    left += 1;
    at += 1;
  }
  deleteSlots(parent, at, slots.slice(left, slots.length - right), nodes);
  const added = children.slice(left, children.length - right);
  if (added.length > 0)
    parent.insert(
      at,
      added.map((node) => newElement(node, nodes)),
    );
}

function deleteSlots(parent: Y.XmlFragment, at: number, slots: readonly Slot[], nodes: PageNodes): void {
  for (const { element } of slots) if (element !== null) nodes.delete(element);
  const length = slots.reduce((sum, slot) => sum + slot.length, 0);
  if (length > 0) parent.delete(at, length);
}

const elementFor = ({ element }: Slot, node: Node): Y.XmlElement | null =>
  element?.nodeName === node.type.name ? element : null;

/** A block that is split keeps its element for the half with its text: Enter before the first character is the other half. */
function likeness(element: Y.XmlElement, node: Node, nodes: PageNodes): number {
  if (node.isTextblock) return hasTextOf(element, node) ? 1 : 0;
  return slotsOf(element, nodes).reduce((sum, slot, index) => {
    const child = node.maybeChild(index);
    if (child === null || slot.element === null) return sum;
    return sum + (slot.node === child ? 2 : isEqual(slot.element, child) ? 1 : 0);
  }, 0);
}

function isEqual(element: Y.XmlElement, node: Node): boolean {
  if (element.nodeName !== node.type.name || changedAttributes(element, node).length > 0) return false;
  if (node.isTextblock) return hasTextOf(element, node);
  const children = element.toArray();
  return (
    children.length === node.childCount &&
    children.every((child, index) => child instanceof Y.XmlElement && isEqual(child, node.child(index)))
  );
}

function writeElement(element: Y.XmlElement, node: Node, nodes: PageNodes): void {
  for (const [name, value] of changedAttributes(element, node)) {
    if (isAttributeValue(value)) setAttribute(element, name, value);
    else element.removeAttribute(name);
  }
  if (node.isTextblock) writeText(element, node);
  else if (!node.isLeaf) writeChildren(element, slotsOf(element, nodes), node.children, nodes);
  nodes.set(element, node);
}

function newElement(node: Node, nodes: PageNodes): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name);
  for (const [name, value] of Object.entries<unknown>(node.attrs))
    if (isAttributeValue(value)) setAttribute(element, name, value);
  // Also without a character: two people who start in the same empty block must not make a text each.
  if (node.isTextblock) element.insert(0, [newText(node)]);
  else if (!node.isLeaf) {
    const children = node.children.map((child) => newElement(child, nodes));
    element.insert(0, children);
  }
  nodes.set(element, node);
  return element;
}

/** Attributes that the schema does not know, of a newer app, stay. */
function changedAttributes(element: Y.XmlElement, { attrs, type }: Node): readonly (readonly [string, unknown])[] {
  return Object.entries<unknown>(attrs).filter(([name, value]) => {
    const stored: unknown = element.getAttribute(name);
    const fallback: unknown = type.spec.attrs?.[name]?.default;
    return (stored ?? fallback ?? null) !== value;
  });
}

const isAttributeValue = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

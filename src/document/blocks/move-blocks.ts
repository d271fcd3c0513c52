// Moves and doubles nodes of the body. To Yjs a move is deleting and inserting a copy: what others type meanwhile in
// the node that goes is brought back by whoever typed it (src/editor/lost-words/lost-words.ts). Knows no editor.
import * as Y from 'yjs';
import { bodyOf } from '../names.ts';
import { newBlockId } from '../new-block-id.ts';
import { type AttributeValue, setAttribute } from '../set-attribute.ts';

/** Children of the body by index: `from`, and `count` of them. */
export type BlockRange = { readonly from: number; readonly count: number };

/**
 * Puts the blocks of `range` before the one that stands at `to` now, and their indents to `indents` (by index in the
 * range; null: as it is). Ids stay. Of the two stretches that change places the one with fewer letters is copied: the
 * less goes, the less can be lost.
 */
export function moveBlocks(
  doc: Y.Doc,
  { from, count }: BlockRange,
  to: number,
  indents: readonly (number | null)[],
  origin: object,
): void {
  const body = bodyOf(doc);
  const end = from + count;
  if (to >= from && to <= end) return;
  const between = to < from ? { from: to, count: from - to } : { from: end, count: to - end };
  doc.transact(() => {
    const nodes = body.toArray();
    const isOtherLighter = estimateBytes(nodes, between) < estimateBytes(nodes, { from, count });
    setIndents(nodes.slice(from, end), indents);
    if (isOtherLighter) moveRange(body, between, to < from ? end : from);
    else moveRange(body, { from, count }, to);
  }, origin);
}

/** Copies with new ids behind the blocks of `range`. */
export function duplicateBlocks(doc: Y.Doc, { from, count }: BlockRange, origin: object): void {
  const body = bodyOf(doc);
  doc.transact(() => {
    const nodes = body.toArray().slice(from, from + count);
    body.insert(
      from + count,
      copiesOf(nodes, () => ({ id: newBlockId() })),
    );
  }, origin);
}

/** What copies of these nodes add to the page, estimated in bytes. */
export function estimateBytes(nodes: readonly unknown[], { from, count }: BlockRange): number {
  return nodes.slice(from, from + count).reduce<number>((sum, node) => sum + estimateNode(node), 0);
}

/** A node costs about so much beside its letters (measured in growth-guard.ts). */
const NODE_BYTES = 100;

function estimateNode(node: unknown): number {
  if (node instanceof Y.XmlText) return node.length;
  if (!(node instanceof Y.XmlElement)) return NODE_BYTES;
  return (node.toArray() as readonly unknown[]).reduce<number>((sum, child) => sum + estimateNode(child), NODE_BYTES);
}

function moveRange(body: Y.XmlFragment, { from, count }: BlockRange, to: number): void {
  const copies = copiesOf(body.toArray().slice(from, from + count));
  body.delete(from, count);
  body.insert(to > from ? to - count : to, copies);
}

function setIndents(nodes: readonly unknown[], indents: readonly (number | null)[]): void {
  for (const [at, node] of nodes.entries()) {
    const indent = indents[at] ?? null;
    if (indent === null || !(node instanceof Y.XmlElement)) continue;
    if (indent > 0) setAttribute(node, 'indent', indent);
    else node.removeAttribute('indent');
  }
}

type Changes = Readonly<Record<string, AttributeValue>>;

/** Of nodes and texts; a page holds nothing else. */
function copiesOf(nodes: readonly unknown[], changes: () => Changes = () => ({})): (Y.XmlElement | Y.XmlText)[] {
  const copies: (Y.XmlElement | Y.XmlText)[] = [];
  for (const node of nodes) {
    if (node instanceof Y.XmlElement) copies.push(copyOf(node, changes()));
    else if (node instanceof Y.XmlText) copies.push(node.clone());
  }
  return copies;
}

/** Everything in it, also what this app does not know. */
function copyOf(node: Y.XmlElement, changes: Changes): Y.XmlElement {
  const made = new Y.XmlElement(node.nodeName);
  const attributes: Readonly<Record<string, unknown>> = { ...node.getAttributes(), ...changes };
  const untyped: { setAttribute(name: string, value: unknown): void } = made;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) untyped.setAttribute(name, value);
  }
  made.insert(0, copiesOf(node.toArray()));
  return made;
}

// Moves and duplicates nodes of the body. To Yjs a move is a deletion plus an inserted copy. If others type in the
// deleted node meanwhile, their own client puts the text into the copy (src/editor/lost-words/lost-words.ts). Does not
// depend on the editor.
import * as Y from 'yjs';
import { bodyOf } from '../names.ts';
import { newBlockId } from '../new-block-id.ts';
import { type AttributeValue, setAttribute } from '../set-attribute.ts';

/** Children of the body: `count` of them, starting at index `from`. */
export type BlockRange = { readonly from: number; readonly count: number };

/**
 * Moves the blocks of `range` before the block that is at `to` now, and sets their indents to `indents` (by index in
 * the range; null leaves one as it is). Ids stay. A move swaps two stretches of blocks. It copies the stretch with less
 * text, so that less can be lost.
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

/** Inserts copies with new ids after the blocks of `range`. */
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

/** Estimates how many bytes copies of these nodes add to the page. */
export function estimateBytes(nodes: readonly unknown[], { from, count }: BlockRange): number {
  return nodes.slice(from, from + count).reduce<number>((sum, node) => sum + estimateNode(node), 0);
}

/** Approximate size of a node without its text (measured in growth-guard.ts). */
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

/** A page contains nothing but elements and texts. */
function copiesOf(nodes: readonly unknown[], changes: () => Changes = () => ({})): (Y.XmlElement | Y.XmlText)[] {
  const copies: (Y.XmlElement | Y.XmlText)[] = [];
  for (const node of nodes) {
    if (node instanceof Y.XmlElement) copies.push(copyOf(node, changes()));
    else if (node instanceof Y.XmlText) copies.push(node.clone());
  }
  return copies;
}

/** Copies everything inside, including what this version does not know. */
function copyOf(node: Y.XmlElement, changes: Changes): Y.XmlElement {
  const copy = new Y.XmlElement(node.nodeName);
  const attributes: Readonly<Record<string, unknown>> = { ...node.getAttributes(), ...changes };
  const untyped: { setAttribute(name: string, value: unknown): void } = copy;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) untyped.setAttribute(name, value);
  }
  copy.insert(0, copiesOf(node.toArray()));
  return copy;
}

// Moves and duplicates nodes of the body. To Yjs a move is a deletion plus an inserted copy. If others type in the
// deleted node meanwhile, their own client puts the text into the copy (src/editor/recovered-text/recovered-text.ts). Does not
// depend on the editor.
import * as Y from 'yjs';
import { type BodyPart, bodyParts } from '../body-parts.ts';
import { bodyOf } from '../names.ts';
import { newBlockId } from '../new-block-id.ts';
import { type AttributeValue, setAttribute } from '../set-attribute.ts';

/** Blocks of the page: `count` of them, starting at index `from`. */
export type BlockRange = { readonly from: number; readonly count: number };

/**
 * Moves the blocks of `range` before the block that is at `to` now, and sets their indents to `indents` (by index in
 * the range; null leaves one as it is). Ids stay. A move swaps two ranges of blocks. It copies the range with less
 * content, so that less can be lost. Returns false and changes nothing if both hold something that cannot be copied, or
 * if `to` is in or next to the range.
 */
export function moveBlocks(
  doc: Y.Doc,
  { from, count }: BlockRange,
  to: number,
  indents: readonly (number | null)[],
  origin: object,
): boolean {
  const body = bodyOf(doc);
  const end = from + count;
  if (to >= from && to <= end) return false;
  const between = to < from ? { from: to, count: from - to } : { from: end, count: to - end };
  const parts = bodyParts(body);
  const [moved, passed] = [elementsIn(parts, { from, count }), elementsIn(parts, between)];
  if (moved === null && passed === null) return false;
  const isOtherLighter = moved === null || (passed !== null && estimateBytes(passed) < estimateBytes(moved));
  doc.transact(() => {
    setIndents(parts.slice(from, end), indents);
    if (isOtherLighter) moveRange(body, parts, between, to < from ? end : from);
    else moveRange(body, parts, { from, count }, to);
  }, origin);
  return true;
}

/** Inserts copies with new ids after the blocks of `range`. Returns false if they cannot be copied. */
export function duplicateBlocks(doc: Y.Doc, range: BlockRange, origin: object): boolean {
  const body = bodyOf(doc);
  const parts = bodyParts(body);
  const elements = elementsIn(parts, range);
  if (elements === null) return false;
  doc.transact(() => {
    const copies = elements.map((element) => copyOf(element, { id: newBlockId() }));
    body.insert(indexOf(parts, range.from + range.count), copies);
  }, origin);
  return true;
}

/** Estimates how many bytes a copy of these blocks adds to the page. */
export const estimateBytesOf = (doc: Y.Doc, range: BlockRange): number =>
  estimateBytes(elementsIn(bodyParts(bodyOf(doc)), range) ?? []);

const estimateBytes = (nodes: readonly Y.XmlElement[]): number =>
  nodes.reduce((sum, node) => sum + estimateNode(node), 0);

/** Null if a block holds anything but elements and texts: a copy would lack it. */
function elementsIn(parts: readonly BodyPart[], { from, count }: BlockRange): readonly Y.XmlElement[] | null {
  const blocks = parts.slice(from, from + count);
  const elements = blocks.flatMap(({ element }) => (element !== null && canBeCopied(element) ? [element] : []));
  return elements.length === blocks.length ? elements : null;
}

/** Copying deeper nesting would overflow the stack. A table has four levels. */
const MAX_COPIED_DEPTH = 100;

function canBeCopied(node: unknown, depth = 0): boolean {
  if (node instanceof Y.XmlText) return true;
  if (!(node instanceof Y.XmlElement) || depth > MAX_COPIED_DEPTH) return false;
  return (node.toArray() as readonly unknown[]).every((child) => canBeCopied(child, depth + 1));
}

/** The index in Yjs before a block. */
const indexOf = (parts: readonly BodyPart[], at: number): number => {
  const last = parts.at(-1);
  return parts[at]?.from ?? (last === undefined ? 0 : last.from + last.length);
};

/** Approximate size of a node without its text (measured in growth-guard.ts). */
const NODE_BYTES = 100;

function estimateNode(node: unknown): number {
  if (node instanceof Y.XmlText) return node.length;
  if (!(node instanceof Y.XmlElement)) return NODE_BYTES;
  return (node.toArray() as readonly unknown[]).reduce<number>((sum, child) => sum + estimateNode(child), NODE_BYTES);
}

function moveRange(body: Y.XmlFragment, parts: readonly BodyPart[], { from, count }: BlockRange, to: number): void {
  const copies = copiesOf(elementsIn(parts, { from, count }) ?? []);
  const start = indexOf(parts, from);
  const end = indexOf(parts, from + count);
  const target = indexOf(parts, to);
  body.delete(start, end - start);
  body.insert(target > start ? target - (end - start) : target, copies);
}

function setIndents(parts: readonly BodyPart[], indents: readonly (number | null)[]): void {
  for (const [at, { element: node }] of parts.entries()) {
    const indent = indents[at] ?? null;
    if (indent === null || node === null) continue;
    if (indent > 0) setAttribute(node, 'indent', indent);
    else node.removeAttribute('indent');
  }
}

type Changes = Readonly<Record<string, AttributeValue>>;

function copiesOf(nodes: readonly unknown[]): (Y.XmlElement | Y.XmlText)[] {
  const copies: (Y.XmlElement | Y.XmlText)[] = [];
  for (const node of nodes) {
    if (node instanceof Y.XmlElement) copies.push(copyOf(node, {}));
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

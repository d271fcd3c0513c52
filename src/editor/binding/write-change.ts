// Writes the editor's page into the document. Nearly every edit is in one block or cell, so only that one is compared.
// y-tiptap, which does the rest, compares all blocks of the page, and all cells of a table, at each key.
import type { Node } from '@tiptap/pm/model';
import { type ProsemirrorBinding, updateYFragment } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { type BodyPart, bodyParts } from '../../document/body-parts.ts';
import { type PageNodeMap, UNKNOWN } from '../schema/unknown-node.ts';

/** Call inside a transaction of the document. */
export function writeChange(binding: ProsemirrorBinding, nodes: PageNodeMap, page: Node): void {
  const { syncedPage } = nodes;
  if (syncedPage === null || !writeSingleChange(binding, nodes, syncedPage, page)) {
    writeEditorPage(binding, nodes, page);
  }
  nodes.syncedPage = page;
}

/** Writes a whole page. Grey blocks stay as they are, or are deleted if the page has them no more (T4). */
export function writeEditorPage(binding: ProsemirrorBinding, nodes: PageNodeMap, page: Node): void {
  const parts = bodyParts(binding.type);
  const isGrey = (part: BodyPart) => nodes.nodeOfPart(part)?.type.name === UNKNOWN;
  if (parts.some(isGrey)) writeAroundGrey(binding, nodes, parts, page);
  else updateYFragment(binding.doc, binding.type, page, binding);
}

/**
 * y-tiptap's comparison would write the grey blocks of a page that changed before and behind them. So each stretch
 * between grey blocks is compared on its own, from the last to the first, because earlier indices then stay valid.
 */
function writeAroundGrey(
  binding: ProsemirrorBinding,
  nodes: PageNodeMap,
  parts: readonly BodyPart[],
  page: Node,
): void {
  const places = new Map<Node, number>();
  page.forEach((node, _at, index) => {
    if (node.type.name === UNKNOWN) places.set(node, index);
  });
  let partsEnd = parts.length;
  let nodesEnd = page.childCount;
  for (let at = parts.length - 1; at >= -1; at--) {
    const part = parts[at];
    const node = part === undefined ? null : nodes.nodeOfPart(part);
    const place = part === undefined ? -1 : node === null ? undefined : places.get(node);
    // A part that is no grey block, or one that the page has no more.
    if (place === undefined || place >= nodesEnd) continue;
    const stretch = parts.slice(at + 1, partsEnd);
    const children = page.children.slice(place + 1, nodesEnd);
    writeStretch(binding, nodes, stretch, children, indexAfter(part));
    partsEnd = at;
    nodesEnd = place;
  }
}

const indexAfter = (part: BodyPart | undefined): number => (part === undefined ? 0 : part.from + part.length);

function writeStretch(
  binding: ProsemirrorBinding,
  nodes: PageNodeMap,
  parts: readonly BodyPart[],
  children: readonly Node[],
  start: number,
): void {
  const { doc, type: body } = binding;
  const isSame = (part: BodyPart | undefined, node: Node | undefined) =>
    part !== undefined && node !== undefined && nodes.nodeOfPart(part) === node;
  const least = Math.min(parts.length, children.length);
  let left = 0;
  while (left < least && isSame(parts[left], children[left])) left++;
  let right = 0;
  while (right < least - left && isSame(parts.at(-1 - right), children.at(-1 - right))) right++;
  const oldParts = parts.slice(left, parts.length - right);
  const newNodes = children.slice(left, children.length - right);
  let at = oldParts[0]?.from ?? (left === 0 ? start : indexAfter(parts[left - 1]));
  // A block that is split keeps its element for the half with its text: Enter before the first letter is the other half.
  const skipped = startsLater(nodes, oldParts, newNodes) ? newNodes.length - oldParts.length : 0;
  for (const [index, node] of newNodes.entries()) {
    const part = oldParts[index - skipped];
    const element = part?.element ?? null;
    if (element !== null && element.nodeName === node.type.name) updateYFragment(doc, element, node, binding);
    else {
      if (part !== undefined) body.delete(at, part.length);
      const created = new Y.XmlElement(node.type.name);
      body.insert(at, [created]);
      updateYFragment(doc, created, node, binding);
    }
    at += 1;
  }
  const rest = oldParts.slice(newNodes.length);
  const length = rest.reduce((sum, part) => sum + part.length, 0);
  if (length > 0) body.delete(at, length);
}

/** True if the last nodes continue the old parts, and those before them are new. */
function startsLater(nodes: PageNodeMap, parts: readonly BodyPart[], children: readonly Node[]): boolean {
  const [first] = parts;
  if (first === undefined || children.length <= parts.length) return false;
  const old = nodes.nodeOfPart(first);
  const isContinuedBy = (node: Node | undefined) => old !== null && node?.content.eq(old.content) === true;
  return !isContinuedBy(children[0]) && isContinuedBy(children[children.length - parts.length]);
}

/** Returns false and writes nothing unless exactly one child changed and its Yjs element is known. */
export function writeSingleChange(binding: ProsemirrorBinding, nodes: PageNodeMap, before: Node, after: Node): boolean {
  const at = singleChangedChild(before, after);
  if (at === null) return false;
  const [old, changed] = [before.child(at), after.child(at)];
  const element = nodes.elementOf(old);
  if (element === null || element.nodeName !== changed.type.name) return false;
  const isInside = !changed.isTextblock && !changed.isLeaf && changed.sameMarkup(old);
  if (isInside && writeSingleChange(binding, nodes, old, changed)) nodes.set(element, changed);
  else updateYFragment(binding.doc, element, changed, binding);
  return true;
}

/** True if exactly one block changed, and the document has it: this can be written while the page lacks other blocks. */
export function isSingleChange(nodes: PageNodeMap, before: Node, after: Node): boolean {
  const at = singleChangedChild(before, after);
  if (at === null) return false;
  const [old, changed] = [before.child(at), after.child(at)];
  return nodes.elementOf(old) !== null && changed.type === old.type;
}

function singleChangedChild(before: Node, after: Node): number | null {
  if (before.childCount !== after.childCount) return null;
  let from = 0;
  let to = before.childCount - 1;
  while (from <= to && before.child(from) === after.child(from)) from++;
  while (to > from && before.child(to) === after.child(to)) to--;
  return from === to ? from : null;
}

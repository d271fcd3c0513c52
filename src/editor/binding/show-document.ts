// Shows the document in the editor: the first page, remote edits, undo. What did not change keeps its nodes, and nothing
// is deleted from the document because it cannot be shown.
import { Fragment, type Mark, type Node, type ResolvedPos, type Schema, Slice } from '@tiptap/pm/model';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { MAX_ATTRIBUTE_LENGTH } from 'weft-document/blocks/block.ts';
import { bodyParts } from 'weft-document/body-parts.ts';
import { markName, deltaOf } from 'weft-document/body/parse-body.ts';
import { BLOCK, EMBED, TABLE } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { equalEnds } from '../../lib/lists/equal-ends.ts';
import { drawingCost } from '../../ui/blocks/drawing-cost.ts';
import { sizeOf } from '../schema/size-of.ts';
import { type PageBinding, pageBindingKey } from './binding-of.ts';
import { type PageNodes, drawnPiece } from './page-nodes.ts';
import { type RelativeSelection, toAbsolutePosition } from './page-positions.ts';
import { UNITS_PER_CODE, UNIT_MS } from './slice-size.ts';

/** How many more nodes and runs of text may be made in this slice. The rest is left out until the next. */
export type Budget = { left: number };

/** Draws the page anew, as much of it as fits. */
export function drawPage(view: EditorView, binding: PageBinding, budget: Budget): void {
  const { nodes } = binding;
  nodes.clear();
  nodes.syncedPage = null;
  const { anchor, head } = view.state.selection;
  const transaction = view.state.tr.setMeta('addToHistory', false);
  const page = buildPage(binding, view.state.schema, budget);
  transaction.replace(0, transaction.doc.content.size, new Slice(page.content, 0, 0));
  selectText(transaction, anchor, head);
  view.dispatch(transaction.setMeta(pageBindingKey, true));
  nodes.syncedPage = transaction.doc;
}

/**
 * Draws the changes of transactions (`forgetChanged` got each of them), as much as fits, and leaves everything else as it
 * is: nodes, decorations, characters that are being composed. `before`: the selection before the changes.
 */
export function showChanges(
  view: EditorView,
  binding: PageBinding,
  before: RelativeSelection | null,
  budget: Budget,
): void {
  const { nodes } = binding;
  const transaction = view.state.tr.setMeta('addToHistory', false);
  const page = buildPage(binding, view.state.schema, budget);
  replaceChanged(transaction, view.state.doc, page, 0);
  if (transaction.docChanged) {
    keepCaret(transaction, binding, page, before);
    keepSurrogatesWhole(transaction);
    // Only if the caret may have moved: the check makes the browser lay out what was just drawn.
    const mayMove = before !== null && startOf(transaction) < view.state.selection.head;
    if (mayMove && isCaretInView(view)) transaction.scrollIntoView();
    view.dispatch(transaction.setMeta(pageBindingKey, true));
  }
  const drawn = bodyParts(binding.body).filter(({ element, first }) => !nodes.isLeftOut(element ?? first));
  mapDrawnNodes(
    drawn.map(({ element }) => element),
    nodes,
    view.state.doc,
  );
  nodes.syncedPage = view.state.doc;
}

function isCaretInView(view: EditorView): boolean {
  if (!view.hasFocus()) return false;
  const { top, bottom, left, right } = view.coordsAtPos(view.state.selection.head);
  return bottom >= 0 && top <= window.innerHeight && right >= 0 && left <= window.innerWidth;
}

/** The first position that changed. */
function startOf({ mapping }: Transaction): number {
  let start = Infinity;
  for (const map of mapping.maps) map.forEach((from) => void (start = Math.min(start, from)));
  return start;
}

/** Call with each transaction that the editor did not make. */
export function forgetChanged(nodes: PageNodes, change: Y.Transaction): void {
  for (const type of change.changedParentTypes.keys()) nodes.outdate(type);
  for (const type of change.changed.keys()) nodes.outdate(type);
  Y.iterateDeletedStructs(change, change.deleteSet, (struct) => {
    if (struct instanceof Y.Item && struct.content instanceof Y.ContentType) nodes.outdate(struct.content.type);
  });
}

/** Nodes that did not change stay the same objects. */
function buildPage({ body, nodes }: PageBinding, schema: Schema, budget: Budget): Node {
  nodes.startSlice();
  const children = bodyParts(body).flatMap((part) => {
    const { element, first } = part;
    // `has`, not `get`, which looks through the content of each new node.
    const isKnown = element === null ? nodes.hasLoose(part) : nodes.has(element);
    if (!isKnown && budget.left <= 0) return nodes.postpone(element ?? first);
    if (element !== null) return [nodeOf(element, nodes, schema, budget)];
    if (!isKnown) budget.left -= 1;
    return [nodes.looseNode(part)];
  });
  return schema.topNodeType.create(null, children);
}

function childNodes(parent: Y.XmlElement, nodes: PageNodes, schema: Schema, budget: Budget): readonly Node[] {
  // Rows wait for the next slice one by one, the cells of a row do not.
  const mayWait = parent.nodeName === TABLE;
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return textNodes(child, schema, budget);
    if (!(child instanceof Y.XmlElement)) return [];
    if (mayWait && budget.left <= 0 && !nodes.has(child)) return nodes.postpone(child);
    return [nodeOf(child, nodes, schema, budget)];
  });
}

function nodeOf(element: Y.XmlElement, nodes: PageNodes, schema: Schema, budget: Budget): Node {
  if (!nodes.has(element)) budget.left -= unitsOf(element);
  const known = nodes.get(element);
  if (known !== null) return known;
  const wasPartial = nodes.isPartial(element);
  const { postponed } = nodes;
  const children = childNodes(element, nodes, schema, budget);
  const node = schema.node(element.nodeName, element.getAttributes(), children);
  if (nodes.postponed > postponed) nodes.setPartial(element, node);
  else nodes.set(element, node);
  // The next slices only add rows to a table. If another block changed with it, the whole table would be drawn anew.
  if (wasPartial) budget.left = 0;
  return node;
}

/** Counts a node without its content. */
function unitsOf(element: Y.XmlElement): number {
  if (element.nodeName === BLOCK) return element.getAttribute('kind') === 'code' ? UNITS_PER_CODE : 1;
  const name: unknown = element.getAttribute(element.nodeName === EMBED ? 'title' : 'name');
  if (typeof name !== 'string') return 1;
  const text = name.slice(0, MAX_ATTRIBUTE_LENGTH);
  return 1 + Math.floor(drawingCost([{ text, marks: 0, formulas: 0 }]) / UNIT_MS);
}

function textNodes(text: Y.XmlText, schema: Schema, budget: Budget): readonly Node[] {
  const runs = deltaOf(text);
  // The cost of the block includes a single run.
  budget.left -= Math.max(0, runs.length - 1) + Math.floor(drawingCost(runs.map(drawnPiece)) / UNIT_MS);
  return runs.flatMap(({ insert, attributes }) =>
    typeof insert === 'string' ? [schema.text(insert, marksOf(attributes ?? {}, schema))] : [],
  );
}

const marksOf = (attributes: object, schema: Schema): Mark[] =>
  Object.entries(attributes).map(([name, value]) => schema.mark(markName(name), asAttributes(value)));

const asAttributes = (value: unknown) => (typeof value === 'object' && value !== null ? { ...value } : null);

/** Replaces as little as possible: inside one block of the same kind, only the characters that changed. */
function replaceChanged(transaction: Transaction, before: Node, after: Node, start: number): void {
  if (before.isTextblock) {
    replaceCharacters(transaction, before, after, start);
    return;
  }
  const [from, toBefore, to] = changedChildren(before, after);
  const at = start + sizeOf(before, 0, from);
  const [old, next] = [before.maybeChild(from), after.maybeChild(from)];
  if (toBefore === from + 1 && to === from + 1 && old !== null && next !== null && isSameKind(old, next)) {
    replaceChanged(transaction, old, next, at + 1);
  } else if (start > 0 && areSameKinds(before, after, from, toBefore, to)) {
    // A new column changes every row, but a cell that is being edited must not be redrawn. From last to first, so
    // that earlier positions stay valid.
    for (let index = to - 1, end = at + sizeOf(before, from, toBefore); index >= from; index--) {
      end -= before.child(index).nodeSize;
      if (!before.child(index).eq(after.child(index))) {
        replaceChanged(transaction, before.child(index), after.child(index), end + 1);
      }
    }
  } else if (from < toBefore || from < to) {
    const slice = new Slice(Fragment.from(after.content.content.slice(from, to)), 0, 0);
    transaction.replace(at, at + sizeOf(before, from, toBefore), slice);
  }
}

function areSameKinds(before: Node, after: Node, from: number, toBefore: number, to: number): boolean {
  if (toBefore !== to) return false;
  for (let index = from; index < to; index++) if (!isSameKind(before.child(index), after.child(index))) return false;
  return true;
}

const isSameKind = (before: Node, after: Node): boolean => !before.isLeaf && before.sameMarkup(after);

function replaceCharacters(transaction: Transaction, before: Node, after: Node, start: number): void {
  const first = before.content.findDiffStart(after.content);
  const last = before.content.findDiffEnd(after.content);
  if (first === null || last === null) return;
  // If a character was doubled, the searches from both ends overlap.
  const overlap = Math.max(0, first - Math.min(last.a, last.b));
  transaction.replace(start + first, start + last.a + overlap, after.slice(first, last.b + overlap));
}

/**
 * The index of the first child that differs, and the ends of the differing range before and after. Compares by identity, also
 * cells: a node stands for one Yjs element. All empty cells are equal; when they were compared by content, one object stood
 * for two of them, and the binding took the next character for a move (words were lost).
 */
export function changedChildren(before: Node, after: Node): readonly [number, number, number] {
  const isSame = (one: number, other: number) => before.child(one) === after.child(other);
  const [left, right] = equalEnds(before.childCount, after.childCount, isSame);
  return [left, before.childCount - right, after.childCount - right];
}

/** Yjs knows where the caret stands. ProseMirror's mapping would push it on when others write right at it. */
function keepCaret(transaction: Transaction, binding: PageBinding, page: Node, before: RelativeSelection | null): void {
  if (before?.isText !== true) return;
  const find = (position: Y.RelativePosition) => toAbsolutePosition(binding, page, position);
  const anchor = find(before.anchor) ?? find(before.head);
  const head = find(before.head) ?? anchor;
  if (anchor !== null && head !== null) selectText(transaction, anchor, head);
}

function selectText(transaction: Transaction, anchor: number, head: number): void {
  const { doc } = transaction;
  const $at = (at: number) => doc.resolve(Math.min(at, doc.content.size));
  transaction.setSelection(TextSelection.between($at(anchor), $at(head)));
}

/**
 * When content next to the caret is deleted, the caret can end up between the two halves of an emoji. Typing there would
 * break the emoji, and differently for everyone (T11 in docs/losses.md).
 */
function keepSurrogatesWhole(transaction: Transaction): void {
  const { selection } = transaction;
  if (!(selection instanceof TextSelection)) return;
  const [anchor, head] = [afterCharacter(selection.$anchor), afterCharacter(selection.$head)];
  if (anchor !== selection.anchor || head !== selection.head) selectText(transaction, anchor, head);
}

function afterCharacter({ pos, nodeBefore, nodeAfter }: ResolvedPos): number {
  const isInside = /[\uD800-\uDBFF]$/.test(nodeBefore?.text ?? '') && /^[\uDC00-\uDFFF]/.test(nodeAfter?.text ?? '');
  return isInside ? pos + 1 : pos;
}

/**
 * If only characters, or nothing visible, were replaced, the editor has made a node of its own: the mapping gets that one.
 */
function mapDrawnNodes(elements: readonly unknown[], nodes: PageNodes, page: Node): void {
  for (const [index, element] of elements.entries()) {
    const node = page.maybeChild(index);
    if (node === null || !(element instanceof Y.XmlElement)) continue;
    if (nodes.isPartial(element)) nodes.setPartial(element, node);
    if (!nodes.has(element) || nodes.get(element) === node) continue;
    nodes.set(element, node);
    if (!node.isTextblock && !node.isLeaf) mapDrawnNodes(element.toArray(), nodes, node);
  }
}

// Which node of the editor's page stands for which element of the Y.Doc. An unsupported block (T4 in docs/losses.md) has a node
// too, which is drawn in its place and never written. A long page is drawn in slices, a frame each (`slice-size.ts`).
import type { Node, Schema } from '@tiptap/pm/model';
import { FORMULA_MARK, formulasInText } from 'weft-document/blocks/inline-formulas.ts';
import { type BodyPart, textOfPart } from 'weft-document/body-parts.ts';
import { unknownIn } from 'weft-document/body/find-unknown.ts';
import { deltaOf, markName } from 'weft-document/body/parse-body.ts';
import { TABLE } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { type DrawnPiece, MAX_DRAWING_MS, drawingCost } from '../../ui/blocks/drawing-cost.ts';
import { MAX_DRAWN_COLUMNS } from '../../ui/blocks/drawing-limits.ts';
import { UNKNOWN } from '../schema/unknown-node.ts';

export class PageNodes {
  /** The page that matched the document when the two were last in sync; null before the first time. */
  syncedPage: Node | null = null;
  /** No WeakMap: with tens of thousands of blocks the garbage collector would look through it again and again. */
  readonly #nodes = new Map<Y.XmlElement, Node>();
  readonly #elements = new WeakMap<Node, Y.XmlElement>();
  /** Nodes that stand for several elements at once, so it is unclear which one is meant. */
  readonly #shared = new WeakSet<Node>();
  readonly #body: Y.XmlFragment;
  readonly #schema: Schema;
  /** Blocks that were found to be supported since their last change. */
  readonly #supported = new WeakSet<Y.XmlElement>();
  /** The nodes that stand for loose content (text between blocks, which no app writes), by the Yjs id of its first item. */
  readonly #loose = new Map<string, Node>();

  /** Parts of the document that this page does not show yet, because the slice was full (`show-document.ts`). */
  readonly #leftOut = new Set<Y.XmlElement | Y.Item>();
  /** Tables of which the page lacks rows. */
  readonly #partial = new Set<Y.XmlElement>();
  /** The node that is drawn for an element that changed, or of which only a part is drawn. */
  #outdated = new WeakMap<Y.XmlElement, Node>();
  #postponed = 0;

  constructor(body: Y.XmlFragment, schema: Schema) {
    this.#body = body;
    this.#schema = schema;
  }

  /** How many nodes wait for the next slice. */
  get postponed(): number {
    return this.#postponed;
  }

  /** True if the page shows all of the document. Otherwise it must not be written: missing content would be deleted. */
  get isWhole(): boolean {
    return this.#postponed === 0;
  }

  startSlice(): void {
    this.#postponed = 0;
    this.#leftOut.clear();
  }

  /** Draws an element, or the loose content that begins with an item, in a later slice. Until then what is drawn of it stays. */
  postpone(content: Y.XmlElement | Y.Item): readonly Node[] {
    this.#postponed += 1;
    const drawn = content instanceof Y.XmlElement ? this.#outdated.get(content) : undefined;
    if (drawn !== undefined) return [drawn];
    this.#leftOut.add(content);
    return [];
  }

  isLeftOut(content: Y.XmlElement | Y.Item): boolean {
    return this.#leftOut.has(content);
  }

  setPartial(element: Y.XmlElement, node: Node): void {
    this.#partial.add(element);
    this.#outdated.set(element, node);
  }

  isPartial(element: Y.XmlElement): boolean {
    return this.#partial.has(element);
  }

  /** Call with every type that changed: a new node is made for it. */
  outdate(type: unknown): void {
    if (!(type instanceof Y.XmlElement)) return;
    const node = this.#nodes.get(type);
    if (node !== undefined) this.#outdated.set(type, node);
    this.#nodes.delete(type);
  }

  /** Call with every transaction, before the changed types are read. */
  recheck({ changedParentTypes }: Y.Transaction): void {
    for (const type of changedParentTypes.keys() as Iterable<unknown>)
      if (type instanceof Y.XmlElement) this.#supported.delete(type);
  }

  /** Nothing is known any more: the page is drawn from its beginning. */
  clear(): void {
    this.#nodes.clear();
    this.#outdated = new WeakMap();
    this.#partial.clear();
    this.#loose.clear();
  }

  has(element: Y.XmlElement): boolean {
    return this.#nodes.has(element);
  }

  /** Null for an element that still has to be drawn. For an unsupported block it makes the node. */
  get(element: Y.XmlElement): Node | null {
    const known = this.#nodes.get(element);
    if (known !== undefined) return known;
    const note = element.parent === this.#body && !this.#supported.has(element) ? unsupportedNoteOf(element) : null;
    if (note === null) {
      this.#supported.add(element);
      return null;
    }
    const text = element._item === null ? '' : textOfPart({ first: element._item, length: 1 });
    const node = this.#schema.node(UNKNOWN, { note, text });
    this.set(element, node);
    return node;
  }

  set(element: Y.XmlElement, node: Node): void {
    this.#partial.delete(element);
    const known = this.#elements.get(node);
    if (known === undefined || this.#nodes.get(known) !== node) this.#elements.set(node, element);
    else if (known !== element) this.#shared.add(node);
    this.#nodes.set(element, node);
  }

  /** Call with an element that is about to be deleted. */
  delete(element: Y.XmlElement): void {
    this.#nodes.delete(element);
    for (const child of element.toArray()) if (child instanceof Y.XmlElement) this.delete(child);
  }

  /** Sets the nodes of an element with the same content, and of everything in it. */
  setAll(element: Y.XmlElement, node: Node): void {
    if (this.#nodes.get(element) === node) return;
    this.set(element, node);
    if (node.isTextblock || node.isLeaf) return;
    for (const [index, child] of element.toArray().entries()) {
      const childNode = node.maybeChild(index);
      if (child instanceof Y.XmlElement && childNode !== null) this.setAll(child, childNode);
    }
  }

  /** The element behind a node of the page; null when it is not certain. */
  elementOf(node: Node): Y.XmlElement | null {
    const element = this.formerElementOf(node);
    return element !== null && this.#nodes.get(element) === node && element._item?.deleted === false ? element : null;
  }

  /** The same for a node of an earlier page, whose element may be gone. */
  formerElementOf(node: Node): Y.XmlElement | null {
    return this.#shared.has(node) ? null : (this.#elements.get(node) ?? null);
  }

  hasLoose({ first: { id } }: BodyPart): boolean {
    return this.#loose.has(`${id.client}.${id.clock}`);
  }

  /** The node that stands for loose content; the same one as long as its text is the same. */
  looseNode(part: BodyPart): Node {
    const { client, clock } = part.first.id;
    const key = `${client}.${clock}`;
    const text = textOfPart(part);
    const known = this.#loose.get(key);
    if (known?.attrs['text'] === text) return known;
    const node = this.#schema.node(UNKNOWN, { note: CONTENT_TEXTS.looseContent, text });
    this.#loose.set(key, node);
    return node;
  }

  nodeOfPart(part: BodyPart): Node | null {
    return part.element === null ? this.looseNode(part) : this.get(part.element);
  }
}

/** Why a block is not supported; null if it is. */
function unsupportedNoteOf(element: Y.XmlElement): string | null {
  if (unknownIn(element) !== null) return CONTENT_TEXTS.newerBlock;
  return columnsOf(element) > MAX_DRAWN_COLUMNS || costOf(element) > MAX_DRAWING_MS
    ? CONTENT_TEXTS.blockTooLarge
    : null;
}

/** The cells of a table's longest row; 0 for other blocks. */
function columnsOf(element: Y.XmlElement): number {
  if (element.nodeName !== TABLE) return 0;
  return element.toArray().reduce((most, row) => Math.max(most, row instanceof Y.XmlElement ? row.length : 0), 0);
}

/** The element is a known one: its texts are at most three levels deep. */
function costOf(element: Y.XmlElement): number {
  return element.toArray().reduce((sum, child) => {
    if (child instanceof Y.XmlText) return sum + drawingCost(deltaOf(child).map(drawnPiece));
    return child instanceof Y.XmlElement ? sum + costOf(child) : sum;
  }, 0);
}

/** A piece of a text as `drawingCost` takes it. */
export function drawnPiece({ insert, attributes = {} }: ReturnType<typeof deltaOf>[number]): DrawnPiece {
  const text = typeof insert === 'string' ? insert : '';
  const marks = Object.keys(attributes);
  const formulas = marks.some((name) => markName(name) === FORMULA_MARK) ? formulasInText(text).length : 0;
  return { text, marks: marks.length, formulas };
}

// A node for blocks that the editor cannot show as they are: a newer app wrote them (T4), they are loose content between
// blocks, or too costly to draw. It shows a grey block. The content in the document is never overwritten; only a user's own
// deletion removes it.
import { Node } from '@tiptap/core';
import { Node as PageNode, type Schema } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { type BodyPart, textOfPart } from '../../document/body-parts.ts';
import { TABLE } from '../../document/names.ts';
import { unknownIn } from '../../document/body/find-unknown.ts';
import { FORMULA_MARK, formulasInText } from '../../document/blocks/inline-formulas.ts';
import { deltaOf, markName } from '../../document/body/parse-body.ts';
import { CONTENT_TEXTS } from '../../protocol/errors.ts';
import { type DrawnPiece, MAX_DRAWING_MS, drawingCost } from '../../ui/blocks/drawing-cost.ts';
import { MAX_DRAWN_COLUMNS } from '../../ui/blocks/drawing-limits.ts';
import { createUnsupportedBlock, isInUnsupportedBlock } from '../../ui/blocks/unsupported-block.ts';

export const UNKNOWN = 'unknown';

export const UnknownNode = Node.create({
  name: UNKNOWN,
  atom: true,
  selectable: true,
  draggable: false,
  /** Never stored: this node is never written. */
  addAttributes: () => ({
    note: { default: '', rendered: false },
    text: { default: '', rendered: false },
  }),
  renderHTML: ({ node }) => ['div', { class: 'block', 'data-kind': UNKNOWN }, noteOf(node)],
  addNodeView:
    () =>
    ({ node, view, getPos }) => {
      const dom = document.createElement('div');
      dom.className = 'block';
      dom.dataset['kind'] = UNKNOWN;
      dom.contentEditable = 'false';
      const onDelete = () => {
        const at = getPos();
        if (at !== undefined) view.dispatch(view.state.tr.delete(at, at + 1));
      };
      const contentOf = (now: PageNode) => ({ note: noteOf(now), text: String(now.attrs['text']), onDelete });
      const grey = createUnsupportedBlock(contentOf(node));
      dom.append(grey.dom);
      return {
        dom,
        update(now: PageNode) {
          if (now.type !== node.type) return false;
          grey.update(contentOf(now));
          return true;
        },
        stopEvent: ({ target }: Event) => isInUnsupportedBlock(target),
        ignoreMutation: () => true,
      };
    },
});

const noteOf = (node: PageNode): string => String(node.attrs['note']);

type BindingMapping = ProsemirrorBinding['mapping'];
type YType = Parameters<BindingMapping['get']>[0];

/**
 * y-tiptap's mapping from Yjs types to ProseMirror nodes, with an answer for blocks that this app does not know.
 * y-tiptap looks a type up here before it makes a node, and deletes from the document what it cannot make. Here it
 * finds a node for every child of the body, and it does not write nodes that it finds unchanged.
 */
export class PageNodeMap extends Map<YType, PageNode | PageNode[]> {
  /** The page that matched the document when the two were last in sync; null before the first time. */
  syncedPage: PageNode | null = null;
  readonly #elements = new WeakMap<PageNode, Y.XmlElement>();
  /** Nodes that stand for several Yjs elements at once, so it is unclear which one is meant. */
  readonly #shared = new WeakSet<PageNode>();
  readonly #body: Y.XmlFragment;
  readonly #schema: Schema;
  /**
   * Types that were checked for unknown content since their last change. y-tiptap empties the mapping at every remote
   * edit.
   */
  readonly #checked = new WeakSet<object>();
  /** The nodes that stand for loose content, by the Yjs id of its first item. */
  readonly #loose = new Map<string, PageNode>();

  /** Parts of the document that this page does not show yet, because the slice was full (`show-document.ts`). */
  readonly #leftOut = new Set<unknown>();
  /** Tables of which the page lacks rows. */
  readonly #partial = new Set<Y.XmlElement>();
  /** The node that is drawn for an element that changed, or of which only a part is drawn. */
  #outdated = new WeakMap<Y.XmlElement, PageNode>();
  #postponed = 0;

  constructor(body: Y.XmlFragment, schema: Schema) {
    super();
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
  postpone(content: Y.XmlElement | Y.Item): readonly PageNode[] {
    this.#postponed += 1;
    const drawn = content instanceof Y.XmlElement ? this.#outdated.get(content) : undefined;
    if (drawn !== undefined) return [drawn];
    this.#leftOut.add(content);
    return [];
  }

  isLeftOut(content: Y.XmlElement | Y.Item): boolean {
    return this.#leftOut.has(content);
  }

  setPartial(element: Y.XmlElement, node: PageNode): void {
    this.#partial.add(element);
    this.#outdated.set(element, node);
  }

  isPartial(element: Y.XmlElement): boolean {
    return this.#partial.has(element);
  }

  /** The type changed: its node is made anew. */
  outdate(type: YType): void {
    const node = super.get(type);
    if (node instanceof PageNode && type instanceof Y.XmlElement) this.#outdated.set(type, node);
    this.delete(type);
  }

  /** The page is drawn from its beginning. */
  reset(): void {
    this.clear();
    this.#outdated = new WeakMap();
    this.#partial.clear();
  }

  /** Call before the binding reads the changed types. */
  recheck({ changedParentTypes }: Y.Transaction): void {
    for (const type of changedParentTypes.keys()) this.#checked.delete(type);
  }

  /**
   * Maps the ancestors of a text that was written into the document before y-tiptap compared. If y-tiptap finds a table
   * up to date, it does not look at its rows and would keep the old nodes for the row and the cell.
   */
  mapAncestors(text: Y.XmlText): void {
    const inner: Y.XmlElement[] = [];
    let outer: unknown = text.parent;
    while (outer instanceof Y.XmlElement && outer.parent !== this.#body) {
      inner.unshift(outer);
      outer = outer.parent;
    }
    if (!(outer instanceof Y.XmlElement)) return;
    let node = this.get(outer);
    for (const element of inner) {
      const index = element.parent instanceof Y.XmlElement ? element.parent.toArray().indexOf(element) : -1;
      node = node instanceof PageNode && index >= 0 ? (node.maybeChild(index) ?? undefined) : undefined;
      if (node === undefined) return;
      this.set(element, node);
    }
  }

  /** True if the page shows a grey block that is not in this mapping, so that its element is unknown. */
  hasUnmappedUnknown(page: PageNode): boolean {
    let known: Set<unknown> | null = null;
    let isStray = false;
    page.forEach((node) => {
      if (node.type.name !== UNKNOWN) return;
      known ??= new Set<unknown>([...this.values(), ...this.#loose.values()]);
      isStray ||= !known.has(node);
    });
    return isStray;
  }

  override set(type: YType, node: PageNode | PageNode[]): this {
    if (type instanceof Y.XmlElement) this.#partial.delete(type);
    if (node instanceof PageNode && type instanceof Y.XmlElement) {
      const known = this.#elements.get(node);
      if (known === undefined || super.get(known) !== node) this.#elements.set(node, type);
      else if (known !== type) this.#shared.add(node);
    }
    return super.set(type, node);
  }

  /** The Yjs element behind a node of the page; null when it is not certain. */
  elementOf(node: PageNode): Y.XmlElement | null {
    const element = this.#elements.get(node);
    if (element === undefined || this.#shared.has(node) || super.get(element) !== node) return null;
    return element._item?.deleted === false ? element : null;
  }

  /** The same for a node of an earlier page, whose element may be gone. */
  formerElementOf(node: PageNode): Y.XmlElement | null {
    return this.#shared.has(node) ? null : (this.#elements.get(node) ?? null);
  }

  override get(type: YType): PageNode | PageNode[] | undefined {
    const mapped = super.get(type);
    if (mapped !== undefined || this.#checked.has(type) || type.parent !== this.#body) return mapped;
    const note = greyNoteOf(type);
    if (note === null) {
      this.#checked.add(type);
      return undefined;
    }
    const node = this.#schema.node(UNKNOWN, { note, text: textOfElement(type) });
    this.set(type, node);
    return node;
  }

  override clear(): void {
    super.clear();
    this.#loose.clear();
  }

  hasLoose({ first: { id } }: BodyPart): boolean {
    return this.#loose.has(`${id.client}.${id.clock}`);
  }

  /** The node that stands for loose content; the same one as long as its text is the same. */
  looseNode(part: BodyPart): PageNode {
    const { client, clock } = part.first.id;
    const key = `${client}.${clock}`;
    const text = textOfPart(part);
    const known = this.#loose.get(key);
    if (known?.attrs['text'] === text) return known;
    const node = this.#schema.node(UNKNOWN, { note: CONTENT_TEXTS.looseContent, text });
    this.#loose.set(key, node);
    return node;
  }

  /** The node that this mapping has for a part of the page. */
  nodeOfPart(part: BodyPart): PageNode | null {
    if (part.element === null) return this.looseNode(part);
    const node = this.get(part.element);
    return node instanceof PageNode ? node : null;
  }
}

/** Why an element is shown as a grey block; null if it is not. */
function greyNoteOf(type: YType): string | null {
  if (unknownIn(type) !== null) return CONTENT_TEXTS.newerBlock;
  return type instanceof Y.XmlElement && isCostly(type) ? CONTENT_TEXTS.blockTooLarge : null;
}

const isCostly = (element: Y.XmlElement): boolean =>
  columnsOf(element) > MAX_DRAWN_COLUMNS || costOf(element) > MAX_DRAWING_MS;

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

/** A stretch of text as `drawingCost` takes it. */
export function drawnPiece({ insert, attributes = {} }: ReturnType<typeof deltaOf>[number]): DrawnPiece {
  const text = typeof insert === 'string' ? insert : '';
  const marks = Object.keys(attributes);
  const formulas = marks.some((name) => markName(name) === FORMULA_MARK) ? formulasInText(text).length : 0;
  return { text, marks: marks.length, formulas };
}

const textOfElement = ({ _item: first }: YType): string => (first === null ? '' : textOfPart({ first, length: 1 }));

/** True for a local edit that would copy a grey block: the copy would have none of the content it stands for. */
export function copiesUnknown({ before, doc }: Transaction): boolean {
  const known = new Set<PageNode>();
  before.forEach((node) => {
    if (node.type.name === UNKNOWN) known.add(node);
  });
  let isCopied = false;
  doc.forEach((node) => {
    isCopied ||= node.type.name === UNKNOWN && !known.delete(node);
  });
  return isCopied;
}

// A node for blocks that a newer app wrote and this one does not know (T4). It shows a grey block. The block in the
// document is never overwritten; only a user's own deletion removes it.
import { Node } from '@tiptap/core';
import { Node as PageNode, type Schema } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { unknownIn } from '../../document/body/find-unknown.ts';

export const UNKNOWN = 'unknown';
const NOTICE = 'Made with a newer version of Weft. Reload to see it.';

export const UnknownNode = Node.create({
  name: UNKNOWN,
  atom: true,
  selectable: true,
  draggable: false,
  renderHTML: () => [
    'div',
    { class: 'block', 'data-kind': 'unknown', contenteditable: 'false' },
    ['p', { class: 'block-unknown' }, NOTICE],
  ],
});

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

  constructor(body: Y.XmlFragment, schema: Schema) {
    super();
    this.#body = body;
    this.#schema = schema;
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
      known ??= new Set(this.values());
      isStray ||= !known.has(node);
    });
    return isStray;
  }

  override set(type: YType, node: PageNode | PageNode[]): this {
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

  override get(type: YType): PageNode | PageNode[] | undefined {
    const mapped = super.get(type);
    if (mapped !== undefined || this.#checked.has(type) || type.parent !== this.#body) return mapped;
    if (unknownIn(type) === null) {
      this.#checked.add(type);
      return undefined;
    }
    const node = this.#schema.node(UNKNOWN);
    this.set(type, node);
    return node;
  }
}

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

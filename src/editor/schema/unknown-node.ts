// T4: what a newer app wrote and this one does not know. Shown as a grey block; its node in the document is never
// written, and only a person's own deleting takes it away.
import { Node } from '@tiptap/core';
import { Node as PageNode, type Schema } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { unknownIn } from '../../document/body/find-unknown.ts';

export const UNKNOWN = 'unknown';
const WORDS = 'Made with a newer version of Weft. Reload to see it.';

export const UnknownNode = Node.create({
  name: UNKNOWN,
  atom: true,
  selectable: true,
  draggable: false,
  renderHTML: () => [
    'div',
    { class: 'block', 'data-kind': 'unknown', contenteditable: 'false' },
    ['p', { class: 'block-unknown' }, WORDS],
  ],
});

type Kept = ProsemirrorBinding['mapping'];
type InDocument = Parameters<Kept['get']>[0];

/**
 * What y-tiptap keeps of a document's nodes, asked before it makes one. It deletes from the document what it cannot
 * make; here it finds something for each node of the body, and what it found unchanged it does not write.
 */
export class NodesOfPage extends Map<InDocument, PageNode | PageNode[]> {
  /** The page that all of them were in when the document said the same; null before. */
  drawn: PageNode | null = null;
  readonly #elements = new WeakMap<PageNode, Y.XmlElement>();
  /** One object that stands for several: it says of none which it is. */
  readonly #shared = new WeakSet<PageNode>();
  readonly #body: Y.XmlFragment;
  readonly #schema: Schema;
  /** Looked at since they changed: y-tiptap forgets all nodes at every edit of others. */
  readonly #sound = new WeakSet<object>();

  constructor(body: Y.XmlFragment, schema: Schema) {
    super();
    this.#body = body;
    this.#schema = schema;
  }

  /** Before the binding looks at them. */
  changed({ changedParentTypes }: Y.Transaction): void {
    for (const type of changedParentTypes.keys()) this.#sound.delete(type);
  }

  /**
   * Of a text that was written here before y-tiptap looked: where it finds a table as it should be, it looks at no row of
   * it, and would keep the nodes of before for the row and the cell.
   */
  adopt(text: Y.XmlText): void {
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

  /** Whether a page shows a grey block of which it is not known what it stands for. */
  hasStray(page: PageNode): boolean {
    let known: Set<unknown> | null = null;
    let isStray = false;
    page.forEach((node) => {
      if (node.type.name !== UNKNOWN) return;
      known ??= new Set(this.values());
      isStray ||= !known.has(node);
    });
    return isStray;
  }

  override set(type: InDocument, node: PageNode | PageNode[]): this {
    if (node instanceof PageNode && type instanceof Y.XmlElement) {
      const known = this.#elements.get(node);
      if (known === undefined || super.get(known) !== node) this.#elements.set(node, type);
      else if (known !== type) this.#shared.add(node);
    }
    return super.set(type, node);
  }

  /** What of the document a node of the page stands for; null when that is not known for certain. */
  elementOf(node: PageNode): Y.XmlElement | null {
    const element = this.#elements.get(node);
    if (element === undefined || this.#shared.has(node) || super.get(element) !== node) return null;
    return element._item?.deleted === false ? element : null;
  }

  override get(type: InDocument): PageNode | PageNode[] | undefined {
    const held = super.get(type);
    if (held !== undefined || this.#sound.has(type) || type.parent !== this.#body) return held;
    if (unknownIn(type) === null) {
      this.#sound.add(type);
      return undefined;
    }
    const node = this.#schema.node(UNKNOWN);
    this.set(type, node);
    return node;
  }
}

/** An own edit that would make such a node: a copy of a grey block would hold nothing of what it stands for. */
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

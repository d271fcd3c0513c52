// Content that one person removed and others brought back by hand: a restored block, words that were typed or pasted again.
// Undoing that person's edits must not restore these once more, or they would stand twice.
import * as Y from 'yjs';
import { charactersBroughtBack } from './brought-back-text.ts';
import { type ItemHistory, type ItemRange, NEVER, type SharedType } from './item-history.ts';
import type { Sees } from './page-view.ts';

/** Tells which ranges of a node's history would be seen, with removed ones that come back. */
export type SeenIn = (node: SharedType) => Sees;

/** Removed ranges that would come back, but stand already. */
export function broughtBack(items: ItemHistory, roots: readonly SharedType[], seenIn: SeenIn): ReadonlySet<ItemRange> {
  const found = new Found(items, seenIn);
  for (const root of roots) found.look(root);
  return found.ranges;
}

class Found {
  readonly ranges = new Set<ItemRange>();
  readonly #items: ItemHistory;
  readonly #seenIn: SeenIn;

  constructor(items: ItemHistory, seenIn: SeenIn) {
    this.#items = items;
    this.#seenIn = seenIn;
  }

  look(root: SharedType): void {
    const nodes: SharedType[] = [root];
    for (const node of nodes) {
      for (const one of charactersBroughtBack(this.#items.of(node).ranges, this.#seenIn(node))) this.ranges.add(one);
      for (const { content } of this.#seen(node)) if (content.type === 'node') nodes.push(content.node);
    }
    // Children first: the text of a node depends on them.
    for (const node of nodes.toReversed()) this.#lookAtNodes(this.#seen(node));
  }

  #seen(node: SharedType): readonly ItemRange[] {
    return this.#items.of(node).ranges.filter(this.#seenIn(node));
  }

  /** Nodes are the same if they have the same id or the same text. Each newer one stands for one that was removed before it. */
  #lookAtNodes(seen: readonly ItemRange[]): void {
    const there = seen.filter(({ content }) => content.type === 'node');
    if (!there.some(comesBack)) return;
    const newestFirst = there.toSorted((one, other) => other.born - one.born);
    const ids = new Map(there.map((one) => [one, this.#idOf(one)]));
    const texts = new Map(there.map((one) => [one, this.#textOf(one)]));
    const byId = Map.groupBy(newestFirst, (one) => ids.get(one));
    /** Nodes that do not stand for another one yet, the newest last. */
    const byText = Map.groupBy(newestFirst.toReversed(), (one) => texts.get(one));
    for (const one of newestFirst) {
      if (!comesBack(one)) continue;
      const [id, text] = [ids.get(one), texts.get(one)];
      if (id !== null && byId.get(id)?.some((other) => other.born > one.born && !this.ranges.has(other)) === true) {
        this.ranges.add(one);
        continue;
      }
      const copies = text === '' ? [] : (byText.get(text) ?? []);
      if ((copies.at(-1)?.born ?? 0) <= one.died) continue;
      copies.pop();
      this.ranges.add(one);
    }
  }

  #idOf({ content }: ItemRange): unknown {
    const node = content.type === 'node' ? content.node : null;
    if (!(node instanceof Y.XmlElement)) return null;
    const last = this.#items.of(node).attributes.get('id')?.at(-1)?.content;
    return last?.type === 'values' ? (last.values.at(-1) ?? null) : null;
  }

  /** The kind of node and its characters, present ones and those that come back. */
  #textOf({ content }: ItemRange): string {
    if (content.type !== 'node' || !(content.node instanceof Y.XmlElement)) return '';
    const characters: string[] = [];
    const waiting: (ItemRange | null)[] = this.#seen(content.node).toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      // The end of a node.
      if (next === null) characters.push('\n');
      else if (this.ranges.has(next)) continue;
      else if (next.content.type === 'text') characters.push(next.content.text);
      else if (next.content.type === 'node') waiting.push(null, ...this.#seen(next.content.node).toReversed());
    }
    const text = characters.join('');
    return text.trim() === '' ? '' : `${content.node.nodeName} ${text}`;
  }
}

const comesBack = ({ died }: ItemRange): boolean => died !== NEVER;

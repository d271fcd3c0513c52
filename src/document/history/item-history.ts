// All that ever stood in a page, with the contributions that inserted and removed it, as plain values. The page at some time is
// everything inserted and not removed by then: items of Yjs never change their order, so one document that forgets nothing
// (`gc` off) holds every earlier one.
import * as Y from 'yjs';
import type { ClockTable } from './clock-table.ts';

/** The index of a contribution: one person's part of one row. Later rows have higher ones. */
export type ContributionIndex = number;
export const NEVER = Infinity;

export type ItemRange = {
  readonly client: number;
  readonly clock: number;
  readonly length: number;
  readonly born: ContributionIndex;
  /** `NEVER` while it is there. */
  readonly died: ContributionIndex;
  readonly content: RangeContent;
};

export type RangeContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'mark'; readonly name: string; readonly value: unknown }
  | { readonly type: 'node'; readonly node: Y.ContentType['type'] }
  | { readonly type: 'values'; readonly values: readonly unknown[] }
  | { readonly type: 'embed'; readonly value: unknown }
  /** Bytes, and text that was gone before its author sent it. */
  | { readonly type: 'other' };

/** Any shared type of Yjs. */
export type SharedType = {
  readonly _start: Y.Item | null;
  readonly _map: ReadonlyMap<string, Y.Item>;
  readonly _item: Y.Item | null;
};

export type NodeHistory = {
  readonly ranges: readonly ItemRange[];
  /** By name, the values in the order in which they replaced each other. */
  readonly attributes: ReadonlyMap<string, readonly ItemRange[]>;
};

export class ItemHistory {
  readonly #born: ClockTable;
  readonly #died: ClockTable;
  readonly #nodes = new WeakMap<object, NodeHistory>();
  readonly #contributions = new WeakMap<object, readonly ContributionIndex[]>();

  constructor(born: ClockTable, died: ClockTable) {
    this.#born = born;
    this.#died = died;
  }

  /** For nodes in which something changed. A change in a node is one of the nodes around it too: name them all. */
  forget(nodes: Iterable<object>): void {
    for (const node of nodes) {
      this.#nodes.delete(node);
      this.#contributions.delete(node);
    }
  }

  of(node: SharedType): NodeHistory {
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const ranges: ItemRange[] = [];
    for (let item = node._start; item !== null; item = item.right) this.#add(item, ranges);
    const attributes = new Map(
      Array.from(node._map, ([name, last]) => {
        const items: Y.Item[] = [];
        for (let item: Y.Item | null = last; item !== null; item = item.left) items.push(item);
        const values: ItemRange[] = [];
        for (const item of items.toReversed()) this.#add(item, values);
        return [name, values] as const;
      }),
    );
    const made = { ranges, attributes };
    this.#nodes.set(node, made);
    return made;
  }

  /** The contributions that changed something in a node or below it, in order. */
  contributionsOf(node: SharedType): readonly ContributionIndex[] {
    const known = this.#contributions.get(node);
    if (known !== undefined) return known;
    const contributions = new Set<ContributionIndex>();
    const waiting: SharedType[] = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { ranges, attributes } = this.of(next);
      for (const list of [ranges, ...attributes.values()]) {
        for (const { born, died, content } of list) {
          contributions.add(born);
          if (died !== NEVER) contributions.add(died);
          if (content.type === 'node') waiting.push(content.node);
        }
      }
    }
    const sorted = Array.from(contributions).sort((a, b) => a - b);
    this.#contributions.set(node, sorted);
    return sorted;
  }

  #add({ id, length, content }: Y.Item, list: ItemRange[]): void {
    const { client } = id;
    const end = id.clock + length;
    for (let clock = id.clock; clock < end;) {
      const born = this.#born.find(client, clock);
      const died = this.#died.find(client, clock);
      const to = Math.min(end, born.end, died.end);
      list.push({
        client,
        clock,
        length: to - clock,
        // `PageRecord` has added every item: 0 is for the compiler.
        born: born.value ?? 0,
        died: died.value ?? NEVER,
        content: contentBetween(content, clock - id.clock, to - id.clock),
      });
      clock = to;
    }
  }
}

function contentBetween(content: Y.Item['content'], from: number, to: number): RangeContent {
  if (content instanceof Y.ContentString) return { type: 'text', text: content.str.slice(from, to) };
  if (content instanceof Y.ContentFormat) return { type: 'mark', name: content.key, value: content.value };
  if (content instanceof Y.ContentType) return { type: 'node', node: content.type };
  if (content instanceof Y.ContentEmbed) return { type: 'embed', value: content.embed };
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON)
    return { type: 'values', values: content.arr.slice(from, to) };
  return { type: 'other' };
}

// A sequence that only grows, at any position, with fast answers to "the first after here that …". It is a scapegoat tree
// (Galperin and Rivest, 1993): a subtree that becomes too deep is built anew, so an insertion takes O(log n),
// amortized.

export type Entry<Value> = {
  readonly value: Value;
  /** Grows along the sequence, so two numbers tell which entry comes first. The path from the root, as a binary number. */
  label: number;
  up: Entry<Value> | null;
  left: Entry<Value> | null;
  right: Entry<Value> | null;
  /** The best value in this subtree. */
  best: Value;
  /** The number of entries in this subtree. */
  size: number;
};

/** No child has more than this share of its parent's subtree for long. */
const MAX_SHARE = 0.7;
const DEPTH_PER_LOG = 1 / Math.log(1 / MAX_SHARE);
/** Labels are safe integers down to a depth of 51; 2 million entries reach 41. */
const ROOT_LABEL = 2 ** 51;

/** True for a value, then for every later value too (or, for `isBefore`, every earlier one). */
type Side<Value> = (value: Value) => boolean;
/** True for a value, then for every better one too. */
type Test<Value> = (value: Value) => boolean;

export class OrderedTree<Value> {
  #root: Entry<Value> | null;
  readonly #isBetter: (a: Value, b: Value) => boolean;

  /**
   * The order of two values in `isBetter` must never change. `onEntry` receives each value's entry before any value is
   * compared with it or with a later one.
   */
  constructor(
    isBetter: (a: Value, b: Value) => boolean,
    values: readonly Value[] = [],
    onEntry?: (entry: Entry<Value>) => void,
  ) {
    this.#isBetter = isBetter;
    const entries = values.map(entryOf);
    if (onEntry !== undefined) for (const entry of entries) onEntry(entry);
    this.#root = this.#built(entries, 0, values.length, null, ROOT_LABEL, ROOT_LABEL / 2);
  }

  /** Puts the value behind all that are before it. */
  insert(value: Value, isBefore: Side<Value>, onEntry?: (entry: Entry<Value>) => void): void {
    const entry = entryOf(value);
    onEntry?.(entry);
    let depth = 0;
    let step = ROOT_LABEL / 2;
    for (let node = this.#root; node !== null; step /= 2) {
      depth += 1;
      node.size += 1;
      entry.up = node;
      const goesRight = isBefore(node.value);
      const next: Entry<Value> | null = goesRight ? node.right : node.left;
      entry.label = goesRight ? node.label + step : node.label - step;
      if (next === null) {
        if (goesRight) node.right = entry;
        else node.left = entry;
      }
      node = next;
    }
    if (entry.up === null) this.#root = entry;
    for (let node = entry.up; node !== null && this.#isBetter(value, node.best); node = node.up) node.best = value;
    if (depth > DEPTH_PER_LOG * Math.log(this.#root?.size ?? 1)) this.#rebalance(entry, depth);
  }

  /** The first value that is after the place and passes. */
  first(isAfter: Side<Value>, passes: Test<Value>): Value | null {
    return firstIn(this.#root, isAfter, passes);
  }

  /** The last value that is before the place and passes. */
  last(isBefore: Side<Value>, passes: Test<Value>): Value | null {
    return lastIn(this.#root, isBefore, passes);
  }

  *values(): Generator<Value> {
    const entries: Entry<Value>[] = [];
    flatten(this.#root, entries);
    for (const { value } of entries) yield value;
  }

  /** Builds anew the lowest subtree on the way to the root that is out of balance. */
  #rebalance(deepest: Entry<Value>, depth: number): void {
    let [node, at] = [deepest, depth];
    for (let up = node.up; up !== null; up = node.up) {
      const isScapegoat = node.size > MAX_SHARE * up.size;
      [node, at] = [up, at - 1];
      if (isScapegoat) break;
    }
    const { up, label } = node;
    const entries: Entry<Value>[] = [];
    flatten(node, entries);
    const built = this.#built(entries, 0, entries.length, up, label, ROOT_LABEL / 2 ** (at + 1));
    if (up === null) this.#root = built;
    else if (up.left === node) up.left = built;
    else up.right = built;
  }

  /** Links the entries from one index to another to a balanced tree. */
  #built(
    entries: readonly Entry<Value>[],
    from: number,
    to: number,
    up: Entry<Value> | null,
    label: number,
    step: number,
  ): Entry<Value> | null {
    const middle = (from + to) >> 1;
    const entry = from === to ? undefined : entries[middle];
    if (entry === undefined) return null;
    entry.up = up;
    entry.label = label;
    entry.best = entry.value;
    entry.size = to - from;
    const left = this.#built(entries, from, middle, entry, label - step, step / 2);
    const right = this.#built(entries, middle + 1, to, entry, label + step, step / 2);
    if (left !== null && this.#isBetter(left.best, entry.best)) entry.best = left.best;
    if (right !== null && this.#isBetter(right.best, entry.best)) entry.best = right.best;
    entry.left = left;
    entry.right = right;
    return entry;
  }
}

const entryOf = <Value>(value: Value): Entry<Value> => ({
  value,
  label: ROOT_LABEL,
  up: null,
  left: null,
  right: null,
  best: value,
  size: 1,
});

function firstIn<Value>(node: Entry<Value> | null, isAfter: Side<Value>, passes: Test<Value>): Value | null {
  if (node === null || !passes(node.best)) return null;
  if (!isAfter(node.value)) return firstIn(node.right, isAfter, passes);
  const found = firstIn(node.left, isAfter, passes);
  if (found !== null) return found;
  return passes(node.value) ? node.value : firstIn(node.right, isAfter, passes);
}

function lastIn<Value>(node: Entry<Value> | null, isBefore: Side<Value>, passes: Test<Value>): Value | null {
  if (node === null || !passes(node.best)) return null;
  if (!isBefore(node.value)) return lastIn(node.left, isBefore, passes);
  const found = lastIn(node.right, isBefore, passes);
  if (found !== null) return found;
  return passes(node.value) ? node.value : lastIn(node.left, isBefore, passes);
}

function flatten<Value>(node: Entry<Value> | null, into: Entry<Value>[]): void {
  if (node === null) return;
  flatten(node.left, into);
  into.push(node);
  flatten(node.right, into);
}

// A set of characters as Yjs names them: ranges of clocks by client, in order, none touching the next.
import { firstIndex } from '../../lib/lists/first-index.ts';

/** Characters with consecutive ids. They need not stand side by side. */
export type CharacterRange = readonly [client: number, clock: number, length: number];
/** Half-open ranges of clocks, by client. */
export type CharacterRanges = ReadonlyMap<number, readonly (readonly [from: number, to: number])[]>;

type Ranges = [from: number, to: number][];

export class CharacterIds {
  readonly #clients = new Map<number, Ranges>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get ranges(): CharacterRanges {
    return this.#clients;
  }

  static of(characters: readonly CharacterRange[]): CharacterIds {
    const set = new CharacterIds();
    for (const range of characters) set.add(...range);
    return set;
  }

  add(client: number, clock: number, length: number): void {
    const ranges = this.#clients.get(client) ?? [];
    if (ranges.length === 0) this.#clients.set(client, ranges);
    let [from, to] = [clock, clock + length];
    const first = firstEndingAt(ranges, from);
    let after = first;
    for (let range = ranges[after]; range !== undefined && range[0] <= to; range = ranges[after]) {
      this.#size -= range[1] - range[0];
      from = Math.min(from, range[0]);
      to = Math.max(to, range[1]);
      after += 1;
    }
    ranges.splice(first, after - first, [from, to]);
    this.#size += to - from;
  }

  /** The ranges of these characters that are in the set, in order. */
  within(client: number, clock: number, length: number): readonly (readonly [from: number, to: number])[] {
    const ranges = this.#clients.get(client);
    if (ranges === undefined) return [];
    const found: (readonly [number, number])[] = [];
    for (let at = firstEndingAt(ranges, clock + 1); at < ranges.length; at++) {
      const [from, to] = ranges[at] ?? [0, 0];
      if (from >= clock + length) break;
      found.push([Math.max(from, clock), Math.min(to, clock + length)]);
    }
    return found;
  }
}

/** The index of the first range that ends at `clock` or behind it. */
function firstEndingAt(ranges: Ranges, clock: number): number {
  // Most characters are added in order.
  if ((ranges.at(-1)?.[1] ?? -1) < clock) return ranges.length;
  return firstIndex(ranges.length, (index) => (ranges[index]?.[1] ?? 0) >= clock);
}

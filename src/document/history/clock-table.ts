// Numbers for ranges of Yjs clocks, by client id: which contribution inserted these characters, which removed them, whose they
// are. A range that was added is never changed.

type Ranges = { readonly starts: number[]; readonly ends: number[]; readonly values: number[]; isSorted: boolean };

export class ClockTable {
  readonly #clients = new Map<number, Ranges>();

  add(client: number, clock: number, length: number, value: number): void {
    const known = this.#clients.get(client);
    if (known === undefined) {
      this.#clients.set(client, { starts: [clock], ends: [clock + length], values: [value], isSorted: true });
      return;
    }
    const last = known.ends.length - 1;
    const end = known.ends[last] ?? 0;
    if (end === clock && known.values[last] === value) {
      known.ends[last] = clock + length;
      return;
    }
    known.isSorted &&= end <= clock;
    known.starts.push(clock);
    known.ends.push(clock + length);
    known.values.push(value);
  }

  /** The value at a clock, null if there is none, and the clock before which that stays so. */
  find(client: number, clock: number): { readonly value: number | null; readonly end: number } {
    const known = this.#clients.get(client);
    if (known === undefined) return { value: null, end: Infinity };
    if (!known.isSorted) sort(known);
    const { starts, ends, values } = known;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= clock) low = middle + 1;
      else high = middle;
    }
    const start = starts[low];
    if (start === undefined) return { value: null, end: Infinity };
    return start <= clock ? { value: values[low] ?? null, end: ends[low] ?? Infinity } : { value: null, end: start };
  }

  /** Where a client's ranges end. Only for a table that gets them in order. */
  endOf(client: number): number {
    return this.#clients.get(client)?.ends.at(-1) ?? 0;
  }
}

function sort(ranges: Ranges): void {
  const order = Array.from(ranges.starts.keys()).sort((a, b) => (ranges.starts[a] ?? 0) - (ranges.starts[b] ?? 0));
  for (const list of [ranges.starts, ranges.ends, ranges.values]) {
    const sorted = order.map((at) => list[at] ?? 0);
    for (const [at, value] of sorted.entries()) list[at] = value;
  }
  ranges.isSorted = true;
}

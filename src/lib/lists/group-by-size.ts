/** Cuts a list into groups, in order: each as large as `maxBytes` allows, with at least one item. */
export function groupBySize<T>(
  items: readonly T[],
  maxBytes: number,
  sizeOf: (item: T) => number,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    bytes += sizeOf(item);
    if (bytes > maxBytes) {
      groups.push([]);
      bytes = sizeOf(item);
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}

/** The same keys, in the same order, with other values. */
export const mapValues = <Key, Value, Mapped>(
  map: ReadonlyMap<Key, Value>,
  change: (value: Value) => Mapped,
): ReadonlyMap<Key, Mapped> => new Map(Array.from(map, ([key, value]) => [key, change(value)] as const));

// Reads a few items ahead of the one in use, in order: reading waits for the server, and using does not.

/**
 * At most `ahead` values wait or are being read beside the one in use, so memory is bounded. A read that fails ends the
 * iteration at its place in the order. `drop` gets values that were read and are no longer needed.
 */
export async function* readAhead<Item, Value>(
  items: readonly Item[],
  options: {
    readonly ahead: number;
    readonly read: (item: Item) => Promise<Value>;
    readonly drop: (value: Value) => void;
  },
): AsyncGenerator<readonly [Item, Value]> {
  const begun: { readonly item: Item; readonly value: Promise<Value> }[] = [];
  const left = items.values();
  const begin = () => {
    while (begun.length <= options.ahead) {
      const { value: item, done } = left.next();
      if (done === true) return;
      const value = options.read(item);
      // Its user gets the failure later; this only stops the report of an unhandled rejection.
      value.catch(() => undefined);
      begun.push({ item, value });
    }
  };
  try {
    for (;;) {
      begin();
      const first = begun.shift();
      if (first === undefined) return;
      yield [first.item, await first.value];
    }
  } finally {
    for (const { value } of begun) void value.then(options.drop, () => undefined);
  }
}

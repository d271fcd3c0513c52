// Checks of our own assumptions. A failure is a bug in Weft, never bad input.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Goes at the end of an exhaustive switch: the compiler then rejects a switch that misses a case. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

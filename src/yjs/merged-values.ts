// Yjs merges the items of a chain from the last to the first, and copies all values that it has merged so far each time. A
// chain of 40,000 values (280 KiB) took 4 GB that way and ended the tab. Here a merged item remembers the arrays, and joins
// them when someone reads its values.
import * as Y from 'yjs';
import { assert } from '../lib/assert.ts';

type Values = Y.ContentAny | Y.ContentJSON;

/** The arrays of a merged item, the last one first. */
const pieces = new WeakMap<Values, unknown[][]>();
/** Up to this many values, copying is faster than remembering. */
const FEW_VALUES = 32;

function mergeWith(this: Values, right: Values): boolean {
  const behind = pieces.get(right);
  if (behind === undefined && this.arr.length + right.arr.length <= FEW_VALUES) {
    this.arr = [...this.arr, ...right.arr];
    return true;
  }
  const all = behind ?? [right.arr];
  all.push(this.arr);
  pieces.delete(right);
  pieces.set(this, all);
  Object.defineProperty(this, 'arr', {
    configurable: true,
    enumerable: true,
    get: () => {
      setValues(this, all.toReversed().flat());
      return this.arr;
    },
    set: (values: unknown[]) => {
      setValues(this, values);
    },
  });
  return true;
}

function setValues(content: Values, values: unknown[]): void {
  pieces.delete(content);
  Object.defineProperty(content, 'arr', { configurable: true, enumerable: true, writable: true, value: values });
}

for (const { prototype } of [Y.ContentAny, Y.ContentJSON]) {
  assert(typeof prototype.mergeWith === 'function', 'the pinned version of Yjs has this method');
  prototype.mergeWith = mergeWith;
}

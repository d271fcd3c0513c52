import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../../src/lib/bytes.ts';

const removed: (() => void)[] = [];
afterEach(() => {
  for (const restore of removed.splice(0)) restore();
});

/** Runs without the browser's own base64, to test the fallback. */
function withoutNativeBase64<T>(run: () => T): T {
  for (const [holder, name] of [
    [Uint8Array.prototype, 'toBase64'],
    [Uint8Array, 'fromBase64'],
  ] as const) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own === undefined) throw new Error(`this browser has no ${name}: nothing is compared here`);
    removed.push(() => Object.defineProperty(holder, name, own));
    Reflect.deleteProperty(holder, name);
  }
  const result = run();
  for (const restore of removed.splice(0)) restore();
  return result;
}

test('the browser’s base64 and our fallback write and read the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(withoutNativeBase64(() => toBase64(bytes)));
      expect(fromBase64(text)).toEqual(withoutNativeBase64(() => fromBase64(text)));
    }),
  );
});

test('both judge malformed base64 alike', () => {
  const nearly = fc.string({
    unit: fc.constantFrom('A', 'b', '9', '+', '/', '=', '\n', ' ', '-', '_', 'é'),
    maxLength: 9,
  });
  fc.assert(
    fc.property(nearly, (text) => {
      expect(fromBase64(text)).toEqual(withoutNativeBase64(() => fromBase64(text)));
    }),
    { numRuns: 2_000 },
  );
});

test('decoded bytes are an exact buffer that can be transferred', () => {
  const bytes = fromBase64('AQID');
  expect([bytes?.byteOffset, bytes?.buffer.byteLength, bytes?.buffer instanceof ArrayBuffer]).toEqual([0, 3, true]);
});

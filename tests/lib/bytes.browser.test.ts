import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../../src/lib/bytes.ts';

/** The browser's own base64, taken away so that the other way is gone. */
const taken: (() => void)[] = [];
afterEach(() => {
  for (const giveBack of taken.splice(0)) giveBack();
});

function without<T>(run: () => T): T {
  for (const [holder, name] of [
    [Uint8Array.prototype, 'toBase64'],
    [Uint8Array, 'fromBase64'],
  ] as const) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own === undefined) throw new Error(`this browser has no ${name}: nothing is compared here`);
    taken.push(() => Object.defineProperty(holder, name, own));
    Reflect.deleteProperty(holder, name);
  }
  const result = run();
  for (const giveBack of taken.splice(0)) giveBack();
  return result;
}

test('the browser’s own base64 writes and reads what ours does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(without(() => toBase64(bytes)));
      expect(fromBase64(text)).toEqual(without(() => fromBase64(text)));
    }),
  );
});

test('what is nearly base64 is judged alike by both', () => {
  const nearly = fc.string({
    unit: fc.constantFrom('A', 'b', '9', '+', '/', '=', '\n', ' ', '-', '_', 'é'),
    maxLength: 9,
  });
  fc.assert(
    fc.property(nearly, (text) => {
      expect(fromBase64(text)).toEqual(without(() => fromBase64(text)));
    }),
    { numRuns: 2_000 },
  );
});

test('bytes read are a buffer of their own, ready to be handed over', () => {
  const bytes = fromBase64('AQID');
  expect([bytes?.byteOffset, bytes?.buffer.byteLength, bytes?.buffer instanceof ArrayBuffer]).toEqual([0, 3, true]);
});

import { expect, test } from 'vitest';
import { deflate, inflate } from '../../src/lib/deflate.ts';

test('what is deflated comes back, and is smaller where it repeats itself', async () => {
  const bytes = new Uint8Array(10_000).fill(7);
  const small = await deflate(bytes);
  expect(small.length).toBeLessThan(100);
  expect(await inflate(small)).toEqual(bytes);
});

test('damaged bytes reject', async () => {
  const small = await deflate(Uint8Array.of(1, 2, 3));
  await expect(inflate(small.slice(0, 5))).rejects.toThrow();
  await expect(inflate(Uint8Array.of(1, 2, 3))).rejects.toThrow();
});

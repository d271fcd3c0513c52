import { expect, test } from 'vitest';
import { deflate, inflate } from '../../src/lib/deflate.ts';

test('deflated bytes come back, and repetitive ones are smaller', async () => {
  const bytes = new Uint8Array(10_000).fill(7);
  const small = await deflate(bytes);
  expect(small.length).toBeLessThan(100);
  expect(await inflate(small, 10_000)).toEqual(bytes);
});

test('damaged bytes are rejected', async () => {
  const small = await deflate(Uint8Array.of(1, 2, 3));
  await expect(inflate(small.slice(0, 5), 1000)).rejects.toThrow();
  await expect(inflate(Uint8Array.of(1, 2, 3), 1000)).rejects.toThrow();
});

test('bytes that inflate to more than the limit are rejected', async () => {
  const bomb = await deflate(new Uint8Array(5_000_000));
  expect(bomb.length).toBeLessThan(10_000);
  await expect(inflate(bomb, 4_999_999)).rejects.toThrow('more than');
  expect((await inflate(bomb, 5_000_000)).length).toBe(5_000_000);
});

import { expect, test } from 'vitest';
import { prng, uuidFrom } from '../../src/lib/prng.ts';

test('the same seed gives the same numbers, another seed others, all in [0, 1)', () => {
  const draw = (seed: number) => {
    const next = prng(seed);
    return Array.from({ length: 1_000 }, next);
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((number) => number >= 0 && number < 1)).toBe(true);
  const mean = draw(7).reduce((sum, number) => sum + number, 0) / 1_000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});

test('uuids are of version 4', () => {
  const next = prng(1);
  for (let i = 0; i < 100; i++) {
    expect(uuidFrom(next)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

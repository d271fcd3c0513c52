import { expect, test } from 'vitest';
import { counted } from '../../src/lib/text/counted.ts';

test('a number stands with its noun, in groups of three digits', () => {
  expect([0, 1, 2, 1_234].map((count) => counted(count, 'page'))).toEqual([
    '0 pages',
    '1 page',
    '2 pages',
    '1,234 pages',
  ]);
  expect([1, 2].map((count) => counted(count, 'person', 'people'))).toEqual(['1 person', '2 people']);
});

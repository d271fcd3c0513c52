import { expect, test } from 'vitest';
import { formatBytes } from '../../src/lib/text/format-bytes.ts';

test('a size is in the unit that its rounded number belongs to', () => {
  expect([0, 999, 1_000, 12_400, 999_499, 999_500, 1_000_000, 1_250_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '12 kB',
    '999 kB',
    '1 MB',
    '1 MB',
    '1.3 MB',
  ]);
});

import { expect, test } from 'vitest';
import { compareRanks, rankAfter } from '../../src/lib/lists/ranks.ts';

test('the first rank is the one that the database gives the welcome page', () => {
  expect(rankAfter(null)).toBe('a0');
});

test('each rank sorts after the one before, for ten thousand pages, and stays short', () => {
  let rank = rankAfter(null);
  for (let n = 0; n < 10_000; n++) {
    const next = rankAfter(rank);
    expect(compareRanks(next, rank)).toBe(1);
    rank = next;
  }
  expect(rank.length).toBeLessThan(6);
});

test.each(['a0', 'Zz', 'z', 'zzz', '~', 'é', ''])('there is a rank after %j', (rank) =>
  expect(compareRanks(rankAfter(rank), rank)).toBe(1),
);

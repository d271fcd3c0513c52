// How many words editing sessions added and removed, as the list of versions shows them.
import { expect, test } from 'vitest';
import { WordCounts } from '../../../src/features/history/versions/word-counts.ts';
import { ok } from '../../../src/lib/result.ts';

const settle = () => new Promise<void>((done) => setTimeout(done, 1));

test('an editing session that goes on keeps its count until the next one is known', async () => {
  const counts = new WordCounts({
    wordsOf: async ({ fromSeq, toSeq }) => ok({ insertedWords: toSeq - fromSeq + 1, removedWords: 0, pictures: 0 }),
  });
  const words = (toSeq: number) => counts.get({ fromSeq: 3, toSeq })?.insertedWords ?? null;
  counts.ask({ fromSeq: 3, toSeq: 5 });
  expect(words(5)).toBe(null);
  await settle();
  expect(words(5)).toBe(3);
  expect(words(6)).toBe(3);
  counts.ask({ fromSeq: 3, toSeq: 6 });
  await settle();
  expect(words(6)).toBe(4);
  expect(counts.get({ fromSeq: 4, toSeq: 6 })).toBe(null);
});

import { expect, test } from 'vitest';
import { matchOf } from '../../../src/features/search/match-of.ts';
import type { MarkedText, SearchResult } from '../../../src/protocol/search-answers.ts';
import { matchHash, parseMatchHash } from '../../../src/state/workspace/page-address.ts';
import { documentId } from '../../support/app/app-fixture.ts';

const result = (...excerpts: MarkedText[]): SearchResult => ({
  document: documentId(1),
  title: { text: 'Plan', marks: [] },
  excerpts,
  matches: 1,
  at: 0,
  by: null,
});

test('leads to the longest run of neighbouring words', () => {
  const boat = { text: '…the boat stays', marks: [[5, 9]] } satisfies MarkedText;
  const both = {
    text: 'before the safety boat calls…',
    marks: [
      [11, 17],
      [18, 22],
    ],
  } satisfies MarkedText;
  expect(matchOf(result(boat, both))).toEqual({ words: 'safety boat', context: 'safety boat calls' });
  expect(matchOf(result(boat))).toEqual({ words: 'boat', context: 'boat stays' });
  expect(matchOf(result())).toBeNull();
});

test('the text after the words ends with a whole character: half an emoji would be found nowhere', () => {
  const text = `boat${'.'.repeat(75)}🚤 calls`;
  const match = matchOf(result({ text, marks: [[0, 4]] }));
  expect(match?.context).toBe(`boat${'.'.repeat(75)}`);
  expect(match && parseMatchHash(matchHash(match))).toEqual(match);
});

test('a hash and back; the hash of a block is no match', () => {
  const match = { words: 'a&b #c', context: 'a&b #c=d' };
  expect(parseMatchHash(matchHash(match))).toEqual(match);
  expect(parseMatchHash('#b-123')).toBeNull();
  expect(parseMatchHash('')).toBeNull();
});

import { expect, test } from 'vitest';
import { wordsOf } from '../../../../src/lib/text/fold-text.ts';
import type { SearchFilters } from '../../../../src/protocol/search-answers.ts';
import { deviceText, searchDevice } from '../../../../src/state/workspace/search/device-search.ts';
import { indexOf } from '../../../../src/state/workspace/tree/page-index.ts';
import { alice, bob, documentId, pageSummary } from '../../../support/app/app-fixture.ts';

const index = indexOf([
  pageSummary(1, 'Plan for 14 June'),
  pageSummary(2, 'Boat crew', { parentId: documentId(1), updatedBy: bob.id }),
  pageSummary(3, 'Minutes'),
]);
const texts = new Map([
  [documentId(1), deviceText('Nobody goes in before the safety boat calls.\nThe boat crew stays.')],
  [
    documentId(3),
    deviceText(`${'We met at the pier. '.repeat(20)}The Rettungsboot was late. ${'Then we left. '.repeat(20)}`),
  ],
]);
const find = (query: string, filters: SearchFilters = {}) =>
  searchDevice({ index, texts, words: wordsOf(query), filters });
const titles = (query: string, filters?: SearchFilters) => find(query, filters).map(({ title }) => title.text);

test('finds titles and texts, those with all words in the title first', () => {
  expect(titles('boat')).toEqual(['Boat crew', 'Plan for 14 June']);
  expect(titles('boat safety')).toEqual(['Plan for 14 June']);
  expect(titles('plan crew')).toEqual(['Plan for 14 June']);
  expect(titles('submarine')).toEqual([]);
});

test('with the newest first the last change counts, wherever the words stand', () => {
  expect(titles('e')).toEqual(['Minutes', 'Boat crew', 'Plan for 14 June']);
  expect(titles('crew')).toEqual(['Boat crew', 'Plan for 14 June']);
  expect(titles('boat')).toEqual(['Boat crew', 'Plan for 14 June']);
  // The title of “Plan for 14 June” has it, the text of “Minutes” too, and that changed later.
  expect(titles('a')).toEqual(['Boat crew', 'Plan for 14 June', 'Minutes']);
  expect(titles('a', { newestFirst: true })).toEqual(['Minutes', 'Boat crew', 'Plan for 14 June']);
});

test('excerpts are marked, cut around the match, and at most two', () => {
  const [plan] = find('crew boat', { author: alice.id });
  expect(plan?.excerpts).toEqual([
    { text: 'Nobody goes in before the safety boat calls.', marks: [[33, 37]] },
    {
      text: 'The boat crew stays.',
      marks: [
        [4, 8],
        [9, 13],
      ],
    },
  ]);
  const [minutes] = find('boot');
  const excerpt = minutes?.excerpts[0];
  expect(excerpt?.text).toMatch(/^….*The Rettungsboot was late\..*…$/);
  expect(excerpt?.text.length).toBeLessThanOrEqual(162);
  expect(excerpt?.marks.map(([from, to]) => excerpt.text.slice(from, to))).toEqual(['boot']);
});

test.each(['x', 'xx', 'xxx', 'xxxx'])('excerpts have no part of a character at their ends (%s)', (between) => {
  const line = `${'👍🏽'.repeat(40)}${between}boot${'👍🏽'.repeat(40)}`;
  const found = searchDevice({
    index,
    texts: new Map([[documentId(1), deviceText(line)]]),
    words: wordsOf('boot'),
    filters: {},
  });
  expect(found[0]?.excerpts[0]?.text).toMatch(/^…(?:👍🏽)+x+boot(?:👍🏽)+…$/u);
});

test('filters by author, time and place', () => {
  expect(titles('boat', { author: bob.id })).toEqual(['Boat crew']);
  expect(titles('boat', { since: 2_000 })).toEqual(['Boat crew']);
  expect(titles('boat', { until: 2_000 })).toEqual(['Plan for 14 June']);
  expect(titles('boat', { below: documentId(1) })).toEqual(['Boat crew']);
});

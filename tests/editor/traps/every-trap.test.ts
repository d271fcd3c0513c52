// The known traps of collaborative editors. Each has a test in this folder that shows the loss without our guard.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TRAPS: Readonly<Record<string, string>> = {
  T1: 'turning a block loses what others type in it',
  T2: 'moving a block loses what others type in it; if two people move it, it is duplicated',
  T3: 'joining two blocks loses what others type in the second',
  T4: 'an app that does not know a node deletes it for everyone by opening the page',
  T5: 'two valid edits together make a node invalid, and it is deleted',
  T6: 'moving a block rewrites the blocks in between: others’ text lands in another block',
  T7: 'an exception while showing an edit reaches the sync engine',
  T8: 'opening a page writes an empty last line',
  T9: 'every editor inserts the initial content of a page',
  T10: 'undo takes back the content the page was opened with',
  T11: 'an edit leaves half an emoji, which is no valid text',
  T12: 'closed editors stay alive as listeners',
  T13: 'every editor repairs a ragged table',
  T14: 'two copies of Yjs do not recognize each other’s types',
  T15: 'others’ edits break a word that is being composed',
  T16: 'positions stored as numbers drift',
};

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
/** Each of these tests runs with its guard and without it. */
const shown = new Set(sources.flatMap((source) => [...source.matchAll(/^trap\('(T\d+)'/gm)].map(([, id]) => id)));

test('every trap has a test that fails without its guard', () => {
  expect(Object.keys(TRAPS).filter((id) => !shown.has(id))).toEqual([]);
});

test('every trap that a test names is in the list', () => {
  expect([...shown].filter((id) => id === undefined || !(id in TRAPS))).toEqual([]);
});

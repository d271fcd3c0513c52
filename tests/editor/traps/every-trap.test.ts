// The traps of collaborative editors that others fell into, and that each of them has a test here which shows the loss.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TRAPS: Readonly<Record<string, string>> = {
  T1: 'turning a block loses what others type in it',
  T2: 'moving a block loses what others type in it; moved by two it is there twice',
  T3: 'joining two blocks loses what others type in the second',
  T4: 'who does not know a node deletes it for everybody by opening the page',
  T5: 'two right edits together make a node invalid, and it is deleted',
  T6: 'moving a block rewrites those between: others’ words land in another block',
  T7: 'showing an edit throws into the sync engine',
  T8: 'looking at a page writes a last empty line',
  T9: 'every editor puts in what the page begins with',
  T10: 'undo takes back what the page was opened with',
  T11: 'half an emoji is no text',
  T12: 'closed editors stay alive as listeners',
  T13: 'every editor repairs a ragged table',
  T14: 'two copies of Yjs do not know each other’s types',
  T15: 'others’ edits break a word that is being composed',
  T16: 'places kept as numbers drift',
};

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
/** Each such test runs with its guard and without it. */
const shown = new Set(sources.flatMap((source) => [...source.matchAll(/^trap\('(T\d+)'/gm)].map(([, id]) => id)));

test('every trap has a test that is red without its guard', () => {
  expect(Object.keys(TRAPS).filter((id) => !shown.has(id))).toEqual([]);
});

test('every trap that a test names is one of these', () => {
  expect([...shown].filter((id) => id === undefined || !(id in TRAPS))).toEqual([]);
});

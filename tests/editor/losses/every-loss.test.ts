// Each loss that docs/losses.md lists has a test in this folder that shows it without our guard.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LIST = readFileSync(join(import.meta.dirname, '../../../docs/losses.md'), 'utf8');
const listed = new Set([...LIST.matchAll(/^\| (T\d+) /gm)].map(([, id]) => id));

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
/** Each of these tests runs with its guard and without it. */
const shown = new Set(sources.flatMap((source) => [...source.matchAll(/^loss\('(T\d+)'/gm)].map(([, id]) => id)));

test('every loss in the list has a test that fails without its guard', () => {
  expect([listed.size, [...listed].filter((id) => !shown.has(id))]).toEqual([16, []]);
});

test('every loss that a test names is in the list', () => {
  expect([...shown].filter((id) => !listed.has(id))).toEqual([]);
});

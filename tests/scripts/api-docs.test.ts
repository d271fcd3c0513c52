import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_DOCS, apiDocs } from '../../scripts/api-docs.ts';
import { DATABASE_FUNCTIONS } from '../../src/protocol/database-functions.ts';

test('docs/api.md is what supabase/schemas says (npm run fix writes it)', () => {
  expect(readFileSync(API_DOCS, 'utf8')).toBe(apiDocs());
});

test('every function that the app calls is in it, with its arguments and with words', () => {
  const found = new Map(
    Array.from(apiDocs().matchAll(/^### `(\w+)\((.*)\)`\n\n(.*)/gm), ([, name = '', args = '', text = '']) => [
      name,
      { args: args === '' ? [] : args.split(', ').map((one) => one.split(' ')[0]), words: text.split(' ').length },
    ]),
  );
  for (const [name, args] of Object.entries(DATABASE_FUNCTIONS)) {
    expect([name, found.get(name)?.args]).toEqual([name, args]);
    expect([name, found.get(name)?.words]).toEqual([name, expect.toSatisfy((count: number) => count > 6)]);
  }
});

// Counts what a first visit asks for before its screen is drawn: the page, its head.js, the configuration, and the files that the
// built index.html names for the address.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';

const lists = v.array(v.tuple([v.string(), v.array(v.string())]));

test.each([
  ['a link', '/s', 10],
  ['a page', '/w/lab/p/1', 19],
  ['home', '/w/lab', 15],
  ['sign-in', '/sign-in', 11],
])('%s', async (_what, address, count) => {
  const html = await readFile(join(ROOT, 'dist', 'index.html'), 'utf8');
  const tags = html.match(/(?:src|href)="\/assets\//g) ?? [];
  const json = html.match(/id="preloads">([^<]*)</)?.[1] ?? '';
  const [, files] = v.parse(lists, JSON.parse(json)).find(([pattern]) => new RegExp(pattern).test(address)) ?? [];
  expect(3 + tags.length + (files?.length ?? 0)).toBe(count);
});

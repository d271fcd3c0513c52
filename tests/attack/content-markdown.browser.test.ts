// Markdown that takes a parser or a writer minutes, in and out: the page must never get much to draw at a time, and no word is
// lost. `npm run attack` measures for how long it is busy.
import { expect, test } from 'vitest';
import { bodyText } from 'weft-document/body/body-text.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { isMarkdown } from 'weft-document/markdown/is-markdown.ts';
import { exportPage } from '../../src/features/import-export/export-page.ts';
import { readImport } from '../../src/features/import-export/read-import.ts';
import { ok } from '../../src/lib/result.ts';
import type { PageFiles } from '../../src/ports/files.ts';
import { pasteInto } from '../support/editor/clipboard.ts';
import { openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { repeatedly, timesAsLong } from '../support/times-as-long.ts';
import { best, excessOf, loadOf } from './support/load.ts';

const NO_FILES: PageFiles = {
  document: null,
  watch: () => () => undefined,
  original: () => Promise.resolve(ok(new Blob())),
};

const MAX_ELEMENTS = 4_000;
const CHARACTERS = 80_000;

const fill = (mark: string) => mark.repeat(Math.ceil(CHARACTERS / mark.length)).slice(0, CHARACTERS);
/** Each paragraph has as many marks as the parser takes. */
const paragraphs = (mark: string) => Array.from({ length: 3 }, () => mark.repeat(3_900)).join('\n\n');

const TEXTS: Readonly<Record<string, string>> = {
  'emphasis that never closes': `**x**\n\n${fill('*a_ ')}`,
  'emphasis in paragraphs': `**x**\n\n${paragraphs('*a_ ')}`,
  'links that never close in paragraphs': `**x**\n\n${paragraphs('[a')}`,
  'open code in paragraphs': `**x**\n\n${paragraphs('`a``')}`,
};

const charactersOf = (text: string) => text.replace(/[^a-z]/g, '').length;

test.each(Object.entries(TEXTS))('pasted: %s', { timeout: 120_000 }, async (_name, text) => {
  const load = await best(() => {
    const session = pageSession(pageSeed(''));
    const page = openPage(session);
    page.caret(0, 0);
    return loadOf(async () => {
      pasteInto(page, { 'text/plain': text });
      await expect.poll(() => charactersOf(bodyText(session.doc)), { timeout: 60_000 }).toBe(charactersOf(text));
      page.close();
    });
  });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
});

test.each(Object.entries(TEXTS))('imported: %s', { timeout: 120_000 }, async (_name, text) => {
  const load = await best(() =>
    loadOf(async () => {
      const read = await readImport(new File([text], 'x.md'), () => null);
      expect(read.ok).toBe(true);
    }),
  );
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
});

test.each([
  ['Markdown of 80 kB of marks', 'md', { text: fill('*a_ ') }],
  ['Markdown of 80 kB of links', 'md', { text: fill('www.a.b ') }],
  ['a web page with a formula', 'html', { node: 'math', text: `${'\\sqrt{'.repeat(2_000)}x${'}'.repeat(2_000)}` }],
  ['a web page with a long formula', 'html', { node: 'math', text: '\\frac12'.repeat(2_800) }],
] as const)('exported as %s', { timeout: 120_000 }, async (_name, format, line) => {
  const session = pageSession(pageSeed(line));
  let written = '';
  const load = await best(() =>
    loadOf(async () => {
      written = (await exportPage(session.doc, format, NO_FILES)).text;
    }),
  );
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  expect(charactersOf(written)).toBeGreaterThanOrEqual(parseBody(session.doc).length);
});

test.each(['[', '**a ', '[a](/', '`', '|', '| ', '~~a'])(
  'whether a text of nothing but %j is Markdown takes no longer than of its parts',
  async (mark) => {
    const [text, part] = [300_000, 3_000].map((characters) => mark.repeat(characters / mark.length));
    const times = await timesAsLong(
      () => isMarkdown(text ?? ''),
      repeatedly(100, () => isMarkdown(part ?? '')),
    );
    expect(times).toBeLessThan(20);
  },
);

// Poison content: formulas and code that take a library minutes. In the editor and for readers the page must never get much to
// draw at a time, the content stays readable as text, and an editor can delete it.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import * as Y from 'yjs';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { linesOf, openPage } from '../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { type Load, best, excessOf, larger, loadOf } from './support/load.ts';

const MAX_ELEMENTS = 2_000;
/** Colored code: a block of it has 4,000. */
const MAX_COLORED = 15_000;

/** Something that makes each try different, so that no result is remembered from the try before. */
type Poison = (salt: string) => string;

const FORMULAS: Readonly<Record<string, Poison>> = {
  'a sum of 10,000 terms': (salt) => `${salt}${'+x'.repeat(9_990)}`,
  'a sum of 200,000 characters': (salt) => `${salt}${'+x'.repeat(100_000)}`,
  'two thousand fractions side by side': (salt) => `${salt}${'\\frac12'.repeat(2_000)}`,
  'fractions inside each other': (salt) => `${salt}${'\\frac1{'.repeat(400)}x${'}'.repeat(400)}`,
  'roots inside each other': (salt) => `${salt}${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}`,
  'a matrix of 4,000 cells': (salt) => `${salt}\\begin{matrix}${'x&x&x&x\\\\'.repeat(1_000)}\\end{matrix}`,
  'matrices inside each other': (salt) => `${salt}${'\\begin{matrix}a&'.repeat(30)}x${'\\end{matrix}'.repeat(30)}`,
  'brackets inside each other': (salt) => `${salt}${'\\left('.repeat(400)}x${'\\right)'.repeat(400)}`,
  'exponents inside each other': (salt) => `${salt}${'x^{'.repeat(1_500)}x${'}'.repeat(1_500)}`,
  'macros that double': (salt) =>
    `${salt}\\def\\a{xxxxxxxxxx}${'bcdefghi'.replace(/./g, (name, at: number) => `\\def\\${name}{${`\\${'abcdefgh'[at] ?? ''}`.repeat(10)}}`)}\\i`,
  'ten thousand open groups': (salt) => `${salt}${'{'.repeat(10_000)}`,
  'accents over everything': (salt) => `${salt}${'\\widehat{'.repeat(300)}x${'}'.repeat(300)}`,
  'phantoms and boxes': (salt) => `${salt}${'\\boxed{\\phantom{'.repeat(150)}x${'}}'.repeat(150)}`,
};

const CODE: Readonly<Record<string, readonly [language: string, text: Poison]>> = {
  '`if ` ten thousand times in C++': ['cpp', (salt) => `${salt} ${'if '.repeat(9_900)}`],
  'open brackets in C++': ['cpp', (salt) => `${salt} ${'(<'.repeat(14_000)}`],
  'open templates in JavaScript': ['javascript', (salt) => `${salt} ${'`${'.repeat(9_000)}`],
  'commas in JSON': ['json', (salt) => `[${salt.length},${'1,'.repeat(14_000)}`],
  'tags in HTML': ['xml', (salt) => `<!--${salt}-->${'<a b='.repeat(5_900)}`],
  'a hundred thousand characters of Markdown': ['markdown', (salt) => `${salt}${'*a_ '.repeat(24_000)}`],
};

const formula = (text: string): PageLine => ({ node: 'math', text });
const code = (language: string, text: string): PageLine => ({ kind: 'code', language, text });

const frames = async (count: number) => {
  for (let at = 0; at < count; at++) await new Promise((done) => requestAnimationFrame(done));
};

/** Opens the page in the editor until `isDone`, and measures. */
async function inEditor(lines: readonly PageLine[], isDone: (root: Element) => boolean): Promise<Load> {
  const session = pageSession(pageSeed('before', ...lines));
  let close = () => {};
  const load = await loadOf(async () => {
    const page = openPage(session);
    ({ close } = page);
    await expect.poll(() => isDone(page.editor.view.dom), { timeout: 60_000, interval: 50 }).toBe(true);
    await frames(3);
  });
  close();
  return load;
}

/** The same in the view for reading. */
async function forReaders(lines: readonly PageLine[], isDone: (root: Element) => boolean): Promise<Load> {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed('before', ...lines));
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const close = () => {
    react.unmount();
    root.remove();
  };
  onTestFinished(close);
  const load = await loadOf(async () => {
    react.render(createElement(StaticBody, { blocks: parseBody(doc), page: 'page' }));
    await expect.poll(() => isDone(root), { timeout: 60_000, interval: 50 }).toBe(true);
    await frames(3);
  });
  close();
  return load;
}

const isSettled = (root: Element) => {
  const shown = [...root.querySelectorAll('.math-shown')];
  return shown.length > 0 && shown.every((one) => one.matches('[data-drawn], [data-error]'));
};

test.each(Object.entries(FORMULAS))('a formula: %s', { timeout: 120_000 }, async (_name, poison) => {
  const editor = await best((salt) => inEditor([formula(poison(`${salt}e`))], isSettled));
  const reader = await best((salt) => forReaders([formula(poison(`${salt}r`))], isSettled));
  expect(excessOf(larger(editor, reader), MAX_ELEMENTS)).toEqual([]);
});

test.each(Object.entries(CODE))('code: %s', { timeout: 120_000 }, async (_name, [language, poison]) => {
  // The harmless block comes last: when it has its color, everything before it was tried.
  const last = code('javascript', 'const last = 1;');
  const isDone = (root: Element) =>
    [...root.querySelectorAll('pre')].at(-1)?.querySelector('.hljs-keyword')?.textContent === 'const';
  const lines = (text: string) => [code(language, text), last];
  const editor = await best((salt) => inEditor(lines(poison(`${salt}e`)), isDone));
  const reader = await best((salt) => forReaders(lines(poison(`${salt}r`)), isDone));
  expect(excessOf(larger(editor, reader), MAX_COLORED)).toEqual([]);
});

const inLine = (text: string): PageLine => ({ text, marks: { formula: {} } });

const LINES: Readonly<Record<string, (salt: string) => readonly PageLine[]>> = {
  'a hundred in one text, each as large as it may be': (salt) => [
    inLine(Array.from({ length: 100 }, (_, at) => `$${salt}_{${at}}${'+x'.repeat(60)}$`).join('')),
  ],
  'a thousand in each of five texts': (salt) =>
    Array.from({ length: 5 }, (_, at) => inLine(`$${salt}_{${at}}$`.repeat(1_000))),
  'thousands between marks': (salt) => [inLine(`$${salt}$`.repeat(3_000))],
  ...Object.fromEntries(
    Object.entries(FORMULAS).map(([name, poison]) => [
      name,
      (salt: string) => [inLine(`$${poison(salt).slice(0, 1_000)}$`)],
    ]),
  ),
};

test.each(Object.entries(LINES))('formulas in a line: %s', { timeout: 120_000 }, async (_name, linesWith) => {
  const isDone = (root: Element) =>
    [...root.querySelectorAll('.formula-shown')].every((one) => one.matches('[data-error], :has(.katex)'));
  const editor = await best((salt) => inEditor(linesWith(`${salt}e`), isDone));
  const reader = await best((salt) => forReaders(linesWith(`${salt}r`), isDone));
  expect(excessOf(larger(editor, reader), MAX_ELEMENTS)).toEqual([]);
});

test('typing beside a hundred formulas in one text', { timeout: 60_000 }, async () => {
  const session = pageSession(pageSeed(inLine(Array.from({ length: 100 }, (_, at) => `$x_{${at}}+y$`).join(''))));
  const page = openPage(session);
  await expect
    .poll(() => page.editor.view.dom.querySelectorAll('.formula-shown .katex').length, { timeout: 30_000 })
    .toBe(100);
  page.caret(0, -1);
  const load = await best(() =>
    loadOf(async () => {
      await page.press('abc');
      await frames(3);
    }),
  );
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
});

test('a formula that is too large is readable as text, and its button deletes it', async () => {
  const session = pageSession(pageSeed('before', formula('+x'.repeat(100_000)), 'after'));
  const page = openPage(session);
  const unsupported = () => page.editor.view.dom.querySelector('.unsupported-block');
  await expect.poll(() => unsupported()?.textContent).toContain('Too large to draw as a formula.');
  expect(unsupported()?.textContent).toContain('+x+x+x');
  unsupported()?.querySelector('button')?.click();
  expect(linesOf(session)).toEqual(['paragraph: before', 'paragraph: after']);
  page.undo.undo();
  expect(linesOf(session)).toHaveLength(3);
});

test('a reader sees the text of such a formula, without a button', async () => {
  let text = '';
  let buttons: readonly boolean[] = [];
  await forReaders([formula('+x'.repeat(100_000))], (root) => {
    const unsupported = root.querySelector('.unsupported-block');
    text = unsupported?.textContent ?? '';
    buttons = [...(unsupported?.querySelectorAll('.unsupported-block-head button') ?? [])].map((one) =>
      one.checkVisibility(),
    );
    return unsupported !== null;
  });
  expect(text).toContain('+x+x+x');
  expect(buttons).toEqual([false]);
});

test('fifteen formulas and fifteen code blocks, each as large as it may be', { timeout: 60_000 }, async () => {
  const rows = '[1,1,1,1,1,1,1,1,1,1],\n'.repeat(400);
  const lines = (salt: string) =>
    Array.from({ length: 15 }, (_, at) => [
      formula(`${salt}_{${at}}${'+x'.repeat(300)}`),
      code('json', `"${salt}${at}",\n${rows}`),
    ]).flat();
  const isDone = (root: Element) => isSettled(root) && root.querySelectorAll('.hljs-number').length > 10_000;
  const editor = await best((salt) => inEditor(lines(`${salt}e`), isDone));
  const reader = await best((salt) => forReaders(lines(`${salt}r`), isDone));
  expect(excessOf(larger(editor, reader), MAX_COLORED)).toEqual([]);
});

test('formulas that hang do not keep the others waiting for long', { timeout: 60_000 }, async () => {
  const hanging = Array.from({ length: 6 }, (_, at) => formula(`${at}${'+x'.repeat(9_990)}`));
  const isDrawn = (root: Element) => root.querySelectorAll('.katex-html').length === 1;
  const load = await inEditor([...hanging, formula('x^2')], isDrawn);
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
});

// Texts that the browser needs minutes to lay out: marks on one character, direction signs, scripts whose lines take the
// square of their length, a million characters. In the editor and for readers the page must never get much to lay out at a
// time; what is too costly is an unsupported block, and an editor can delete it.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { linesOf, openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { type Load, best, excessOf, larger, loadOf } from './support/load.ts';

/** A slice has a few of these blocks, whose texts are costly. */
const MAX_ELEMENTS = 100;

/** Each was measured to keep the editor busy for longer than 200 ms, in parentheses. */
const TOO_COSTLY: Readonly<Record<string, string>> = {
  '20,000 marks on one character (1.2 s)': `x${'\u0301'.repeat(20_000)}`,
  '3,000 skin tones in a row (1.3 s)': '\u{1F3FB}'.repeat(3_000),
  '40,000 direction signs (2 s)': '\u2067a\u2069'.repeat(20_000),
  '20,000 changes of direction (0.4 s)': '\u202Eab\u202Dcd'.repeat(20_000),
  'a line of 20,000 Arabic letters (2.3 s)': '\u0628'.repeat(20_000),
  'a line of 10,000 Arabic words (1.7 s)': '\u0628\u0627\u0628 '.repeat(10_000),
  'a line of 100,000 Thai letters (7 s)': '\u0E01'.repeat(100_000),
  '100,000 changes of font (0.8 s)': 'a\u4E2D'.repeat(50_000),
  'a million characters (0.2 s)': 'word '.repeat(200_000),
  'a million characters without a space (0.3 s)': 'x'.repeat(1_000_000),
  '32,000 joined emoji with a skin tone (6 s)': '\u{1F469}\u{1F3FD}\u200D'.repeat(32_000),
  '25,000 pairs in a row that are no flag (minutes)': '\u{1F1E6}\u{1F1E7}'.repeat(25_000),
  '200,000 line breaks (0.5 s)': '\n'.repeat(200_000),
};

const ARABIC_LINE = '\u0628\u0627\u0628 '.repeat(1_250);

/** Near the limit, and drawn. */
const DRAWN: Readonly<Record<string, string>> = {
  '50,000 characters': 'word '.repeat(10_000),
  '30,000 Chinese characters': '\u4E2D'.repeat(30_000),
  'an Arabic line of 5,000 characters': ARABIC_LINE,
  '50,000 Arabic letters in lines of 500': `${'\u0628\u0627\u0628 '.repeat(125)}\n`.repeat(100),
  'three marks on each of 2,000 characters': `x${'\u0301'.repeat(3)}`.repeat(2_000),
  '5,000 emoji': '\u{1F468}\u200D\u{1F469}'.repeat(2_500),
  '5,000 hands with a skin tone': '\u{1F44B}\u{1F3FB}'.repeat(5_000),
  '300 flags in a row': '\u{1F1E9}\u{1F1EA}'.repeat(300),
  '5,000 lines': 'a line of text\n'.repeat(5_000),
};

const frames = async (count: number) => {
  for (let at = 0; at < count; at++) await new Promise((done) => requestAnimationFrame(done));
};

type Opened = { readonly load: Load; readonly unsupported: number };

async function inEditor(seed: Uint8Array): Promise<Opened> {
  const page = { current: null as ReturnType<typeof openPage> | null };
  const load = await loadOf(async () => {
    page.current = openPage(pageSession(seed));
    await page.current.drawn();
    await frames(2);
  });
  const unsupported = page.current?.editor.view.dom.querySelectorAll('.unsupported-block').length ?? 0;
  page.current?.close();
  return { load, unsupported };
}

async function forReaders(seed: Uint8Array): Promise<Opened> {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  const root = document.body.appendChild(document.createElement('div'));
  root.className = 'page-text';
  const react = createRoot(root);
  const close = () => {
    react.unmount();
    root.remove();
  };
  onTestFinished(close);
  const load = await loadOf(async () => {
    react.render(createElement(StaticBody, { blocks: parseBody(doc), page: 'page' }));
    await expect
      .poll(() => root.querySelector('[aria-busy=false] .block'), { interval: 5, timeout: 60_000 })
      .not.toBeNull();
    await frames(2);
  });
  const unsupported = root.querySelectorAll('.unsupported-block').length;
  close();
  return { load, unsupported };
}

/** Opens the page in both views, which show the same number of unsupported blocks. */
async function open(seed: Uint8Array): Promise<{ readonly unsupported: number; readonly excess: readonly string[] }> {
  let unsupported = 0;
  const load = await best(async () => {
    const [editor, reader] = [await inEditor(seed), await forReaders(seed)];
    expect(editor.unsupported).toBe(reader.unsupported);
    ({ unsupported } = editor);
    return larger(editor.load, reader.load);
  });
  return { unsupported, excess: excessOf(load, MAX_ELEMENTS) };
}

test.each(Object.entries(TOO_COSTLY))('%s', async (_name, text) => {
  expect(await open(pageSeed('before', text, 'after'))).toEqual({ unsupported: 1, excess: [] });
});

test.each(Object.entries(DRAWN))('%s are drawn as they are', async (_name, text) => {
  expect(await open(pageSeed('before', text, 'after'))).toEqual({ unsupported: 0, excess: [] });
});

test('thirty blocks that each cost a little less than the limit', { timeout: 120_000 }, async () => {
  expect(await open(pageSeed(...Array.from({ length: 30 }, () => ARABIC_LINE)))).toEqual({
    unsupported: 0,
    excess: [],
  });
});

test(
  '100 blocks with a line of 1,500 characters that take the square of their length',
  { timeout: 120_000 },
  async () => {
    expect(await open(pageSeed(...Array.from({ length: 100 }, () => '\u0628'.repeat(1_500))))).toEqual({
      unsupported: 0,
      excess: [],
    });
  },
);

test('thirty blocks that become costly at once while they are read are drawn in slices too', async () => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed(...Array.from({ length: 30 }, () => 'x')));
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  const render = () => react.render(createElement(StaticBody, { blocks: bodyViewOf(doc).get(), page: 'page' }));
  const changed = () => root.textContent.length - 30;
  render();
  await expect.poll(changed).toBe(0);
  doc.transact(() => {
    for (const block of bodyOf(doc).toArray()) {
      const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
      if (text instanceof Y.XmlText) text.insert(1, ARABIC_LINE);
    }
  });
  render();
  await expect.poll(changed, { interval: 1 }).toBeGreaterThan(0);
  // Blocks that wait for their slice stay as they were.
  expect(changed()).toBeLessThan(30 * ARABIC_LINE.length);
  expect(root.querySelectorAll('.block').length).toBe(30);
  await expect.poll(changed, { timeout: 20_000 }).toBe(30 * ARABIC_LINE.length);
});

test('in captions and cells too', async () => {
  const marks = `x${'\u0301'.repeat(20_000)}`;
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed({ node: 'image', text: marks }));
  const table = new Y.XmlElement('table');
  bodyOf(doc).push([table]);
  table.insert(0, [new Y.XmlElement('tableRow')]);
  const row = table.get(0);
  if (row instanceof Y.XmlElement) {
    row.insert(0, [new Y.XmlElement('tableCell'), new Y.XmlElement('tableCell')]);
    for (const cell of row.toArray()) if (cell instanceof Y.XmlElement) cell.insert(0, [new Y.XmlText(marks)]);
  }
  expect(await open(Y.encodeStateAsUpdate(doc))).toEqual({ unsupported: 2, excess: [] });
});

test('in names of files and titles of cards', async () => {
  const name = `x${'\u0301'.repeat(20_000)}`;
  const seed = pageSeed(
    { node: 'file', name },
    { node: 'embed', url: 'https://weft.dev', title: name },
    { kind: 'code', language: name },
  );
  expect(await open(seed)).toEqual({ unsupported: 0, excess: [] });
});

test('thousands of marks that change at each character', async () => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed('before', ''));
  const block = bodyOf(doc).get(1);
  const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) {
    const all = { bold: {}, italic: {}, underline: {}, strike: {}, code: {}, highlight: {} };
    text.applyDelta(Array.from({ length: 8_000 }, (_, at) => ({ insert: 'x', attributes: at % 2 === 0 ? all : {} })));
  }
  expect(await open(Y.encodeStateAsUpdate(doc))).toEqual({ unsupported: 1, excess: [] });
});

test('a block becomes too costly while it is open and has the caret, and is drawn again when it is not', async () => {
  const session = pageSession(pageSeed('before', 'mine', 'after'));
  const page = openPage(session);
  page.caret(1, -1);
  const block = bodyOf(session.doc).get(1);
  const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  const unsupported = () => page.editor.view.dom.querySelectorAll('.unsupported-block').length;
  const load = await loadOf(async () => {
    session.doc.transact(() => text.insert(1, '\u0301'.repeat(20_000)), 'row');
    await expect.poll(unsupported).toBe(1);
    await frames(2);
  });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  page.caret(2, -1);
  page.type('!');
  expect(linesOf(session)[2]).toBe('paragraph: after!');
  session.doc.transact(() => text.delete(1, 20_000), 'row');
  await expect.poll(unsupported).toBe(0);
  page.caret(1, -1);
  page.type('!');
  expect(linesOf(session)).toEqual(['paragraph: before', 'paragraph: mine!', 'paragraph: after!']);
});

test('such a block is read as text, part by part, and its button deletes it', async () => {
  const session = pageSession(pageSeed('before', `x${'\u0301'.repeat(200_000)}`, 'after'));
  const page = openPage(session);
  const unsupported = page.editor.view.dom.querySelector('.unsupported-block');
  expect(unsupported?.textContent).toContain('Too large to draw. Shown as plain text.');
  const more = [...(unsupported?.querySelectorAll('button') ?? [])].find((one) => one.textContent === 'Show more');
  const load = await loadOf(async () => {
    for (let at = 0; at < 10; at++) more?.click();
    await frames(1);
  });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  page.caret(0, -1);
  page.type('!');
  page.undo.stopCapturing();
  unsupported?.querySelector('button')?.click();
  expect(linesOf(session)).toEqual(['paragraph: before!', 'paragraph: after']);
  expect(page.detachCount()).toBe(0);
  page.undo.undo();
  expect(linesOf(session)).toHaveLength(3);
});

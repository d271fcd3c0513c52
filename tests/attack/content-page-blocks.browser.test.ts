// Poison content: very many blocks. In the editor and for readers the page must never get much to draw at a time, and its first
// blocks come at once.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { bodyOf } from 'weft-document/names.ts';
import { REMOTE_ORIGIN } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { linesOf, openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { type Load, NOTHING, best, excessOf, larger, loadOf } from './support/load.ts';

/** A slice of the editor has up to 1,000 blocks, of three elements each. */
const MAX_ELEMENTS = 4_000;

const lines = (count: number) => pageSeed(...Array.from({ length: count }, (_, at) => `line ${at} with some words`));

/** The parts that are too much at a time in the work that `measure` passes on. */
async function excess(measure: (run: (work: () => Promise<void>) => Promise<void>) => Promise<void>) {
  const load = await best(async () => {
    let whole: Load = NOTHING;
    await measure(async (work) => {
      whole = larger(whole, await loadOf(work));
    });
    return whole;
  });
  return excessOf(load, MAX_ELEMENTS);
}

test('the editor draws 4,000 blocks in slices', { timeout: 120_000 }, async () => {
  const seed = lines(4_000);
  const tooMuch = await excess(async (run) => {
    const session = pageSession(seed);
    let close = () => {};
    await run(async () => {
      const page = openPage(session);
      ({ close } = page);
      const { state } = page.editor;
      expect(state.doc.firstChild?.textContent).toBe('line 0 with some words');
      expect(state.doc.childCount).toBeLessThan(4_000);
      await page.drawn();
      expect(page.editor.state.doc.childCount).toBe(4_000);
    });
    close();
  });
  expect(tooMuch).toEqual([]);
});

test('until all blocks are drawn, characters can be written, and nothing that would take the rest for deleted', async () => {
  const session = pageSession(lines(3_000));
  const page = openPage(session);
  page.caret(0, -1);
  page.type('!');
  page.editor.commands.splitBlock();
  page.editor.commands.selectAll();
  page.editor.commands.deleteSelection();
  page.caret(1, 0);
  page.type('second ');
  await page.drawn();
  const written = linesOf(session);
  expect(written).toHaveLength(3_000);
  expect(written.slice(0, 2)).toEqual([
    'paragraph: line 0 with some words!',
    'paragraph: second line 1 with some words',
  ]);
  page.caret(2_999, -1);
  page.editor.commands.splitBlock();
  expect(linesOf(session)).toHaveLength(3_001);
  page.editor.commands.selectAll();
  page.editor.commands.deleteSelection();
  expect(linesOf(session)).toEqual(['paragraph: ']);
  expect(page.detachCount()).toBe(0);
});

test('3,000 selected blocks are drawn, copied, shortened and typed over, and never laid out at once', async () => {
  const seed = pageSeed(...Array.from({ length: 3_000 }, (_, at) => ({ kind: 'toggle', text: `line ${at}` })));
  const tooMuch = await excess(async (run) => {
    const session = pageSession(seed);
    const page = openPage(session);
    await page.drawn();
    const { dom } = page.editor.view;
    const backgroundOf = (at: number) => {
      const block = dom.querySelectorAll('.block')[at];
      return block === undefined ? null : getComputedStyle(block).backgroundColor;
    };
    const plain = backgroundOf(1_500);
    page.caret(0, 0);
    let copied = '';
    dom.addEventListener('copy', ({ clipboardData }) => {
      copied = clipboardData?.getData('text/plain') ?? '';
    });
    await run(async () => {
      await userEvent.keyboard('{Control>}aa{/Control}');
      expect(page.editor.state.selection.content().content.childCount).toBe(3_000);
      expect(document.getSelection()?.isCollapsed).toBe(true);
      await userEvent.keyboard('{Control>}c{/Control}');
      await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
    });
    expect(copied).toContain('line 0');
    expect(copied).toContain('line 2999');
    const selected = backgroundOf(1_500);
    expect(selected).not.toBe(plain);
    expect([0, 2_998, 2_999].map(backgroundOf)).toEqual([selected, selected, plain]);
    await run(async () => userEvent.keyboard('new'));
    expect(linesOf(session)).toEqual(['paragraph: new', 'toggle: line 2999']);
    page.close();
  });
  expect(tooMuch).toEqual([]);
});

const TONES = '\u{1F3FB}'.repeat(500);

test.each([
  // A thousand paragraphs are one slice, but these take the browser 300 ms and 7 s.
  ['code blocks', Array.from({ length: 500 }, (_, at) => ({ kind: 'code', text: `${at}` })), 200],
  ['cards with a costly title', Array.from({ length: 20 }, () => ({ node: 'embed', title: TONES })), 10],
  ['files with a costly name', Array.from({ length: 20 }, () => ({ node: 'file', name: TONES })), 10],
])('the first slice of the editor has few %s', async (_name, costly, most) => {
  const page = openPage(pageSession(pageSeed(...costly)));
  expect(page.editor.state.doc.childCount).toBeLessThan(most);
  page.close();
});

test('4,000 blocks of another person arrive in a page that is open', { timeout: 120_000 }, async () => {
  const seed = pageSeed('before', 'after');
  const other = new Y.Doc();
  Y.applyUpdate(other, seed);
  const vector = Y.encodeStateVector(other);
  const made = Array.from({ length: 4_000 }, () => new Y.XmlElement('block'));
  bodyOf(other).insert(1, made);
  const flood = Y.encodeStateAsUpdate(other, vector);
  const tooMuch = await excess(async (run) => {
    const session = pageSession(seed);
    const page = openPage(session);
    page.caret(1, -1);
    await run(async () => {
      Y.applyUpdate(session.doc, flood, REMOTE_ORIGIN);
      // Nothing that was there vanishes, and the caret stays.
      expect(page.editor.state.selection.$head.parent.textContent).toBe('after');
      expect(page.editor.state.doc.childCount).toBeLessThan(4_000);
      page.type('wa');
      await expect.poll(() => page.editor.state.doc.childCount, { timeout: 60_000 }).toBe(4_002);
      expect(page.editor.state.selection.$head.parent.textContent).toBe('afterwa');
      expect(page.editor.view.hasFocus()).toBe(true);
    });
    page.type('rds');
    expect(bodyOf(session.doc).get(4_001).toString()).toContain('afterwards');
    expect(bodyOf(session.doc).length).toBe(4_002);
    page.close();
  });
  expect(tooMuch).toEqual([]);
});

function tableSeed(rows: number, columns: number): Uint8Array {
  const source = new Y.Doc();
  const table = new Y.XmlElement('table');
  table.insert(
    0,
    Array.from({ length: rows }, (_, row) => {
      const made = new Y.XmlElement('tableRow');
      made.insert(
        0,
        Array.from({ length: columns }, (__, column) => {
          const cell = new Y.XmlElement('tableCell');
          cell.insert(0, [new Y.XmlText(`${row} ${column}`)]);
          return cell;
        }),
      );
      return made;
    }),
  );
  bodyOf(source).insert(0, [new Y.XmlElement('block'), table, new Y.XmlElement('block')]);
  return Y.encodeStateAsUpdate(source);
}

test('a table of 3,000 cells', { timeout: 120_000 }, async () => {
  const seed = tableSeed(300, 10);
  const tooMuch = await excess(async (run) => {
    const session = pageSession(seed);
    let close = () => {};
    await run(async () => {
      const page = openPage(session);
      ({ close } = page);
      await page.drawn();
      expect(page.editor.state.doc.child(1).childCount).toBe(300);
      expect(page.editor.view.dom.querySelectorAll('td, th').length).toBe(3_000);
    });
    close();
  });
  expect(tooMuch).toEqual([]);
});

test('a table of 1,001 columns is an unsupported block, one of 1,000 is a table, in the editor and for readers', async () => {
  for (const [columns, isUnsupported] of [
    [1_000, false],
    [1_001, true],
  ] as const) {
    const seed = tableSeed(1, columns);
    const page = openPage(pageSession(seed));
    await page.drawn();
    expect(page.editor.view.dom.querySelectorAll('td, th').length).toBe(isUnsupported ? 0 : columns);
    expect(page.editor.view.dom.querySelectorAll('[data-kind="unknown"]').length).toBe(isUnsupported ? 1 : 0);
    page.close();
    const doc = new Y.Doc();
    Y.applyUpdate(doc, seed);
    const root = document.body.appendChild(document.createElement('div'));
    const react = createRoot(root);
    react.render(createElement(StaticBody, { blocks: bodyViewOf(doc).get(), page: 'page' }));
    await expect.poll(() => root.querySelectorAll('.block').length).toBe(3);
    expect(root.querySelectorAll('td, th').length).toBe(isUnsupported ? 0 : columns);
    react.unmount();
    root.remove();
  }
});

/** What `read` returns after each change below `root`. Polling would miss what is there for less than its interval. */
function afterEachChange<T>(root: Node, read: () => T): readonly T[] {
  const seen: T[] = [];
  new MutationObserver(() => seen.push(read())).observe(root, { childList: true, subtree: true });
  return seen;
}

test('readers see 1,500 blocks in slices, and blocks that come later in slices too', { timeout: 120_000 }, async () => {
  const seed = lines(1_500);
  const tooMuch = await excess(async (run) => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, seed);
    const root = document.body.appendChild(document.createElement('div'));
    const react = createRoot(root);
    const render = () => react.render(createElement(StaticBody, { blocks: bodyViewOf(doc).get(), page: 'page' }));
    const count = () => root.querySelectorAll('.block').length;
    await run(async () => {
      render();
      await expect.poll(count, { timeout: 60_000 }).toBe(1_500);
      const drawn = afterEachChange(root, count);
      bodyOf(doc).insert(
        0,
        Array.from({ length: 500 }, () => new Y.XmlElement('block')),
      );
      render();
      await expect.poll(count, { timeout: 60_000 }).toBe(2_000);
      // Nothing that was there vanishes.
      expect(Math.min(...drawn)).toBeGreaterThan(1_500);
      expect(drawn[0]).toBeLessThan(2_000);
      expect(root.querySelector('[data-key]:last-child')?.textContent).toBe('line 1499 with some words');
    });
    react.unmount();
    root.remove();
  });
  expect(tooMuch).toEqual([]);
});

test('readers see the rows of a table of 4,000 cells in slices', { timeout: 120_000 }, async () => {
  const seed = tableSeed(400, 10);
  const tooMuch = await excess(async (run) => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, seed);
    const root = document.body.appendChild(document.createElement('div'));
    const react = createRoot(root);
    const count = () => ({ blocks: root.querySelectorAll('.block').length, rows: root.querySelectorAll('tr').length });
    const drawn = afterEachChange(root, count);
    await run(async () => {
      react.render(createElement(StaticBody, { blocks: bodyViewOf(doc).get(), page: 'page' }));
      await expect.poll(count, { timeout: 60_000 }).toEqual({ blocks: 3, rows: 400 });
      const [first] = drawn.filter(({ rows }) => rows > 0);
      expect(first?.blocks).toBe(2);
      expect(first?.rows).toBeLessThan(400);
    });
    react.unmount();
    root.remove();
  });
  expect(tooMuch).toEqual([]);
});

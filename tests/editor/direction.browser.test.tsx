// Right-to-left text: everything that belongs to a block is on the side where its text begins.
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';

afterEach(cleanup);

const LINES = [
  { kind: 'bullet', text: 'مرحبا' },
  { kind: 'task', text: 'משימה' },
  { kind: 'numbered', text: 'אחת' },
  { kind: 'callout', tone: 'note', text: 'הערה' },
  { kind: 'toggle', text: 'פרק' },
  { kind: 'bullet', indent: 2, text: 'عميق' },
  { kind: 'quote', text: 'ציטוט' },
  { kind: 'code', text: 'שלום' },
];
const inEnglish = LINES.map((line) => ({ ...line, text: 'words' }));

/** For each block, where its text and its bullet begin, in px from the column’s left and right edge. */
function edgesOf(body: Element) {
  const column = body.getBoundingClientRect();
  return Array.from(body.querySelectorAll('.block'), (block) => {
    const lead = block.querySelector('.block-lead, .block-check')?.getBoundingClientRect();
    const text = block.querySelector('.block-text');
    const words = new Range();
    if (text !== null) words.selectNodeContents(text);
    const { left, right } = words.getBoundingClientRect();
    const fromLeft = [lead?.left, left].map((x) => (x === undefined ? null : Math.round(x - column.left)));
    const fromRight = [lead?.right, right].map((x) => (x === undefined ? null : Math.round(column.right - x)));
    return { fromLeft, fromRight };
  });
}

const draw = {
  editor: (lines: typeof LINES) => openPage(pageSession(pageSeed(...lines))).editor.view.dom,
  reader: (lines: typeof LINES) => {
    const blocks = parseBody(pageSession(pageSeed(...lines)).doc);
    const { container } = render(
      <div className="page-column">
        <StaticBody blocks={blocks} page="one" />
      </div>,
    );
    return container.querySelector('.page-body') ?? container;
  },
};

test.each(['editor', 'reader'] as const)(
  'bullets, indents and quote lines are mirrored with the text: %s',
  async (who) => {
    await document.fonts.ready;
    const [left, right] = [edgesOf(draw[who](inEnglish)), edgesOf(draw[who](LINES))];
    const prose = left.length - 1;
    expect(right.slice(0, prose).map(({ fromRight }) => fromRight)).toEqual(
      left.slice(0, prose).map(({ fromLeft }) => fromLeft),
    );
    expect(left.slice(0, prose).every(({ fromLeft: [lead, words] }) => (lead ?? -99) < (words ?? -99))).toBe(true);
    // Code is written left to right in every language.
    expect(right[prose]?.fromLeft).toEqual(left[prose]?.fromLeft);
  },
);

test('a block changes its direction with its first character, and back; its save mark stays on the left', async () => {
  const page = openPage(pageSession(pageSeed({ kind: 'bullet', indent: 1, text: '' })));
  const drawn = () => {
    const block = page.editor.view.dom.querySelector<HTMLElement>('.block');
    if (block === null) return null;
    block.dataset['selvedge'] = 'held';
    const { left } = getComputedStyle(block, '::before');
    return { direction: getComputedStyle(block).direction, edge: block.getBoundingClientRect().x + parseFloat(left) };
  };
  const before = drawn();
  page.caret(0, 0);
  await page.press('ש');
  expect(drawn()).toEqual({ ...before, direction: 'rtl' });
  await page.press('{Backspace}a');
  expect(drawn()).toEqual({ ...before, direction: 'ltr' });
});

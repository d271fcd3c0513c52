// Formulas in a line: made by the second `$`, drawn instead of their source, edited in the text by two people.
import { beforeAll, describe, expect, test } from 'vitest';
import { page as browserPage, userEvent } from 'vitest/browser';
import { caretBox } from '../../../src/editor/carets/caret-geometry.ts';
import { find } from '../../../src/editor/find/find-in-page.ts';
import { loadMarkdown } from '../../../src/editor/paste/pasted-markdown.ts';
import { copyFrom, pasteInto } from '../../support/editor/clipboard.ts';
import { type OpenedPage, linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

beforeAll(() => browserPage.viewport(1280, 800));

const SQUARE: PageLine = { text: '$x^2$', marks: { formula: {} } };
const QUERY = { text: 'x^2', isRegex: false, isCaseSensitive: false, isWholeWord: false };
const MADE = 'paragraph: so <formula:$x^2$>';

function opened(...seed: readonly PageLine[]) {
  const session = pageSession(pageSeed(...seed));
  const page = openPage(session);
  page.editor.view.focus();
  return { session, page, lines: () => linesOf(session) };
}

async function typed(keys: string) {
  const fixture = opened('');
  await fixture.page.press(keys);
  return fixture;
}

const shownIn = ({ editor }: OpenedPage) => Array.from(editor.view.dom.querySelectorAll<HTMLElement>('.formula-shown'));

/** The source that is visible; empty if all of it is hidden. */
const sourceIn = ({ editor }: OpenedPage) =>
  Array.from(editor.view.dom.querySelectorAll('.formula-source'))
    .flatMap((one) => (getComputedStyle(one).display === 'none' ? [] : [one.textContent]))
    .join('');

const caretIn = ({ editor }: OpenedPage) => editor.state.selection.$head.parentOffset;

describe('typing', () => {
  test.each([
    ['so $x^2$', MADE],
    ['so $x^2$ and $y$.', `${MADE} and <formula:$y$>.`],
    ['($x$)', 'paragraph: (<formula:$x$>)'],
    ['$a \\$ b$', 'paragraph: <formula:$a \\$ b$>'],
    ['$a_i*b_i*c$ *x*', 'paragraph: <formula:$a_i*b_i*c$> <italic:x>'],
    ['$5 and $6', 'paragraph: $5 and $6'],
    ['$5-$6', 'paragraph: $5-$6'],
    ['$ x$', 'paragraph: $ x$'],
    ['$$', 'paragraph: $$'],
    ['\\$x$', 'paragraph: \\$x$'],
    ['`$x$` y', 'paragraph: <code:$x$> y'],
    ['```js{Enter}$x$', 'code(js): $x$'],
    ['# $x$ y', 'heading1: <formula:$x$> y'],
  ])('%s makes "%s"', async (keys, line) => {
    const { lines } = await typed(keys);
    expect(lines()).toEqual([line]);
  });

  test('the formula is drawn with MathML at once, its source is hidden, and what is typed next stands behind it', async () => {
    const { page, lines } = await typed('so $x^2$');
    await expect.poll(() => shownIn(page)[0]?.querySelector('math msup')?.textContent).toBe('x2');
    expect(sourceIn(page)).toBe('');
    await page.press(' is');
    expect(lines()).toEqual([`${MADE} is`]);
  });

  test.each(['{Escape}', '{Backspace}', '{Control>}z{/Control}'])(
    '%s right after gives the characters back',
    async (key) => {
      const { page, lines } = await typed(`so $x^2$${key}`);
      expect(lines()).toEqual(['paragraph: so $x^2$']);
      await page.press('!');
      expect(lines()).toEqual(['paragraph: so $x^2$!']);
    },
  );
});

describe('editing', () => {
  test('the arrows go into the source and out of it, Enter and Escape leave it', async () => {
    const { page, lines } = opened(SQUARE);
    page.caret(0, -1);
    expect(sourceIn(page)).toBe('');
    await page.press('{ArrowLeft}');
    expect([sourceIn(page), caretIn(page)]).toEqual(['$x^2$', 4]);
    await page.press('+1{Enter} z');
    expect([lines(), sourceIn(page)]).toEqual([['paragraph: <formula:$x^2+1$> z'], '']);
    page.caret(0, 0);
    await page.press('{ArrowRight}y');
    expect([lines(), sourceIn(page)]).toEqual([['paragraph: <formula:$yx^2+1$> z'], '$yx^2+1$']);
    await page.press('{Escape}!');
    expect([lines(), sourceIn(page)]).toEqual([['paragraph: <formula:$yx^2+1$>! z'], '']);
  });

  test('a click opens it behind its last character', async () => {
    const { page } = opened('a', SQUARE);
    await expect.poll(() => shownIn(page)[0]?.querySelector('.katex')).not.toBeNull();
    await userEvent.click(shownIn(page)[0] ?? document.body);
    expect([sourceIn(page), caretIn(page)]).toEqual(['$x^2$', 4]);
  });

  test('Backspace behind it and Delete before it take a sign and show the source; the sign makes it again', async () => {
    const { page, lines } = opened(SQUARE);
    page.caret(0, -1);
    await page.press('{Backspace}');
    expect([lines(), shownIn(page)]).toEqual([['paragraph: <formula:$x^2>'], []]);
    await page.press('$');
    expect([lines(), shownIn(page).length]).toEqual([['paragraph: <formula:$x^2$>'], 1]);
    page.caret(0, 0);
    await page.press('{Delete}');
    expect([lines(), shownIn(page)]).toEqual([['paragraph: <formula:x^2$>'], []]);
  });

  test('with Ctrl they delete the formula', async () => {
    const { page, lines } = opened(SQUARE);
    page.caret(0, -1);
    await page.press('a{Backspace}{Control>}{Backspace}{/Control}');
    expect(lines()).toEqual(['paragraph: ']);
  });

  test('its source takes everything as text: quotes, stars, a slash, a paste', async () => {
    const { page, lines } = opened(SQUARE);
    page.caret(0, 4);
    await page.press('"*a*/:s');
    pasteInto(page, { 'text/plain': '**b**\nc', 'text/html': '<b>b</b>' });
    expect(lines()).toEqual(['paragraph: <formula:$x^2"*a*/:s**b** c$>']);
  });

  test('a wrong one shows its source and says what is wrong', async () => {
    const { page } = opened({ ...SQUARE, text: '$\\frac1$' });
    await expect.poll(() => shownIn(page)[0]?.dataset['error']).toBe('');
    expect([shownIn(page)[0]?.textContent, shownIn(page)[0]?.title]).toEqual(['$\\frac1$', expect.stringMatching(/./)]);
  });

  test('the current match of a search shows its source', () => {
    const { page } = opened('x^2', SQUARE);
    find(page.editor, QUERY);
    expect(sourceIn(page)).toBe('');
    page.caret(1, 0);
    find(page.editor, null);
    find(page.editor, QUERY);
    expect(sourceIn(page)).toBe('$x^2$');
  });

  test('code shows the signs of a formula that was turned into it', async () => {
    const { page } = opened({ ...SQUARE, kind: 'code' });
    expect([shownIn(page).length, page.editor.view.dom.querySelector('pre')?.innerText]).toEqual([0, '$x^2$']);
  });
});

describe('copying', () => {
  test('plain text has the source, and HTML brings the formula back', () => {
    const { page, lines } = opened(SQUARE, '');
    page.editor.commands.setTextSelection({ from: 1, to: 6 });
    const { text, html } = copyFrom(page);
    expect(text).toBe('$x^2$');
    page.caret(1, 0);
    pasteInto(page, { 'text/html': html });
    expect(lines()[1]).toBe('paragraph: <formula:$x^2$>');
  });

  test.each([
    ['Markdown', { 'text/plain': 'so $x^2$, for $5 and $6' }, `${MADE}, for $5 and $6`],
    [
      'what KaTeX drew',
      {
        'text/html':
          'so <span class="katex"><span class="katex-mathml"><math><semantics><mrow></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span aria-hidden="true">x2</span></span>',
      },
      MADE,
    ],
    ['prices', { 'text/plain': '$5 and $6' }, 'paragraph: $5 and $6'],
  ])('%s is pasted', async (_name, data, line) => {
    const { page, lines } = opened('');
    await loadMarkdown();
    pasteInto(page, data);
    await expect.poll(lines).toEqual([line]);
  });
});

describe('two people', () => {
  test('write in one formula at once and see the same', async () => {
    const { alice, a, b, wire, agree } = twoEditors(pageSeed(SQUARE));
    wire.offline();
    a.caret(0, 1);
    await a.press('a');
    b.caret(0, -1);
    await b.press('{ArrowLeft}b{ArrowRight} end');
    wire.online();
    await expect.poll(() => linesOf(alice)).toEqual(['paragraph: <formula:$ax^2b$> end']);
    await b.drawn();
    agree();
    expect([sourceIn(a), sourceIn(b)]).toEqual(['$ax^2b$', '']);
  });

  test('one makes a formula of what another writes in', async () => {
    const { alice, a, b, wire, agree } = twoEditors(pageSeed('$x'));
    wire.offline();
    b.caret(0, 1);
    await b.press('b');
    a.caret(0, -1);
    await a.press('$');
    wire.online();
    await expect.poll(() => linesOf(alice)).toEqual(['paragraph: <formula:$bx$>']);
    agree();
    expect(shownIn(a)).toHaveLength(1);
  });

  test("another's caret in a hidden source is drawn behind the formula", async () => {
    const { page } = opened('before', SQUARE);
    page.caret(0, 0);
    await expect.poll(() => shownIn(page)[0]?.querySelector('.katex')).not.toBeNull();
    const inSource = page.editor.state.doc.child(0).nodeSize + 3;
    const box = caretBox(page.editor.view, new DOMRect(), inSource);
    const shown = shownIn(page)[0]?.getBoundingClientRect();
    expect(Math.abs((box?.x ?? 0) - (shown?.right ?? Infinity))).toBeLessThan(3);
  });
});

import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

const card = { node: 'embed', url: 'https://weft.dev/a', title: 'Weft' };

function opened(editable: boolean, ...lines: readonly PageLine[]) {
  const session = pageSession(lines.length === 0 ? pageSeed() : pageSeed(...lines));
  return { session, page: openPage(session, editable) };
}

/** Clicks so far below the text that it is outside of the editor's element, at the given part of the window's width. */
async function clickBelow(part: number) {
  document.documentElement.style.minHeight = '3000px';
  scrollTo(0, document.documentElement.scrollHeight);
  const { clientWidth } = document.documentElement;
  await userEvent.click(document.documentElement, { position: { x: clientWidth * part, y: 2980 } });
}

test.each([
  ['text', 'words', ['paragraph: wordsend']],
  ['a list', { kind: 'bullet', text: 'item' }, ['bullet: itemend']],
  ['code', { kind: 'code', text: 'x' }, ['code: x', 'paragraph: end']],
  ['a card', card, ['embed Weft', 'paragraph: end']],
  ['a divider', { node: 'divider' }, ['---', 'paragraph: end']],
  ['a formula', { node: 'math', text: 'x' }, ['math x', 'paragraph: end']],
  ['a file', { node: 'file', name: 'f.pdf' }, ['file f.pdf', 'paragraph: end']],
  ['a picture', { node: 'image', text: 'caption' }, ['image caption', 'paragraph: end']],
] as const)('a click far below %s, beside the column too, lets you write on', async (_name, line, lines) => {
  for (const part of [0.5, 0.02]) {
    const { session, page } = opened(true, line);
    await clickBelow(part);
    await userEvent.keyboard('end');
    expect(linesOf(session)).toEqual(lines);
    page.close();
  }
});

test('a click below a page without any block, and below a short text inside the editor', async () => {
  const empty = opened(true);
  await clickBelow(0.5);
  await userEvent.keyboard('first');
  expect(linesOf(empty.session)).toEqual(['paragraph: first']);
  empty.page.close();
  const short = opened(true, 'one', 'a long line of words');
  const { dom } = short.page.editor.view;
  await userEvent.click(dom, { position: { x: 5, y: dom.getBoundingClientRect().height - 5 } });
  await userEvent.keyboard('!');
  expect(linesOf(short.session)).toEqual(['paragraph: one', 'paragraph: a long line of words!']);
});

test('below a folded toggle the caret goes to the toggle, not into its hidden body', async () => {
  const { session, page } = opened(true, { kind: 'toggle', text: 'Fold' }, { indent: 1, text: 'hidden' });
  page.caret(0, 0);
  await page.press('{Control>}{Enter}{/Control}');
  await clickBelow(0.5);
  await userEvent.keyboard('!');
  expect(linesOf(session)).toEqual(['toggle: Fold!', 'paragraph>1: hidden']);
});

test('in a read-only page, and beside the text, a click changes nothing', async () => {
  const watched = opened(false, card);
  await clickBelow(0.5);
  expect(watched.session.localUpdates).toEqual([]);
  watched.page.close();
  const { session, page } = opened(true, 'one', card);
  page.caret(0, 0);
  scrollTo(0, 0);
  const { top } = page.editor.view.dom.getBoundingClientRect();
  await userEvent.click(document.documentElement, { position: { x: 4, y: top + 4 } });
  expect(session.localUpdates).toEqual([]);
});

test.each([
  ['a card', card, 'embed Weft'],
  ['a divider', { node: 'divider' }, '---'],
  ['a file', { node: 'file', name: 'f.pdf' }, 'file f.pdf'],
  ['a formula', { node: 'math', text: 'x' }, 'math x'],
  ['a picture', { node: 'image', text: 'caption' }, 'image caption'],
] as const)('arrow down, and Enter, go on after %s at the end of a page', async (_name, line, drawn) => {
  for (const keys of ['{ArrowDown}{ArrowDown}', '{ArrowDown}{Enter}', '{ArrowRight}{Enter}']) {
    const { session, page } = opened(true, 'a', line);
    page.caret(0, -1);
    await page.press(`${keys}on`);
    expect([keys, linesOf(session)]).toEqual([keys, ['paragraph: a', drawn, 'paragraph: on']]);
    page.close();
  }
});

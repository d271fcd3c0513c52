import { NodeSelection } from '@tiptap/pm/state';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { pasteInto } from '../../support/editor/clipboard.ts';
import { type OpenedPage, linesOf, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const DIVIDER = { node: 'divider' };
const math = (text: string) => ({ node: 'math', text });
const card = { node: 'embed', url: 'https://weft.dev/a', title: 'Weft' };

/** Index of the node and the offset in it, or `node` if it is selected as a whole. */
const caretAt = ({ editor }: OpenedPage) => {
  const { selection } = editor.state;
  const { $from } = selection;
  return [$from.index(0), selection instanceof NodeSelection ? 'node' : $from.parentOffset];
};

function opened(...lines: readonly PageLine[]) {
  const session = pageSession(pageSeed(...lines));
  return { session, page: openPage(session) };
}

test('arrows move into a formula and out of it, in both directions', async () => {
  const { session, page } = opened('ab', math('x^2'), 'cd');
  page.caret(0, -1);
  const visited: unknown[] = [];
  for (const key of ['Right', 'Left', 'Down', 'Down', 'Up', 'Up'] as const) {
    await page.press(`{Arrow${key}}`);
    visited.push(caretAt(page)[0]);
  }
  expect(visited).toEqual([1, 0, 1, 2, 1, 0]);
  page.caret(2, 0);
  await page.press('{ArrowLeft}');
  expect(caretAt(page)).toEqual([1, 3]);
  await page.press('{ArrowRight}');
  expect(caretAt(page)).toEqual([2, 0]);
  expect(session.localUpdates).toEqual([]);
});

test('a formula is edited in place, rendered, and left with Enter', async () => {
  const { session, page } = opened('');
  page.caret(0, 0);
  await page.press('$$ x^2 + \\pi{Enter}after');
  expect(linesOf(session)).toEqual(['math x^2 + \\pi', 'paragraph: after']);
  const block = page.editor.view.dom.querySelector('[data-kind=math]');
  // A worker draws it, so drawings of what was typed before come first.
  await expect.poll(() => block?.querySelector('.katex-html')?.textContent).toBe('x2+π');
  expect(block?.querySelectorAll('.katex-html, math').length).toBe(2);
  expect(block?.querySelector('pre')?.offsetHeight).toBe(0);
  await userEvent.click(block?.querySelector('.math-shown') ?? document.body);
  expect(caretAt(page)).toEqual([0, 9]);
  expect((block?.querySelector('pre')?.offsetHeight ?? 0) > 0).toBe(true);
});

test('a formula with an error shows a message and keeps its source visible', async () => {
  const { session, page } = opened('a', math('\\frac{1}{'));
  page.caret(0, 0);
  const block = page.editor.view.dom.querySelector('[data-kind=math]');
  await expect.poll(() => block?.querySelector('.math-shown')?.textContent).toBe('Missing a closing }');
  expect(block?.querySelector('.math-shown')?.textContent).not.toContain('KaTeX');
  expect((block?.querySelector('pre')?.offsetHeight ?? 0) > 0).toBe(true);
  expect(textsOf(session)[1]).toBe('math');
  expect(session.localUpdates).toEqual([]);
});

test('a formula cannot contain links or pictures or load anything', async () => {
  const { page } = opened('a', math('\\href{javascript:alert(1)}{x} \\includegraphics{https://x.dev/y.png}'));
  page.caret(0, 0);
  const block = page.editor.view.dom.querySelector('[data-kind=math]');
  await expect.poll(() => block?.querySelector('.math-shown')?.textContent).not.toBe('');
  expect(block?.querySelectorAll('a, img').length).toBe(0);
});

test('two people in one formula merge character by character', () => {
  const seed = pageSeed('a', math('x = '));
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  a.caret(1, -1);
  a.type('1 + 2');
  b.caret(1, 0);
  b.type('y = ');
  wire.online();
  expect(linesOf(alice)[1]).toBe('math y = x = 1 + 2');
  expect(linesOf(bob)).toEqual(linesOf(alice));
  expect(a.shown()).toEqual(b.shown());
});

test.each([
  ['a divider', DIVIDER, '---'],
  ['a link card', card, 'embed Weft'],
  ['a file', { node: 'file', name: 'f.pdf' }, 'file f.pdf'],
  ['a formula', math('x'), 'math x'],
] as const)('a page with only %s lets you write before and after it', async (_name, line, drawn) => {
  const { session, page } = opened(line);
  page.editor.view.dispatch(page.editor.state.tr.setSelection(NodeSelection.create(page.editor.state.doc, 0)));
  await page.press('{ArrowUp}over{ArrowDown}');
  expect(caretAt(page)[0]).toBe(1);
  await page.press('{ArrowDown}under');
  expect(linesOf(session)).toEqual(['paragraph: over', drawn, 'paragraph: under']);
});

test('a click below a card at the end of a page adds a line', async () => {
  const { session, page } = opened('a', card);
  page.caret(0, 0);
  const { view } = page.editor;
  const { height } = view.dom.getBoundingClientRect();
  await userEvent.click(view.dom, { position: { x: 60, y: height - 8 } });
  await page.press('end');
  expect(linesOf(session)).toEqual(['paragraph: a', 'embed Weft', 'paragraph: end']);
});

test('arrow down leaves code at the end of a page from its last line only', async () => {
  const { session, page } = opened({ kind: 'code', text: 'one\ntwo' });
  page.caret(0, 0);
  await page.press('{ArrowLeft}');
  page.caret(0, -1);
  await page.press('{ArrowRight}');
  page.caret(0, 0);
  await page.press('{ArrowUp}{ArrowDown}');
  expect(session.localUpdates).toEqual([]);
  await page.press('{ArrowDown}under');
  expect(linesOf(session)).toEqual(['code: one\ntwo', 'paragraph: under']);
});

test('a click below code at the end of a page adds a line, a click below text does not', async () => {
  const { session, page } = opened('a', { kind: 'code', text: 'one' });
  const below = async () => {
    const { view } = page.editor;
    await userEvent.click(view.dom, { position: { x: 60, y: view.dom.getBoundingClientRect().height - 8 } });
  };
  await below();
  await page.press('end');
  await below();
  await page.press('.');
  expect(linesOf(session)).toEqual(['paragraph: a', 'code: one', 'paragraph: end.']);
});

test('text typed on a selected card goes after it', async () => {
  const { session, page } = opened('a', card);
  page.caret(0, -1);
  await page.press('{ArrowRight}');
  expect(caretAt(page)).toEqual([1, 'node']);
  await page.press('words');
  expect(linesOf(session)).toEqual(['paragraph: a', 'embed Weft', 'paragraph: words']);
});

test.each([
  ['a card', card, 'embed Weft'],
  ['a formula', math('x'), 'math x'],
  ['a picture', { node: 'image', text: 'caption' }, 'image caption'],
] as const)(
  'Backspace after %s and Delete before it select it first, and then delete it',
  async (_name, line, drawn) => {
    for (const [index, key] of [
      [2, 'Backspace'],
      [0, 'Delete'],
    ] as const) {
      const { session, page } = opened('a', line, 'b');
      page.caret(index, index === 2 ? 0 : -1);
      await page.press(`{${key}}`);
      expect(linesOf(session)).toEqual(['paragraph: a', drawn, 'paragraph: b']);
      expect(caretAt(page)).toEqual([1, 'node']);
      await page.press(`{${key}}`);
      expect(linesOf(session)).toEqual(['paragraph: a', 'paragraph: b']);
      page.close();
    }
  },
);

test('Backspace in an empty formula leaves a line; at the start of a formula with text it joins nothing', async () => {
  const { session, page } = opened('a', math(''), math('x'));
  page.caret(2, 0);
  await page.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: a', 'math', 'math x']);
  page.caret(1, 0);
  await page.press('{Backspace}b');
  expect(linesOf(session)).toEqual(['paragraph: a', 'paragraph: b', 'math x']);
});

test('a URL pasted on an empty line is a link that can become a card, and a card can become a link', async () => {
  const { session, page } = opened('', 'next');
  page.caret(0, 0);
  pasteInto(page, { 'text/plain': 'https://weft.dev/guide' });
  expect(linesOf(session)[0]).toBe('paragraph: <https://weft.dev/guide:https://weft.dev/guide>');
  await page.press('{Control>}{Enter}{/Control}');
  expect(linesOf(session)).toEqual(['embed https://weft.dev/guide', 'paragraph: ', 'paragraph: next']);
  expect(page.editor.view.dom.querySelector('.card-host')?.textContent).toBe('weft.dev');
});

test('once something else is typed, no card is offered any more', async () => {
  const { session, page } = opened('');
  page.caret(0, 0);
  pasteInto(page, { 'text/plain': 'https://weft.dev/guide' });
  await page.press(' now{Control>}{Enter}{/Control}');
  expect(linesOf(session)[0]?.startsWith('paragraph: ')).toBe(true);
});

import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { shiftIndent, turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { goToBlock } from '../../../src/editor/blocks/block-link.ts';
import { BlockSelection } from '../../../src/editor/blocks/block-selection.ts';
import { unfoldAt, visiblePosition } from '../../../src/editor/blocks/folding.ts';
import { foldsOf } from '../../../src/editor/blocks/stored-folds.ts';
import { find, goToNext } from '../../../src/editor/find/find-in-page.ts';
import { goToHeading, headingsOf } from '../../../src/editor/outline/headings.ts';
import { type OpenedPage, linesOf, openPage, textsOf, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

const SEED = pageSeed(
  'before',
  { kind: 'toggle', text: 'packing' },
  { indent: 1, text: 'tent' },
  { kind: 'bullet', indent: 2, text: 'poles' },
  'after',
);

beforeEach(() => foldsOf(pageSession().documentId).set(new Set()));

const chevron = (page: OpenedPage) => {
  const found = page.editor.view.dom.querySelector<HTMLElement>('[data-kind=toggle] > .block-lead');
  if (found === null) throw new Error('no toggle on the page');
  return found;
};
/** The texts of the visible blocks. */
const visibleTexts = (page: OpenedPage) =>
  [...page.editor.view.dom.querySelectorAll<HTMLElement>('.block')]
    .filter((block) => block.offsetHeight > 0)
    .map((block) => block.querySelector('.block-text')?.textContent);
const caretAt = (page: OpenedPage) => {
  const { $head } = page.editor.state.selection;
  return [$head.index(0), $head.parentOffset];
};

test('a click on the chevron folds and unfolds the deeper blocks below it, without a write', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  page.caret(0, 0);
  expect(chevron(page).getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(chevron(page));
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'after']);
  expect(chevron(page).getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(chevron(page));
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'tent', 'poles', 'after']);
  expect(session.localUpdates).toEqual([]);
});

test('the chevron can be focused and pressed with the keyboard; at the caret Mod-Enter does the same', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  chevron(page).focus();
  await userEvent.keyboard('{Enter}');
  expect(chevron(page).getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard(' ');
  expect(chevron(page).getAttribute('aria-expanded')).toBe('true');
  page.caret(1, 2);
  await page.press('{Control>}{Enter}{/Control}');
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'after']);
  expect(session.localUpdates).toEqual([]);
});

test('toggles fold in a read-only page too', async () => {
  const page = openPage(pageSession(SEED), false);
  await userEvent.click(chevron(page));
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'after']);
});

test('folds are stored per page on this device and restored with it', async () => {
  const session = pageSession(SEED);
  const first = openPage(session);
  await userEvent.click(chevron(first));
  first.close();
  expect(JSON.parse(localStorage.getItem(`weft-folds:${session.documentId}`) ?? '')).toEqual(['line-1']);
  expect(visibleTexts(openPage(pageSession(SEED)))).toEqual(['before', 'packing', 'after']);
});

test('a caret inside a body that is folded moves to the toggle', async () => {
  const page = openPage(pageSession(SEED));
  page.caret(3, 2);
  await userEvent.click(chevron(page));
  expect(caretAt(page)).toEqual([1, 'packing'.length]);
});

test('a caret that moves into a folded body unfolds it', async () => {
  const page = openPage(pageSession(SEED));
  page.caret(0, 0);
  await userEvent.click(chevron(page));
  page.caret(3, 0);
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'tent', 'poles', 'after']);
  expect(caretAt(page)).toEqual([3, 0]);
});

test('arrows skip a folded body, in both directions', async () => {
  const page = openPage(pageSession(SEED));
  page.caret(0, 0);
  await userEvent.click(chevron(page));
  page.caret(1, -1);
  await page.press('{ArrowRight}');
  expect(caretAt(page)).toEqual([4, 0]);
  await page.press('{ArrowLeft}');
  expect(caretAt(page)).toEqual([1, 7]);
  await page.press('{ArrowDown}');
  expect(caretAt(page)[0]).toBe(4);
  await page.press('{ArrowUp}');
  expect(caretAt(page)[0]).toBe(1);
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'after']);
});

test('a folded toggle is selected with its body and stays folded; a second Escape returns to the caret', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  const selected = () => {
    const { selection } = page.editor.state;
    return selection instanceof BlockSelection ? [selection.blocks.from, selection.blocks.to] : null;
  };
  await userEvent.click(chevron(page));
  page.caret(1, 3);
  await page.press('{Escape}');
  expect(selected()).toEqual([1, 4]);
  await page.press('{Escape}');
  expect([selected(), caretAt(page)]).toEqual([null, [1, 7]]);
  await page.press('{Escape}{ArrowDown}');
  expect(selected()).toEqual([4, 5]);
  await page.press('{ArrowUp}');
  expect(selected()).toEqual([1, 4]);
  await page.press('{ArrowUp}');
  expect(selected()).toEqual([0, 1]);
  await page.press('{Shift>}{ArrowDown}{/Shift}');
  expect(selected()).toEqual([0, 4]);
  await page.press('{Shift>}{ArrowUp}{/Shift}');
  expect(selected()).toEqual([0, 1]);
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'after']);
  await page.press('{ArrowDown}{Shift>}{ArrowUp}{ArrowDown}{ArrowDown}{/Shift}');
  expect(selected()).toEqual([1, 5]);
  await page.press('{ArrowUp}{Delete}');
  expect(textsOf(session)).toEqual(['before', 'after']);
});

test('Enter at the end of a folded toggle adds a toggle after its body; of an unfolded one, the first line in it', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  page.caret(1, -1);
  await page.press('{Control>}{Enter}{/Control}{Enter}next');
  expect(linesOf(session)).toEqual([
    'paragraph: before',
    'toggle: packing',
    'paragraph>1: tent',
    'bullet>2: poles',
    'toggle: next',
    'paragraph: after',
  ]);
  await page.press('{Enter}inside');
  expect(linesOf(session).slice(4, 6)).toEqual(['toggle: next', 'paragraph>1: inside']);
});

test('text split off a toggle stays in its body, visible', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  page.caret(1, 4);
  await page.press('{Control>}{Enter}{/Control}{Enter}');
  expect(linesOf(session).slice(1, 4)).toEqual(['toggle: pack', 'paragraph>1: ing', 'paragraph>1: tent']);
  expect(visibleTexts(page)).toEqual(['before', 'pack', 'ing', 'tent', 'poles', 'after']);
});

test('Delete and Backspace next to a folded body unfold it before anything is joined', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  page.caret(1, -1);
  await page.press('{Control>}{Enter}{/Control}{Delete}');
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'tent', 'poles', 'after']);
  page.caret(1, -1);
  await page.press('{Control>}{Enter}{/Control}');
  page.caret(4, 0);
  await page.press('{Backspace}');
  expect(visibleTexts(page)).toEqual(['before', 'packing', 'tent', 'poles', 'after']);
  expect(session.localUpdates).toEqual([]);
});

test('a position in a folded body is shown at its toggle, and can be unfolded to lead someone there', async () => {
  const page = openPage(pageSession(SEED));
  page.caret(0, 0);
  const position = page.editor.state.doc.content.size - 'after'.length - 6;
  expect(visiblePosition(page.editor.state, position)).toBe(position);
  await userEvent.click(chevron(page));
  const toggleEnd = 'before'.length + 2 + 1 + 'packing'.length;
  expect(visiblePosition(page.editor.state, position)).toBe(toggleEnd);
  unfoldAt(position)(page.editor.state, page.editor.view.dispatch);
  expect(visibleTexts(page)).toContain('poles');
  await wait(0);
});

// Two people on one page. Folds belong to a device, so here the second person does not fold.

test('others write in a body that I folded, and it stays folded', async () => {
  const { alice, a, b } = twoEditors(SEED);
  a.caret(0, 0);
  await userEvent.click(chevron(a));
  b.editor.view.dispatch(b.editor.state.tr.insertText('!', 'before'.length + 2 + 'packing'.length + 2 + 1));
  expect(textsOf(alice)[2]).toBe('!tent');
  expect(visibleTexts(a)).toEqual(['before', 'packing', 'after']);
  expect(a.shown()).toEqual(b.shown());
});

test('my line, moved by another into a folded body, becomes visible again', async () => {
  const seed = pageSeed({ kind: 'toggle', text: 't' }, { indent: 1, text: 'in' }, 'mine');
  const { alice, a, b } = twoEditors(seed);
  b.caret(2, 0);
  a.caret(2, 2);
  await userEvent.click(chevron(a));
  expect(visibleTexts(a)).toEqual(['t', 'mine']);
  shiftIndent(1)(b.editor.state, b.editor.view.dispatch);
  expect(linesOf(alice)[2]).toBe('paragraph>1: mine');
  expect(visibleTexts(a)).toEqual(['t', 'in', 'mine']);
  expect(caretAt(a)).toEqual([2, 2]);
});

test('if another turns the toggle into text, its folded body becomes visible', async () => {
  const { a, b } = twoEditors(SEED);
  a.caret(0, 0);
  await userEvent.click(chevron(a));
  b.caret(1, 0);
  turnInto({ kind: 'paragraph' })(b.editor.state, b.editor.view.dispatch);
  expect(visibleTexts(a)).toEqual(['before', 'packing', 'tent', 'poles', 'after']);
});

test('a remote caret in a folded body is drawn at the toggle', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  page.caret(0, 0);
  const at = page.editor.state.doc.content.size - 'after'.length - 5;
  page.editor.commands.setTextSelection(at);
  page.editor.view.focus();
  const { cursor } = session.awareness.getLocalState() ?? {};
  page.caret(0, 0);
  session.showCaret(7, 7, cursor);
  await userEvent.click(chevron(page));
  await wait(80);
  const caret = page.layer.querySelector('.caret')?.getBoundingClientRect();
  const toggle = chevron(page).parentElement?.getBoundingClientRect();
  expect(caret).toBeDefined();
  expect((caret?.top ?? 0) >= (toggle?.top ?? 1) - 4 && (caret?.bottom ?? 0) <= (toggle?.bottom ?? 0) + 4).toBe(true);
});

test('finding text in a folded body, or going to a block or heading in it, unfolds it', async () => {
  const seed = pageSeed(
    'before',
    { kind: 'toggle', text: 't' },
    { kind: 'heading', level: 2, indent: 1, text: 'deep words' },
  );
  for (const go of [
    (page: OpenedPage) => {
      find(page.editor, { text: 'deep', isRegex: false, isCaseSensitive: false, isWholeWord: false });
      return goToNext(page.editor, 1);
    },
    (page: OpenedPage) => goToBlock(page.editor, 'line-2'),
    (page: OpenedPage) => headingsOf(page.editor).forEach((heading) => goToHeading(page.editor, heading)),
  ]) {
    foldsOf(pageSession().documentId).set(new Set(['line-1']));
    const page = openPage(pageSession(seed));
    expect(visibleTexts(page)).toEqual(['before', 't']);
    go(page);
    expect(visibleTexts(page)).toEqual(['before', 't', 'deep words']);
    page.close();
  }
});

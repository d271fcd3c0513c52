import { beforeEach, describe, expect, test } from 'vitest';
import { page as browserPage, userEvent } from 'vitest/browser';
import { moveSelected } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { idOfCard } from '../../../src/editor/comments/id-of-card.ts';
import type { Anchor } from '../../../src/protocol/comments.ts';
import { copyFrom, pasteInto } from '../../support/editor/clipboard.ts';
import { commentedPage } from '../../support/editor/commented-page.ts';
import { linesOf, openPage, wait } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

beforeEach(() => browserPage.viewport(1280, 800));

const open = (...lines: readonly PageLine[]) => {
  const session = pageSession(pageSeed(...lines));
  const page = openPage(session);
  return { session, page, ...commentedPage(page) };
};
const frame = () => new Promise<void>((done) => requestAnimationFrame(() => done()));

describe('the marks of threads', () => {
  test('move with what is typed: before, in and right behind the words', async () => {
    const { page, select, comment, marked } = open('the tide comes in');
    select('tide');
    comment('a');
    expect(marked()).toEqual({ a: 'tide' });
    page.caret(0, 0);
    page.type('So ');
    page.caret(0, 'So the '.length);
    page.type('low ');
    page.caret(0, 'So the low ti'.length);
    page.type('--');
    page.caret(0, 'So the low ti--de'.length);
    page.type('s');
    expect(marked()).toEqual({ a: 'ti--de' });
    await wait(300);
    expect(marked()).toEqual({ a: 'ti--de' });
  });

  test('say with a new anchor, and with one that moves, when the history of its document began', async () => {
    const session = pageSession(pageSeed('the tide comes in', 'a much longer line than the first, to be passed'));
    session.historyBeganAt = 1_234;
    const page = openPage(session);
    const { marks, select, comment } = commentedPage(page);
    const moved: Anchor[] = [];
    marks.onMoved((_, anchor) => moved.push(anchor));
    select('tide');
    // The document that an editor has stays the one of that time.
    session.historyBeganAt = 5_678;
    expect(marks.anchorOfSelection()).toMatchObject({ quote: 'tide', history: 1_234 });
    comment('a');
    page.caret(0, 0);
    moveSelected(page.editor, page.context, 1);
    await expect.poll(() => moved).toMatchObject([{ quote: 'tide', history: 1_234 }]);
  });

  test('write nothing to the page', async () => {
    const { session, select, comment, marks } = open('the tide comes in');
    select('tide');
    marks.setActive(comment('a'));
    await wait(300);
    expect(session.localUpdates).toEqual([]);
  });

  test('of two threads that overlap show both, and one stays when the other is resolved', () => {
    const { select, comment, resolve, marked } = open('the tide comes in');
    select('the tide');
    const one = comment('a');
    select('tide comes');
    comment('b');
    expect(marked()).toEqual({ a: 'the tide', b: 'tide comes' });
    resolve(one);
    expect(marked()).toEqual({ b: 'tide comes' });
  });

  test('show words in two blocks, and go with a block that moves, in the same frame', async () => {
    const { page, session, select, comment, marked } = open('the tide', 'comes in', 'at noon');
    select('tide|comes');
    comment('a');
    expect(marked()).toEqual({ a: 'tidecomes' });
    select('noon');
    comment('b');
    page.caret(2, 1);
    moveSelected(page.editor, page.context, -1);
    moveSelected(page.editor, page.context, -1);
    expect(linesOf(session)[0]).toBe('paragraph: at noon');
    await frame();
    expect(marked()).toEqual({ a: 'tidecomes', b: 'noon' });
  });

  test('leave a mark where deleted words were, and are back with undo', async () => {
    const { page, select, comment, marked, marks } = open('the tide comes in');
    select('tide');
    const thread = comment('a');
    page.editor.commands.deleteSelection();
    await frame();
    expect(marked()).toEqual({ a: '[gone]' });
    expect(marks.places().get(thread)).toMatchObject({ isGone: true, order: 0 });
    await page.press('{Control>}z{/Control}');
    await expect.poll(marked).toEqual({ a: 'tide' });
    expect(marks.places().get(thread)).toMatchObject({ isGone: false });
  });

  test('stay while someone else writes, also when a block before them is replaced', async () => {
    const { page, session, select, comment, marked } = open('one', 'the tide', 'three');
    select('tide');
    comment('a');
    const other = pageSession(pageSeed('one', 'the tide', 'three'));
    connect(session, other);
    const mate = openPage(other);
    mate.caret(1, 4);
    mate.type('low ');
    mate.caret(2, 0);
    mate.type('x');
    mate.caret(0, 0);
    mate.editor.commands.deleteSelection();
    mate.type('x');
    await frame();
    expect(linesOf(session)).toEqual(['paragraph: xone', 'paragraph: the low tide', 'paragraph: xthree']);
    expect(marked()).toEqual({ a: 'tide' });
    expect(page.detachCount()).toBe(0);
  });

  test('show an empty line, a table and a divider as a whole', () => {
    const { page, add, marked, marks } = open('', { node: 'divider' }, 'words');
    page.caret(0, 0);
    const anchor = marks.anchorOfSelection();
    expect(anchor).toEqual({ kind: 'block', block: 'line-0', quote: '' });
    add('empty', { kind: 'block', block: 'line-0', quote: '' });
    add('divider', { kind: 'block', block: 'line-1', quote: '' });
    add('page', { kind: 'page' });
    expect(marked()).toEqual({ empty: '[block]', divider: '[block]' });
  });

  test('tell the active thread and the draft from the others', () => {
    const { select, comment, element, marked, marks } = open('the tide comes in');
    select('tide');
    const thread = comment('a');
    select('comes');
    marks.setDraft(marks.anchorOfSelection());
    marks.setActive(thread);
    expect(marked()).toEqual({ a: 'tide', draft: 'comes' });
    expect(element('a').dataset).toHaveProperty('active');
    marks.setActive(null);
    marks.setDraft(null);
    expect(element('a').dataset).not.toHaveProperty('active');
    expect(marked()).toEqual({ a: 'tide' });
  });

  test('refer to the card only while it is on the screen', () => {
    const { select, comment, element, marks } = open('the tide comes in');
    select('tide');
    const anchor = marks.anchorOfSelection();
    const thread = comment('a');
    expect(element('a').getAttribute('aria-details')).toBeNull();
    const card = document.body.appendChild(document.createElement('aside'));
    card.id = idOfCard(thread);
    if (anchor !== null) marks.show([{ id: thread, anchor }]);
    expect(element('a').getAttribute('aria-details')).toBe(card.id);
    card.remove();
    if (anchor !== null) marks.show([{ id: thread, anchor }]);
    expect(element('a').getAttribute('aria-details')).toBeNull();
  });

  test('are drawn on a long page that appears in slices', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n} of many`);
    const { page, add, marked } = open(...lines);
    const anchor = { kind: 'block', block: 'line-2999', quote: '' } as const;
    add('last', anchor);
    await page.drawn();
    await expect.poll(marked).toEqual({ last: '[block] line 2999 of many' });
  });
});

test('a copy has the words and nothing of their thread, whether pasted here or on another page', async () => {
  const { page, select, comment, marks } = open('the tide comes in', 'second: ');
  select('tide comes');
  const thread = comment('a');
  marks.setActive(thread);
  select('the tide comes in');
  const copied = copyFrom(page);
  expect(copied.text).toBe('the tide comes in');
  expect(copied.html).toContain('the tide comes in');
  expect(copied.html).not.toMatch(new RegExp(`${thread}|thread|comment|aria-|<mark|line-0`));
  page.caret(1, -1);
  pasteInto(page, { 'text/html': copied.html, 'text/plain': copied.text });
  const other = openPage(pageSession(pageSeed('')));
  pasteInto(other, { 'text/html': copied.html, 'text/plain': copied.text });
  await wait(300);
  expect(page.editor.view.dom.querySelectorAll('[data-thread]')).toHaveLength(1);
  expect(other.editor.view.dom.textContent).toContain('the tide comes in');
  expect(other.editor.view.dom.querySelector('[data-thread]')).toBeNull();
});

test('words that are cut and pasted are reported once, with their new anchor, by the person who moved them', async () => {
  const { page, session, select, comment, marked, marks } = open('the tide comes in, then goes', 'second: ');
  const mate = pageSession(pageSeed('the tide comes in, then goes', 'second: '));
  connect(session, mate);
  const theirs = commentedPage(openPage(mate));
  const [reported, others]: [string[], unknown[]] = [[], []];
  select('tide comes in');
  const known = marks.anchorOfSelection();
  const thread = comment('a');
  if (known !== null) theirs.add('a', known);
  marks.onMoved((id, anchor, before) => {
    expect([id, before]).toEqual([thread, known]);
    reported.push(anchor.kind === 'text' ? `${anchor.block}: ${anchor.quote}` : anchor.kind);
  });
  theirs.marks.onMoved((id) => others.push(id));
  page.editor.commands.deleteSelection();
  await expect.poll(marked).toEqual({ a: '[gone]' });
  page.caret(1, -1);
  page.editor.view.dispatch(page.editor.state.tr.insertText('tide comes in'));
  await expect.poll(marked).toEqual({ a: 'tide comes in' });
  await expect.poll(() => reported).toEqual(['line-1: tide comes in']);
  await expect.poll(theirs.marked).toEqual({ a: 'tide comes in' });
  expect(others).toEqual([]);
});

describe('places', () => {
  test('are in the order of the text, in px from the top of the column', () => {
    const { add, select, comment, marks } = open('one', 'two', 'three');
    select('three');
    const third = comment('c');
    select('one');
    const first = comment('a');
    const ofPage = add('page', { kind: 'page' });
    const lost = add('lost', { kind: 'block', block: 'nowhere', quote: 'x' });
    const places = marks.places();
    expect([...places.keys()]).toEqual([ofPage, first, third, lost]);
    expect(places.get(ofPage)).toEqual({ top: 0, order: 0, isGone: false });
    expect(places.get(lost)).toEqual({ top: null, order: 3, isGone: true });
    const [top = 0, later = 0] = [places.get(first)?.top ?? undefined, places.get(third)?.top ?? undefined];
    expect(top).toBeGreaterThanOrEqual(0);
    expect(later - top).toBeGreaterThan(40);
  });

  test('are reported when a line more moves what is below', async () => {
    const { page, select, comment, marks } = open('one', 'two');
    select('two');
    const thread = comment('a');
    const before = marks.places().get(thread)?.top ?? 0;
    await frame();
    await frame();
    const tops: number[] = [];
    marks.subscribe(() => tops.push(marks.places().get(thread)?.top ?? 0));
    page.caret(0, -1);
    await page.press('{Shift>}{Enter}{/Shift}x');
    await expect.poll(() => tops.at(-1) ?? 0).toBeGreaterThan(before + 10);
  });

  test('reveal scrolls to words out of sight and leaves the caret; focus puts it there', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}.`);
    const { page, select, comment, marks, element } = open(...lines);
    select('line 90.');
    const thread = comment('a');
    page.caret(0, 0);
    window.scrollTo(0, 0);
    expect(marks.reveal(thread)).toBe(true);
    expect(element('a').getBoundingClientRect().bottom).toBeLessThan(800);
    expect(page.editor.state.selection.from).toBe(1);
    expect(marks.focus(thread)).toBe(true);
    await page.press('x');
    expect(linesOf({ doc: page.doc })[90]).toBe('paragraph: xline 90.');
  });

  test('reveal does not scroll to a block that can be seen', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}.`);
    const { add, marks, element } = open(...lines.slice(0, 50), { node: 'divider' }, ...lines.slice(50));
    const thread = add('divider', { kind: 'block', block: 'line-50', quote: '' });
    expect(marks.reveal(thread)).toBe(true);
    // Its card then stands below a banner and the head of the lane.
    expect(element('divider').getBoundingClientRect().top).toBeCloseTo(160, -1);
    window.scrollBy(0, -100);
    const shown = window.scrollY;
    marks.reveal(thread);
    expect(window.scrollY).toBe(shown);
  });

  test('know the thread of the words with the caret, unless words are selected', () => {
    const { page, select, comment, marks } = open('the tide comes in');
    select('tide');
    const thread = comment('a');
    expect(marks.threadAtCaret()).toBeNull();
    page.caret(0, 6);
    page.editor.view.focus();
    expect(marks.threadAtCaret()).toBe(thread);
    page.caret(0, 1);
    expect(marks.threadAtCaret()).toBeNull();
  });

  test('focus puts the caret into what a new thread is about; about the page, the caret stays', async () => {
    const { page, select, marks } = open('the tide', 'comes in');
    select('comes');
    marks.setDraft(marks.anchorOfSelection());
    page.caret(0, 0);
    page.editor.view.dom.blur();
    marks.focus('draft');
    await page.press('x');
    expect(linesOf({ doc: page.doc })).toEqual(['paragraph: the tide', 'paragraph: xcomes in']);
    marks.setDraft({ kind: 'page' });
    page.editor.view.dom.blur();
    marks.focus('draft');
    await page.press('y');
    expect(linesOf({ doc: page.doc })).toEqual(['paragraph: the tide', 'paragraph: xycomes in']);
  });
});

describe('the thread at the caret', () => {
  const watched = (...lines: readonly PageLine[]) => {
    const page = open(...lines);
    const activated: (string | null)[] = [];
    const names = new Map<string, string>();
    page.marks.onActivate((thread) => activated.push(thread === null ? null : (names.get(thread) ?? thread)));
    const comment = (name: string) => {
      const id = page.comment(name);
      names.set(id, name);
      return id;
    };
    return { ...page, comment, activated };
  };

  test('is reported when the caret moves into its words and when it leaves them', async () => {
    const { page, select, comment, activated } = watched('the tide comes in');
    select('tide');
    comment('a');
    page.caret(0, 2);
    await page.press('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(activated).toEqual(['a']);
    await page.press('{End}');
    await expect.poll(() => activated).toEqual(['a', null]);
  });

  test('is reported at each click, the shortest of several', async () => {
    const { select, comment, element, activated } = watched('the tide comes in', 'more');
    select('the tide comes in');
    comment('long');
    select('tide');
    comment('short');
    activated.length = 0;
    await userEvent.click(element('short'));
    expect(activated.at(-1)).toBe('short');
    activated.length = 0;
    await userEvent.click(element('short'));
    expect(activated).toEqual(['short']);
    await userEvent.click(browserPage.getByText('more'));
    expect(activated.at(-1)).toBeNull();
  });

  test('is not reported when a command puts the caret there, or for selected words', async () => {
    const { page, select, comment, marks, activated } = watched('the tide comes in');
    select('tide');
    const thread = comment('a');
    page.caret(0, 0);
    activated.length = 0;
    marks.focus(thread);
    select('the tide');
    expect(activated).toEqual([]);
  });

  test('Alt-Down and Alt-Up go from one to the next and around', async () => {
    const { page, select, comment, marks, activated } = watched('one', 'two', 'three');
    marks.onActivate((thread) => marks.setActive(thread));
    select('one');
    comment('a');
    select('three');
    comment('c');
    page.caret(1, 1);
    activated.length = 0;
    await page.press('{Alt>}{ArrowDown}{ArrowDown}{ArrowUp}{/Alt}');
    expect(activated).toEqual(['c', 'a', 'c']);
    expect(page.editor.state.selection.$head.parent.textContent).toBe('three');
  });
});

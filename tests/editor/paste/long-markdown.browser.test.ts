// Long Markdown is read in a worker and inserted a moment later, at the place where it was pasted.
import { expect, test } from 'vitest';
import { pasteInto } from '../../support/editor/clipboard.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const ITEMS = Array.from({ length: 400 }, (_, at) => `- item **${at}**`).join('\n');
const isItem = (line: string) => line.startsWith('bullet: ');

test('it becomes blocks, with HTML in them read as usual', async () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { 'text/plain': `${ITEMS}\n\n<details><summary>More</summary><p>inside</p></details>` });
  await expect.poll(() => linesOf(session).length).toBe(402);
  expect([0, 399, 400, 401].map((at) => linesOf(session)[at])).toEqual([
    'bullet: item <bold:0>',
    'bullet: item <bold:399>',
    'toggle: More',
    'paragraph>1: inside',
  ]);
});

test('what is typed meanwhile comes after it, the caret too, and one undo takes the paste back', async () => {
  const session = pageSession(pageSeed('before '));
  const page = openPage(session);
  page.caret(0, -1);
  pasteInto(page, { 'text/plain': ITEMS });
  page.type('typed');
  expect(linesOf(session)).toEqual(['paragraph: before typed']);
  await expect.poll(() => linesOf(session).length).toBeGreaterThan(2);
  expect(linesOf(session).filter(isItem)).toHaveLength(400);
  expect(linesOf(session)[0]).toBe('paragraph: before ');
  expect(linesOf(session).at(-1)).toContain('typed');
  page.type('!');
  expect(linesOf(session).at(-1)).toMatch(/typed!$/);
  page.undo.undo();
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: before typed']);
});

test('it goes to its place when others write above and the caret moves on', async () => {
  const seed = pageSeed('one', 'two', 'three');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.caret(1, -1);
  pasteInto(a, { 'text/plain': ITEMS });
  b.caret(0, 0);
  b.type('zero ');
  a.caret(2, -1);
  a.type('!');
  await expect.poll(() => linesOf(alice).length).toBeGreaterThan(3);
  expect(linesOf(alice).slice(0, 3)).toEqual(['paragraph: zero one', 'paragraph: two', 'bullet: item <bold:0>']);
  expect(linesOf(alice).at(-1)).toBe('paragraph: three!');
  a.type('?');
  expect(linesOf(alice).at(-1)).toBe('paragraph: three!?');
  expect(linesOf(bob)).toEqual(linesOf(alice));
});

test('it replaces the selection, and nothing arrives after the page was closed', async () => {
  const session = pageSession(pageSeed('old words', 'next'));
  const page = openPage(session);
  page.editor.commands.setTextSelection({ from: 1, to: 10 });
  pasteInto(page, { 'text/plain': ITEMS });
  await expect.poll(() => linesOf(session).filter(isItem).length).toBe(400);
  expect(linesOf(session).join()).not.toContain('old words');
  const count = linesOf(session).length;
  pasteInto(page, { 'text/plain': `${ITEMS}\n- last` });
  page.close();
  await new Promise((done) => requestAnimationFrame(done));
  expect(linesOf(session)).toHaveLength(count);
});

// A full page (WF007): growth is refused before it reaches the document, and deleting stays possible.
import { expect, test } from 'vitest';
import { pasteInto } from '../support/editor/clipboard.ts';
import { linesOf, openPage } from '../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../support/editor/page-seed.ts';
import { connect, pageSession } from '../support/editor/page-session.ts';

function fullPage(...lines: readonly PageLine[]) {
  const session = pageSession(pageSeed(...lines));
  session.roomBytes = 0;
  return { session, page: openPage(session) };
}

test('keys and Enter change nothing, in the document or on the screen', async () => {
  const { session, page } = fullPage('ab');
  page.caret(0, 1);
  await page.press('x{Enter}y');
  expect([linesOf(session), session.localUpdates.length, page.editor.view.dom.textContent]).toEqual([
    ['paragraph: ab'],
    0,
    'ab',
  ]);
});

test('deleting works, by keys, by words and of everything, and so does undoing it', async () => {
  const { session, page } = fullPage('one two', 'three');
  page.caret(0, -1);
  await page.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: one tw', 'paragraph: three']);
  page.editor.commands.selectAll();
  await page.press('{Delete}');
  expect(linesOf(session)).toEqual(['paragraph: ']);
  page.undo.undo();
  expect(linesOf(session).join()).toContain('three');
});

test('a selection can be replaced by text that is not longer', async () => {
  const { session, page } = fullPage('one two');
  page.editor.commands.setTextSelection({ from: 1, to: 4 });
  await page.press('x');
  expect(linesOf(session)).toEqual(['paragraph: x two']);
});

test('formatting can be removed but not added; a task can be ticked', () => {
  const { session, page } = fullPage({ text: 'bold', marks: { bold: {} } }, 'plain', { kind: 'task', text: 'do' });
  page.editor.commands.setTextSelection({ from: 1, to: 5 });
  page.editor.commands.unsetMark('bold');
  page.editor.commands.setTextSelection({ from: 7, to: 12 });
  page.editor.commands.setMark('bold');
  page.editor.view.dom.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
  expect(linesOf(session)).toEqual(['paragraph: bold', 'paragraph: plain', 'taskx: do']);
});

test('a paste that does not fit is refused as a whole, before any of it is inserted', () => {
  const session = pageSession(pageSeed('ab'));
  const page = openPage(session);
  session.roomBytes = 300_000;
  page.caret(0, 1);
  pasteInto(page, { 'text/plain': 'word '.repeat(100_000) });
  expect([linesOf(session), session.localUpdates.length]).toEqual([['paragraph: ab'], 0]);
  expect(session.requestedBytes).toBe(500_000);
  pasteInto(page, { 'text/plain': Array.from({ length: 5_000 }, () => 'line').join('\n') });
  expect([linesOf(session), session.localUpdates.length]).toEqual([['paragraph: ab'], 0]);
  pasteInto(page, { 'text/html': '<p>c</p><p>d</p>' });
  expect(linesOf(session)).toEqual(['paragraph: ac', 'paragraph: db']);
});

test('a paste that fits is inserted completely, in one transaction', () => {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  session.roomBytes = 1_000_000;
  pasteInto(page, { 'text/plain': 'word '.repeat(150_000) });
  expect(session.localUpdates.length).toBe(1);
  expect(page.editor.state.doc.textContent.length).toBe(750_000);
});

test('remote edits are applied', () => {
  const { session, page } = fullPage('ab');
  const other = pageSession(pageSeed('ab'));
  connect(session, other);
  const otherPage = openPage(other);
  otherPage.caret(0, -1);
  otherPage.type('cd');
  expect([linesOf(session), page.editor.state.doc.textContent]).toEqual([['paragraph: abcd'], 'abcd']);
});

test.each([
  ['short lines', Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n'), 'text/plain'],
  [
    'formatted words',
    Array.from({ length: 6_000 }, (_, n) => `<p>a <b>${n}</b> <a href="https://weft.dev/${n}">c</a></p>`).join(''),
    'text/html',
  ],
])('%s add no more bytes than were requested, and not much less', (_name, text, type) => {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { [type]: text, ...(type === 'text/html' ? { 'text/plain': 'x' } : {}) });
  const written = session.localUpdates.reduce((sum, update) => sum + update.length, 0);
  expect(session.requestedBytes).toBeGreaterThan(written);
  expect(session.requestedBytes).toBeLessThan(written * 1.5);
});

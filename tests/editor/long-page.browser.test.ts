// A page with more blocks than the browser should draw at once: only the visible part has a layout, without a visible
// difference.
import { beforeAll, expect, test } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import { openPage, textsOf } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';

beforeAll(() => browserPage.viewport(1280, 800));

const WORDS = 'a shuttle carries the thread through the open shed, and comes back to where it was before. '.repeat(3);
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at} ${WORDS}`);

const visibilities = (root: Element) =>
  new Set(Array.from(root.children, (block) => getComputedStyle(block).contentVisibility));

test('a page of a thousand blocks is drawn completely, of a longer one only the visible part', async () => {
  const session = pageSession(pageSeed(...lines(1000)));
  const page = openPage(session);
  await page.drawn();
  expect(visibilities(page.editor.view.dom)).toEqual(new Set(['visible']));
  page.caret(999, -1);
  page.editor.commands.splitBlock();
  page.editor.view.dispatch(page.editor.state.tr.insert(0, page.editor.state.schema.node('block')));
  expect(textsOf(session)).toHaveLength(page.editor.state.doc.childCount);
  expect(visibilities(page.editor.view.dom)).toEqual(new Set(['auto']));
});

test('when writing in the middle of it, the caret is visible, at its characters, and stays there', async () => {
  const session = pageSession(pageSeed(...lines(1500)));
  const page = openPage(session);
  await page.drawn();
  const { view } = page.editor;
  page.caret(750, -1);
  view.focus();
  view.dispatch(view.state.tr.scrollIntoView());
  const caretTop = () => view.coordsAtPos(view.state.selection.head).top;
  await expect.poll(() => caretTop() > 0 && caretTop() < 800).toBe(true);
  await new Promise((done) => setTimeout(done, 300));
  const before = caretTop();
  page.type('and so on');
  expect(textsOf(session)[750]).toMatch(/before\. and so on$/);
  await new Promise((done) => setTimeout(done, 100));
  expect(Math.abs(caretTop() - before)).toBeLessThan(30);
  const block = view.dom.children[750];
  const box = block?.getBoundingClientRect();
  expect(caretTop()).toBeGreaterThan((box?.top ?? 0) - 1);
  expect(caretTop()).toBeLessThan(box?.bottom ?? 0);
});

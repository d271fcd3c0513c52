import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

const HREF = 'https://weft.dev/x';
const seed = () =>
  pageSeed({ text: 'link', marks: { link: { href: HREF } } }, { node: 'embed', url: HREF, title: 'Card' }, 'words');

/** The addresses that are opened in new tabs, and whether the browser was about to leave this page. */
function watchOpening() {
  const opened: string[] = [];
  let isLeaving = false;
  const { open } = window;
  const onClick = (event: MouseEvent) => {
    isLeaving ||= !event.defaultPrevented;
    event.preventDefault();
  };
  window.open = (address) => {
    opened.push(String(address));
    return null;
  };
  document.addEventListener('click', onClick);
  onTestFinished(() => {
    window.open = open;
    document.removeEventListener('click', onClick);
  });
  return { opened, isLeaving: () => isLeaving };
}

test.each(['.block-text a', '.block-card'])('one press with Ctrl opens %s, a press without it edits', async (name) => {
  const { editor } = openPage(pageSession(seed()));
  const { opened } = watchOpening();
  const link = editor.view.dom.querySelector(name) ?? document.body;
  await userEvent.click(link);
  expect(opened).toEqual([]);
  editor.commands.blur();
  await userEvent.click(link, { modifiers: ['Control'] });
  expect(opened).toEqual([HREF]);
  await userEvent.click(link, { modifiers: ['Control'] });
  expect(opened).toEqual([HREF, HREF]);
});

test.each(['.block-text a', '.block-card'])('in a read-only page a press opens %s once, in a new tab', async (name) => {
  const { editor } = openPage(pageSession(seed()), false);
  const { opened, isLeaving } = watchOpening();
  await userEvent.click(editor.view.dom.querySelector(name) ?? document.body);
  expect([opened, isLeaving()]).toEqual([[HREF], false]);
});

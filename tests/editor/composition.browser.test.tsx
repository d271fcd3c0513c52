// Safari on macOS sends the Enter that commits a composition after `compositionend`, with the key code 229 and without
// `isComposing`. It must not act anywhere.
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { LanguageMenu } from '../../src/editor/code/language-menu.tsx';
import { PageEditor } from '../../src/editor/page-editor.tsx';
import { linesOf, openPage, wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import '../../src/ui/controls/controls.css';
import '../../src/ui/floating/floating.css';

beforeEach(() => screen.viewport(1280, 800));

/** Sends the Enter of an input method to what has the focus. Returns whether something took it as a key of its own. */
function commitByEnter(): boolean {
  const key = { key: 'Enter', code: 'Enter', keyCode: 229, bubbles: true, cancelable: true };
  return document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key)) === false;
}

function render(element: React.ReactElement): void {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  react.render(element);
}

test('the Enter that commits a composition does not leave the title or go to the next match', async () => {
  const session = pageSession(pageSeed('tide', 'tide'));
  render(<PageEditor session={session} people={new Map()} editable />);
  const title = screen.getByRole('textbox', { name: 'Page title' });
  await userEvent.click(title);
  expect(commitByEnter()).toBe(false);
  await expect.element(title).toHaveFocus();

  await userEvent.click(screen.getByText('tide').first());
  await userEvent.keyboard('{Control>}f{/Control}');
  await userEvent.keyboard('tide');
  const place = () => document.querySelector('.find-count')?.textContent;
  await expect.poll(place).toMatch(/ of 2$/);
  const before = place();
  expect(commitByEnter()).toBe(false);
  await wait(50);
  expect(place()).toBe(before);
});

test('… nor choose a language', async () => {
  let chosen = 0;
  render(<LanguageMenu anchor={document.body} onChoose={() => (chosen += 1)} onClose={() => {}} />);
  await userEvent.click(screen.getByRole('combobox', { name: 'Search languages' }));
  await userEvent.keyboard('rust');
  expect(commitByEnter()).toBe(false);
  expect(chosen).toBe(0);
});

test('… nor choose in the menu of the slash', async () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  await page.press('/quo');
  expect(page.menu.get()?.entries[0]?.name).toBe('Quote');
  commitByEnter();
  expect(linesOf(session)[0]).toBe('paragraph: /quo');
});

// The help sheet is complete and correct: it lists every shortcut of ours, and each one works.
import { getExtensionField } from '@tiptap/core';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { FindBar } from '../../src/editor/find/find-bar.tsx';
import { type KeyScope, SHORTCUTS, TYPED_ANYWHERE, TYPED_AT_START } from '../../src/editor/shortcuts.ts';
import { INSERTABLES } from '../../src/editor/typed-menu/insertables.ts';
import { type OpenedPage, linesOf, openPage, wait } from '../support/editor/opened-page.ts';
import { pageSession } from '../support/editor/page-session.ts';

/** Keys that work in every text field and need no help. */
const PLAIN = new Set([
  'Enter',
  'Backspace',
  'Mod-Backspace',
  'Delete',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
]);

/** One name per combination: `Shift-Mod-z` and `Mod-Shift-Z` are the same keys. */
function named(keys: string): string {
  const [, modifiers = '', last = ''] = /^((?:\w+-)*)(.+)$/.exec(keys) ?? [];
  return [
    ...modifiers
      .split('-')
      .filter((part) => part !== '')
      .sort(),
    last.length === 1 ? last.toLowerCase() : last,
  ].join('-');
}

function keysOfEditor({ editor }: OpenedPage): ReadonlySet<string> {
  const all = editor.extensionManager.extensions.flatMap((extension) => {
    const { name, options, storage } = extension;
    const shortcuts = getExtensionField<(() => object) | undefined>(extension, 'addKeyboardShortcuts', {
      name,
      options,
      storage,
      editor,
    });
    return shortcuts === undefined ? [] : Object.keys(shortcuts());
  });
  return new Set(all.map(named));
}

const listedAt = (scope: KeyScope): readonly string[] =>
  SHORTCUTS.filter((group) => group.scope === scope).flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys));

test('each key of the editor is in the help, and each key in the help is one of the editor’s', () => {
  const known = keysOfEditor(openPage(pageSession()));
  const listed = new Set(listedAt('page').map(named));
  expect([...listed].filter((key) => !known.has(key))).toEqual([]);
  expect([...known].filter((key) => !listed.has(key) && !PLAIN.has(key))).toEqual([]);
});

test('no two lines of one group have the same keys or the same description', () => {
  for (const { title, shortcuts } of SHORTCUTS) {
    const [keys, words] = [shortcuts.flatMap((one) => one.keys), shortcuts.map(({ description }) => description)];
    expect([title, new Set(keys).size, new Set(words).size]).toEqual([title, keys.length, words.length]);
  }
});

/** Presses a key at an element; returns whether it was handled. */
function isHandled(target: Element, keys: string): boolean {
  const [, modifiers = '', key = ''] = /^((?:\w+-)*)(.+)$/.exec(keys) ?? [];
  return !target.dispatchEvent(
    new KeyboardEvent('keydown', {
      key,
      code: key.length === 1 ? `Key${key.toUpperCase()}` : key,
      altKey: modifiers.includes('Alt-'),
      shiftKey: modifiers.includes('Shift-'),
      bubbles: true,
      cancelable: true,
    }),
  );
}

test('the find bar handles each key that the help lists for it, and no letter', async () => {
  const page = openPage(pageSession());
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => root.unmount());
  flushSync(() => root.render(<FindBar editor={page.editor} undo={page.undo} uiCommands={page.uiCommands} editable />));
  const isHandledInBar = async (keys: string): Promise<boolean> => {
    page.uiCommands.dispatchEvent(new Event('find'));
    await wait(0);
    const field = document.querySelector('[aria-label="Find"]');
    return field !== null && isHandled(field, keys);
  };
  await wait(0);
  for (const keys of listedAt('find')) expect([keys, await isHandledInBar(keys)]).toEqual([keys, true]);
  expect(await isHandledInBar('Alt-q')).toBe(false);
});

test.each(listedAt('list'))('the menu of a typed sign handles %s', async (keys) => {
  const page = openPage(pageSession());
  page.caret(0, 0);
  await page.press('/');
  expect(page.menu.get()).not.toBeNull();
  expect(isHandled(page.editor.view.dom, keys)).toBe(true);
});

test('the help and the slash menu list the same typed shortcuts', () => {
  const inserting = INSERTABLES.flatMap(({ shortcut: typed, name }) =>
    typed === '' ? [] : [{ typed, description: name }],
  );
  expect([...TYPED_AT_START].sort(byTyped)).toEqual(inserting.sort(byTyped));
});

const byTyped = (a: { typed: string }, b: { typed: string }) => (a.typed < b.typed ? -1 : 1);

test.each(TYPED_ANYWHERE.filter(({ typed }) => typed.includes('words')))(
  '$typed makes $description',
  async ({ typed, description }) => {
    const session = pageSession();
    const page = openPage(session);
    page.caret(0, 0);
    await page.press(typed.replaceAll('[', '[[').replace('address', 'weft.dev'));
    const mark = { Link: 'https://weft.dev', Strikethrough: 'strike' }[description] ?? description.toLowerCase();
    expect(linesOf(session)).toEqual([`paragraph: <${mark}:words>`]);
  },
);

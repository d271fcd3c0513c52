// Pages whose editor lacks something of the product's, or has more. What is left out is left out here, of the list of
// extensions that the product makes: it has no switch for it.
import { Editor, type Extensions } from '@tiptap/core';
import { expect, vi } from 'vitest';
import { type OpenedPage, openPage } from './opened-page.ts';
import type { PageSession } from './page-session.ts';

export type Stage = (session: PageSession, editable?: boolean) => OpenedPage;

/** The product's editor. */
export const asBuilt: Stage = (session, editable) => openPage(session, editable);

/** The product's editor with what `change` makes of its extensions. */
export const withExtensions =
  (change: (extensions: Extensions) => Extensions): Stage =>
  (session, editable) => {
    const setOptions = vi.spyOn(Editor.prototype, 'setOptions');
    setOptions.mockImplementationOnce(function (this: Editor, options = {}) {
      setOptions.mockRestore();
      this.setOptions({ ...options, extensions: change(options.extensions ?? []) });
    });
    return openPage(session, editable);
  };

/** Without some of them. A name that none has any more would prove nothing. */
export const without = (...names: readonly string[]): Stage => withExtensions((all) => leaveOut(all, names));

export function leaveOut(extensions: Extensions, names: readonly string[]): Extensions {
  const left = extensions.filter(({ name }) => !names.includes(name));
  expect(extensions.length - left.length).toBe(names.length);
  return left;
}

// Opens pages with a changed editor: without one of our extensions, or with another one. The product has no switch for
// that, so the list of extensions is changed here.
import { Editor, type Extensions } from '@tiptap/core';
import { expect, vi } from 'vitest';
import { type OpenedPage, openPage } from './opened-page.ts';
import type { PageSession } from './page-session.ts';

export type OpenEditor = (session: PageSession, editable?: boolean) => OpenedPage;

/** The product's editor. */
export const productEditor: OpenEditor = (session, editable) => openPage(session, editable);

/** The product's editor with changed extensions. */
export const withExtensions =
  (change: (extensions: Extensions) => Extensions): OpenEditor =>
  (session, editable) => {
    const setOptions = vi.spyOn(Editor.prototype, 'setOptions');
    setOptions.mockImplementationOnce(function (this: Editor, options = {}) {
      setOptions.mockRestore();
      this.setOptions({ ...options, extensions: change(options.extensions ?? []) });
    });
    return openPage(session, editable);
  };

/** The product's editor without some extensions. Fails if one of the names does not exist any more. */
export const without = (...names: readonly string[]): OpenEditor => withExtensions((all) => leaveOut(all, names));

export function leaveOut(extensions: Extensions, names: readonly string[]): Extensions {
  const left = extensions.filter(({ name }) => !names.includes(name));
  expect(extensions.length - left.length).toBe(names.length);
  return left;
}

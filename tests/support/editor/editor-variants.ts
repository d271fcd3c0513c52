// Opens pages with a changed editor: without some of our extensions, or with others. The app has no option for that, so this
// module changes the list while the editor is created.
import { Editor, type Extensions } from '@tiptap/core';
import { expect, vi } from 'vitest';
import { type OpenedPage, openPage } from './opened-page.ts';
import type { PageSession } from './page-session.ts';

export type OpenEditor = (session: PageSession, editable?: boolean) => OpenedPage;

/** The editor of the app. */
export const productEditor: OpenEditor = (session, editable) => openPage(session, editable);

/** The editor of the app with changed extensions. */
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

/** The editor of the app without some extensions. Fails if a name no longer exists. */
export const without = (...names: readonly string[]): OpenEditor => withExtensions((all) => leaveOut(all, names));

/** The extensions without those of these names. Fails if a name no longer exists. */
export function leaveOut(extensions: Extensions, names: readonly string[]): Extensions {
  const left = extensions.filter(({ name }) => !names.includes(name));
  expect(extensions.length - left.length).toBe(names.length);
  return left;
}

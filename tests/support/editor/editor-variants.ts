// Opens pages with a changed editor: without some of our extensions, or with others. The app has no option for that, so this
// module changes the list while the editor is created.
import { Editor, Extension, type Extensions } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { ySyncPlugin, ySyncPluginKey } from '@tiptap/y-tiptap';
import { expect, vi } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import { pageBindingKey } from '../../../src/editor/binding/binding-of.ts';
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

/** The editor of the app with the usual binding, Tiptap's, in the place of ours. */
export const withTiptapBinding = (change: (extensions: Extensions) => Extensions = (all) => all): OpenEditor => {
  return (session, editable) => {
    const binding = Extension.create({
      name: 'tiptapBinding',
      priority: 1000,
      addProseMirrorPlugins: () => [
        ySyncPlugin(bodyOf(session.doc)),
        // The other extensions ask for the mark of our binding.
        new Plugin({
          filterTransaction(transaction) {
            if (transaction.getMeta(ySyncPluginKey) !== undefined) transaction.setMeta(pageBindingKey, true);
            return true;
          },
        }),
      ],
    });
    return withExtensions((all) => change([...leaveOut(all, ['pageBinding']), binding]))(session, editable);
  };
};

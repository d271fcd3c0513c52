// Creates pages from the text, each with a link to it at the caret. The app creates the pages; this file only knows their
// addresses. What happens to a link afterwards is in `new-page-links.ts`.
import type { Editor } from '@tiptap/core';
import type * as Y from 'yjs';
import { UNTITLED } from '../../texts/content-texts.ts';
import type { MentionNames } from './mention-names.ts';
import { followLink, nameLinks } from './new-page-links.ts';
import { replaceTyped } from './replace-typed.ts';

/** Inserts a link to a new page in place of a range. `isOpened`: goes there once the page is created. */
type InsertNewPage = (range: { readonly from: number; readonly to: number }, title: string, isOpened: boolean) => void;

const inserters = new WeakMap<Editor, () => InsertNewPage | null>();
/** Null where no pages can be created. */
export const newPageInserterOf = (editor: Editor): InsertNewPage | null => inserters.get(editor)?.() ?? null;

/** The words of this tab's links to pages without a title. They outlive the editor: such a page is opened in its place. */
const untitled = new Map<string, string>();

export function offerNewPages(editor: Editor, undo: Y.UndoManager, names: () => MentionNames): void {
  inserters.set(editor, () => {
    const pages = names().newPages;
    if (pages === undefined) return null;
    return (range, title, isOpened) => {
      const page = pages.create(title);
      if (title === '') untitled.set(page.address, UNTITLED);
      replaceTyped(editor, range, title || UNTITLED, editor.schema.mark('link', { href: page.address }));
      followLink(editor, undo, page);
      void page.isCreated.then((isCreated) => isCreated && isOpened && page.open());
    };
  });
}

/** Gives links that were made to untitled pages the titles that these pages have by now. */
export function nameNewLinks(editor: Editor, { newPages }: MentionNames): void {
  if (newPages !== undefined && untitled.size > 0) nameLinks(editor, newPages, untitled);
}

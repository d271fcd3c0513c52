// "[[" offers the pages of the workspace by title, and to create one that is missing. The chosen one becomes a link.
import { InputRule } from '@tiptap/core';
import FilePlus from 'lucide-react/icons/file-plus';
import FileText from 'lucide-react/icons/file-text';
import { isCode } from '../schema/block-at.ts';
import { findNames } from './find-names.ts';
import type { MentionNames, PageName } from './mention-names.ts';
import { newPageInserterOf } from './new-pages.ts';
import { insertMarked } from './replace-typed.ts';
import type { MenuEntry, MenuSource } from './typed-menu.ts';

const MAX_PAGES = 8;

export const pageSource = (names: () => MentionNames): MenuSource => ({
  sign: '[[',
  label: 'Link to a page',
  find(query, editor) {
    const { pages } = names();
    const title = query.trim();
    const isNew = title !== '' && !/[[\]]/.test(title) && !pages.some((page) => isCalled(page, title));
    const found = pageEntries(pages, query, MAX_PAGES);
    return isNew && newPageInserterOf(editor) !== null
      ? [...found, newPageEntry(title, false, found.length === 0 ? null : '')]
      : found;
  },
});

const isCalled = (page: PageName, title: string): boolean => page.title.toLowerCase() === title.toLowerCase();

export const newPageEntry = (title: string, isOpened: boolean, group: MenuEntry['group']): MenuEntry => ({
  id: 'new-page',
  name: `New page “${title}”`,
  icon: <FilePlus className="icon" aria-hidden size={16} />,
  hint: '',
  group,
  apply: (editor, range) => newPageInserterOf(editor)?.(range, title, isOpened),
});

export const pageEntries = (pages: readonly PageName[], query: string, limit: number): readonly MenuEntry[] =>
  findNames(pages, ({ title }) => title, query, limit).map(({ title, address, above }) => ({
    id: `page ${address}`,
    name: title,
    icon: <FileText className="icon" aria-hidden size={16} />,
    hint: above,
    group: 'Pages',
    apply: insertMarked(title, 'link', { href: address }),
  }));

/** "[[Title]]" typed completely, if exactly one page has that title. */
export const pageLinkRule = (names: () => MentionNames): InputRule =>
  new InputRule({
    find: /\[\[([^[\]\n]+)\]\]$/,
    handler({ state, range, match: [, typed = ''] }) {
      const [page, ...others] = names().pages.filter((one) => isCalled(one, typed.trim()));
      const link = state.schema.marks['link'];
      const { parent } = state.doc.resolve(range.from);
      if (page === undefined || others.length > 0 || link === undefined) return null;
      if (isCode(parent) || !parent.type.allowsMarkType(link)) return null;
      const words = state.schema.text(page.title, [link.create({ href: page.address })]);
      state.tr.replaceWith(range.from, range.to, words).removeStoredMark(link);
      return undefined;
    },
  });

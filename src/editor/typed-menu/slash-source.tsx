// "/" offers kinds to turn the block into and things to insert. The last entry keeps the slash as text.
import Type from 'lucide-react/icons/type';
import { blockAt } from '../schema/block-at.ts';
import { findInsertables } from './find-insertables.ts';
import { INSERTABLES, type Insertable } from './insertables.ts';
import { newPageInserterOf } from './new-pages.ts';
import { newPageEntry } from './page-source.tsx';
import { recentChoices } from './recent-choices.ts';
import type { MenuEntry, MenuSource } from './typed-menu.ts';

const recent = recentChoices('weft.recent-insertables');

export const slashSource: MenuSource = {
  sign: '/',
  label: 'Insert',
  find(query, editor) {
    // Cells and captions can hold only text.
    if (blockAt(editor.state.selection.$from) === null) return [];
    const offered = INSERTABLES.filter(({ isOffered }) => isOffered === undefined || isOffered(editor));
    const title = /^page\s+(\S.*)$/i.exec(query)?.[1]?.trim();
    if (title !== undefined && newPageInserterOf(editor) !== null) return [newPageEntry(title, true, null), KEEP];
    const found = findInsertables(offered, query, recent.get());
    // In "and / or" the user is just writing.
    if (found.length === 0 && /\s/.test(query)) return [];
    if (found.length === 0) return [{ ...KEEP, name: 'No such block' }];
    return [...found.map(({ insertable, group }) => entryOf(insertable, group)), KEEP];
  },
};

const entryOf = (insertable: Insertable, group: string | null): MenuEntry => {
  const { id, name, icon: Icon, shortcut, run } = insertable;
  return {
    id,
    name,
    icon: <Icon className="icon" aria-hidden size={16} />,
    hint: shortcut,
    group,
    apply(editor, { from, to }) {
      editor.view.dispatch(editor.state.tr.delete(from, to));
      run(editor);
      recent.add(id);
    },
  };
};

const KEEP: MenuEntry = {
  id: 'keep-as-text',
  name: 'Keep as text',
  icon: <Type className="icon" aria-hidden size={16} />,
  hint: 'Esc',
  group: '',
  apply: null,
};

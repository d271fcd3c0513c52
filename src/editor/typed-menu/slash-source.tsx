// "/": blocks to turn into and things to put in. The last entry leaves the slash what it is.
import Type from 'lucide-react/icons/type';
import { findInsertables } from './find-insertables.ts';
import { INSERTABLES, type Insertable } from './insertables.ts';
import { recentChoices } from './recent-choices.ts';
import { blockAt } from '../schema/block-at.ts';
import type { Entry, Source } from './typed-menu.ts';

const recent = recentChoices('weft.recent-insertables');

export const slashSource: Source = {
  sign: '/',
  label: 'Put in',
  find(query, editor) {
    // Cells and captions hold words alone.
    if (blockAt(editor.state.selection.$from) === null) return [];
    const offered = INSERTABLES.filter(({ isOffered }) => isOffered === undefined || isOffered(editor));
    const found = findInsertables(offered, query, recent.get());
    // "and / or": whoever types on is writing words.
    if (found.length === 0 && /\s/.test(query)) return [];
    return [...found.map(({ insertable, group }) => entryOf(insertable, group)), KEEP];
  },
};

const entryOf = (insertable: Insertable, group: string | null): Entry => {
  const { id, name, icon: Icon, typed, run } = insertable;
  return {
    id,
    name,
    icon: <Icon className="icon" aria-hidden size={16} />,
    hint: typed,
    group,
    apply(editor, { from, to }) {
      editor.view.dispatch(editor.state.tr.delete(from, to));
      run(editor);
      recent.put(id);
    },
  };
};

const KEEP: Entry = {
  id: 'keep-as-text',
  name: 'Keep as text',
  icon: <Type className="icon" aria-hidden size={16} />,
  hint: 'Esc',
  group: '',
  apply: null,
};

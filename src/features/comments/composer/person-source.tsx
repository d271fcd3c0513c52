// "@" offers people to mention in a comment.
import User from 'lucide-react/icons/user';
import { findNames } from '../../../editor/typed-menu/find-names.ts';
import type { PersonName } from '../../../editor/typed-menu/mention-names.ts';
import { insertMarked } from '../../../editor/typed-menu/replace-typed.ts';
import type { MenuSource } from '../../../editor/typed-menu/typed-menu.ts';

const MAX_PEOPLE = 6;

export const personSource = (people: () => readonly PersonName[]): MenuSource => ({
  sign: '@',
  label: 'Mention a person',
  find: (query) =>
    findNames(people(), ({ name }) => name, query, MAX_PEOPLE).map(({ id, name }) => ({
      id,
      name,
      icon: <User className="icon" aria-hidden size={16} />,
      hint: '',
      group: null,
      apply: insertMarked(`@${name}`, 'mention', { user: id }),
    })),
});

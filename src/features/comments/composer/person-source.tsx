// "@" offers people to mention in a comment.
import User from 'lucide-react/icons/user';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { findNames } from '../../../editor/typed-menu/find-names.ts';
import type { PersonName } from '../../../editor/typed-menu/mention-names.ts';
import { HERE_NOW } from '../../../editor/typed-menu/mention-source.tsx';
import { insertMarked } from '../../../editor/typed-menu/replace-typed.ts';
import type { MenuSource } from '../../../editor/typed-menu/typed-menu.ts';
import type { PageReaders } from '../../../state/workspace/access/page-readers.ts';

const MAX_PEOPLE = 6;

/** `readers`: who can open the page and read its comments. It is asked for when a person is first looked for. */
export function personSource(people: () => readonly PersonName[], readers: PageReaders): MenuSource {
  let isAsked = false;
  const hintOf = ({ id, isHere }: PersonName) => {
    const user = parseUserId(id);
    if (user !== null && readers.isShutOut(user)) return 'can’t open this page';
    if (user !== null && readers.readsNoComments(user)) return 'can’t read comments';
    return isHere === true ? HERE_NOW : '';
  };
  return {
    sign: '@',
    label: 'Mention a person',
    find(query, _editor, refresh) {
      if (!isAsked) void readers.load().then(refresh);
      isAsked = true;
      return findNames(people(), ({ name }) => name, query, MAX_PEOPLE).map((person) => {
        const { id, name } = person;
        return {
          id,
          name,
          icon: <User className="icon" aria-hidden size={16} />,
          hint: hintOf(person),
          group: null,
          apply: insertMarked(`@${name}`, 'mention', { user: id }),
        };
      });
    },
  };
}

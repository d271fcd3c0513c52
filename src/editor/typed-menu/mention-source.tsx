// "@" offers people, pages and days. People and days become marks on their text, a page becomes a link.
import Calendar from 'lucide-react/icons/calendar';
import User from 'lucide-react/icons/user';
import { isoDayOf } from '../../lib/text/times.ts';
import { formatDay, findDays } from './find-days.ts';
import { findNames } from './find-names.ts';
import type { MentionNames } from './mention-names.ts';
import { pageEntries } from './page-source.tsx';
import { insertMarked } from './replace-typed.ts';
import type { MenuSource } from './typed-menu.ts';

/** The hint beside someone who has the page open. */
export const HERE_NOW = 'here now';
const MAX_PEOPLE = 6;
const MAX_PAGES = 6;

export const mentionSource = (names: () => MentionNames): MenuSource => ({
  sign: '@',
  label: 'Mention a person, page or date',
  find(query) {
    const { people, pages } = names();
    return [
      ...findNames(people, ({ name }) => name, query, MAX_PEOPLE).map(({ id, name, isHere }) => ({
        id: `person ${id}`,
        name,
        icon: <User className="icon" aria-hidden size={16} />,
        hint: isHere === true ? HERE_NOW : '',
        group: 'People',
        apply: insertMarked(`@${name}`, 'mention', { user: id }),
      })),
      ...findDays(query, isoDayOf(Date.now())).map(({ day, name }) => ({
        id: `day ${day} ${name}`,
        name: name === '' ? formatDay(day) : name,
        icon: <Calendar className="icon" aria-hidden size={16} />,
        hint: name === '' ? '' : formatDay(day),
        group: 'Days',
        apply: insertMarked(formatDay(day), 'date', { day }),
      })),
      ...pageEntries(pages, query, MAX_PAGES),
    ];
  },
});

// "@": people, pages and days. People and days are marks on their words, a page is a link to its address.
import Calendar from 'lucide-react/icons/calendar';
import FileText from 'lucide-react/icons/file-text';
import User from 'lucide-react/icons/user';
import { dayWords, findDays, localDay } from './find-days.ts';
import { findNames } from './find-names.ts';
import type { Names } from './names.ts';
import { replaceTyped } from './replace-typed.ts';
import type { Entry, Source } from './typed-menu.ts';

const MOST_PEOPLE = 6;
const MOST_PAGES = 6;

export const mentionSource = (names: () => Names): Source => ({
  sign: '@',
  label: 'Name a person, page or day',
  find(query) {
    const { people, pages } = names();
    return [
      ...findNames(people, ({ name }) => name, query, MOST_PEOPLE).map(({ id, name }) => ({
        id: `person ${id}`,
        name,
        icon: <User className="icon" aria-hidden size={16} />,
        hint: '',
        group: 'People',
        apply: putMarked(`@${name}`, 'mention', { user: id }),
      })),
      ...findDays(query, localDay(new Date())).map(({ day, name }) => ({
        id: `day ${day} ${name}`,
        name: name === '' ? dayWords(day) : name,
        icon: <Calendar className="icon" aria-hidden size={16} />,
        hint: name === '' ? '' : dayWords(day),
        group: 'Days',
        apply: putMarked(dayWords(day), 'date', { day }),
      })),
      ...findNames(pages, ({ title }) => title, query, MOST_PAGES).map(({ title, address, above }) => ({
        id: `page ${address}`,
        name: title,
        icon: <FileText className="icon" aria-hidden size={16} />,
        hint: above,
        group: 'Pages',
        apply: putMarked(title, 'link', { href: address }),
      })),
    ];
  },
});

const putMarked =
  (text: string, mark: string, attributes: Readonly<Record<string, string>>): NonNullable<Entry['apply']> =>
  (editor, range) =>
    replaceTyped(editor, range, text, editor.schema.mark(mark, attributes));

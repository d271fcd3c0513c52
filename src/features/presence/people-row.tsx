// The other people on this page as square tags, each of which opens a menu: outlined for those who only read, filled
// for the others. If some have no room for a tag, or someone watches by link, one more tag opens a list of everyone.
import Eye from 'lucide-react/icons/eye';
import type { ReactNode } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { counted } from '../../lib/text/counted.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Menu } from '../../ui/floating/menu.tsx';
import { Popover } from '../../ui/floating/popover.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import './presence.css';

export type PersonHere = {
  /** Null stands for everyone whom the database does not name. */
  readonly id: UserId | null;
  readonly name: string;
  readonly color: string | null;
  /** The path of their picture. */
  readonly picture: string | null;
  /** Viewers and commenters are shown as people who only read. Null: not known. */
  readonly role: DocumentRole | null;
};

const SOMEONE: PersonHere = { id: null, name: 'Someone', color: null, picture: null, role: null };
const MAX_TAGS = 4;
const MAX_TAGS_ON_PHONES = 2;

type PeopleRowProps = {
  readonly people: readonly PersonHere[];
  readonly isSomeoneUnnamed: boolean;
  /** On phones a long receipt, or a count of watchers, leaves room for one tag only. */
  readonly isReceiptLong: boolean;
  /** The person whom the reader of this screen follows. */
  readonly followed: UserId | null;
  /** The number of watchers by link; no one knows who they are. */
  readonly byLink: number;
  /** The menu of a tag. */
  readonly menuOf: (person: PersonHere) => ReactNode;
  /** The button beside a name in the list. */
  readonly actionOf: (person: PersonHere) => ReactNode;
};

export function PeopleRow(props: PeopleRowProps) {
  const { people: named, isSomeoneUnnamed, isReceiptLong, followed, byLink, menuOf } = props;
  const isPhone = useMedia(PHONE);
  const people = isSomeoneUnnamed ? [...named, SOMEONE] : named;
  if (people.length === 0 && byLink === 0) return null;
  const max = isPhone ? (isReceiptLong || byLink > 0 ? 1 : MAX_TAGS_ON_PHONES) : MAX_TAGS;
  const shown = withFollowed(people, followed, max);
  return (
    <div className="tags people-row" role="group" aria-label="On this page">
      {shown.map((person) => (
        <Menu
          key={person.id}
          align="end"
          trigger={
            <button type="button" className="face" aria-label={labelOf(person, person.id === followed)}>
              <TagOf person={person} isFollowed={person.id !== null && person.id === followed} />
            </button>
          }
        >
          {menuOf(person)}
        </Menu>
      ))}
      {(people.length > shown.length || byLink > 0) && (
        <Everyone {...props} people={people} more={people.length - shown.length} />
      )}
    </div>
  );
}

/** The first people, among them the followed one, whose ring must be on the screen. */
function withFollowed(people: readonly PersonHere[], followed: UserId | null, max: number): readonly PersonHere[] {
  const first = people.slice(0, max);
  const one = followed === null ? undefined : people.slice(max).find(({ id }) => id === followed);
  return one === undefined ? first : [...first.slice(0, -1), one];
}

type EveryoneProps = Pick<PeopleRowProps, 'people' | 'byLink' | 'actionOf'> & { readonly more: number };

function Everyone({ people, byLink, more, actionOf }: EveryoneProps) {
  const label = [more > 0 ? `${more} more` : '', byLink > 0 ? watchText(byLink) : ''].filter((one) => one !== '');
  return (
    <Popover
      label="Here now"
      align="end"
      className="people-list"
      trigger={
        <button type="button" className="face" aria-label={label.join(', ')} title={label.join(', ')}>
          {more > 0 && <span className="tag" data-more data-initials={`+${more}`} />}
          {byLink > 0 && (
            <span className="tag" data-more data-watchers data-initials={byLink}>
              <Eye className="icon" aria-hidden size={13} />
            </span>
          )}
        </button>
      }
    >
      <h2>Here now</h2>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <TagOf person={person} isFollowed={false} />
            <span className="grow truncate">
              <bdi>{person.name}</bdi>
              {isReading(person) && <small>viewing</small>}
            </span>
            {actionOf(person)}
          </li>
        ))}
        {byLink > 0 && (
          <li className="by-link">
            <Eye className="icon" aria-hidden size={18} />
            <span className="grow">{watchText(byLink)}</span>
          </li>
        )}
      </ul>
    </Popover>
  );
}

const watchText = (count: number): string => counted(count, 'watches by link', 'watch by link');

/** The screen reader's label of a tag. */
const labelOf = (person: PersonHere, isFollowed: boolean): string =>
  [`Here now: ${person.name}`, isReading(person) ? 'viewing' : '', isFollowed ? 'you follow them' : '']
    .filter((one) => one !== '')
    .join(', ');

type TagOfProps = { readonly person: PersonHere; readonly isFollowed: boolean };

const TagOf = ({ person, isFollowed }: TagOfProps) => (
  <PersonTag
    name={person.name}
    color={person.color}
    picture={person.picture}
    isReading={isReading(person)}
    isFollowed={isFollowed}
  />
);

const isReading = ({ role }: PersonHere) => role === 'viewer' || role === 'commenter';

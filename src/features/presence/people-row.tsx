// The other people on this page as square tags: filled if they can edit, outlined if they can only read. Pressing the row
// lists everybody by name.
import type { DocumentRole } from '../../protocol/roles.ts';
import type { UserId } from '../../protocol/ids.ts';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { Popover } from '../../ui/floating/popover.tsx';
import './presence.css';

export type PersonHere = {
  /** Null stands for everybody whom the database does not name. */
  readonly id: UserId | null;
  readonly name: string;
  readonly color: string | null;
  /** The path of their picture. */
  readonly picture: string | null;
  /** Null when not known: shown as somebody who can edit. */
  readonly role: DocumentRole | null;
};

const SOMEONE: PersonHere = { id: null, name: 'Someone', color: null, picture: null, role: null };
const MAX_TAGS = 4;
const MAX_TAGS_ON_PHONES = 2;

type PeopleRowProps = {
  readonly people: readonly PersonHere[];
  readonly isSomeoneUnnamed: boolean;
  /** On phones a long receipt leaves room for one tag only. */
  readonly isReceiptLong: boolean;
};

export function PeopleRow({ people: named, isSomeoneUnnamed, isReceiptLong }: PeopleRowProps) {
  const people = isSomeoneUnnamed ? [...named, SOMEONE] : named;
  if (people.length === 0) return null;
  const label = `Here now: ${people.map(({ name }) => name).join(', ')}`;
  return (
    <Popover
      label="Here now"
      align="end"
      className="people-list"
      trigger={
        <button type="button" className="tags" aria-label={label}>
          <Tags people={people} max={MAX_TAGS} className="hide-on-phones" />
          <Tags people={people} max={isReceiptLong ? 1 : MAX_TAGS_ON_PHONES} className="phones-only" />
        </button>
      }
    >
      <h2>Here now</h2>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <TagOf person={person} />
            <span className="grow truncate">{person.name}</span>
            {isReading(person) && <span className="secondary">viewing</span>}
          </li>
        ))}
      </ul>
    </Popover>
  );
}

type TagsProps = { readonly people: readonly PersonHere[]; readonly max: number; readonly className: string };

function Tags({ people, max, className }: TagsProps) {
  const more = people.length - max;
  return (
    <span className={`tags ${className}`}>
      {people.slice(0, max).map((person) => (
        <TagOf key={person.id} person={person} />
      ))}
      {more > 0 && (
        <span className="tag" data-more>
          +{more}
        </span>
      )}
    </span>
  );
}

const TagOf = ({ person }: { readonly person: PersonHere }) => (
  <PersonTag name={person.name} color={person.color} picture={person.picture} isReading={isReading(person)} />
);

const isReading = ({ role }: PersonHere) => role === 'viewer' || role === 'commenter';

// The people of the share dialog who have a role on the page: the workspace as one line if the page is open to it, then by name
// this person, the owner, admins, and people with a role on this page, on a page above, or by a link. Who only watches by a link
// is not listed.
import CornerLeftUp from 'lucide-react/icons/corner-left-up';
import Crown from 'lucide-react/icons/crown';
import Link2 from 'lucide-react/icons/link-2';
import User from 'lucide-react/icons/user';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PagePeople } from '../../protocol/people-answers.ts';
import { usePerson, useProfiles, useValue } from '../../state/hooks.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { PAGE_ROLE_NAMES } from '../../texts/role-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import {
  type AccessSource,
  type AccessWords,
  type PersonAccess,
  bestSource,
  listedPeople,
  sourceElsewhere,
  sourceText,
} from './access-text.ts';
import { RoleMenu } from './role-menu.tsx';

const SOURCE_ICONS: Readonly<Record<AccessSource['kind'], typeof User>> = {
  owner: Crown,
  workspace: Users,
  page: User,
  ancestor: CornerLeftUp,
  link: Link2,
};

/** More are shown on request: a page can have hundreds of guests. */
const SHOWN_FIRST = 25;

type PeopleListProps = {
  readonly page: DocumentId;
  readonly access: PagePeople;
  readonly words: AccessWords;
  readonly people: PagePeopleState;
  readonly mayManage: boolean;
};

export function PeopleList({ page, access, words, people, mayManage }: PeopleListProps) {
  const { identity } = usePerson();
  const [shown, setShown] = useState(SHOWN_FIRST);
  const listed = listedPeople(access.people, identity.id);
  const rest = listed.length - shown;
  return (
    <>
      <ul className="access-list" aria-label="People with access">
        {access.resolvedAccess === 'workspace' && <EveryoneRow page={page} access={access} words={words} />}
        {listed.slice(0, shown).map((person) => (
          <PersonRow key={person.user} person={person} words={words} people={people} mayManage={mayManage} />
        ))}
      </ul>
      {rest > 0 && (
        <Button look="plain" size="small" onClick={() => setShown(listed.length)}>
          Show {rest} more
        </Button>
      )}
    </>
  );
}

function EveryoneRow({ page, access, words }: Pick<PeopleListProps, 'page' | 'access' | 'words'>) {
  const from = access.resolvedFrom === null || access.resolvedFrom === page ? null : words.titleOf(access.resolvedFrom);
  const isInherited = access.access === 'inherit';
  const Icon = isInherited ? CornerLeftUp : Users;
  return (
    <li className="access-row">
      <span className="tag" data-size="large" data-more>
        <Users className="icon" />
      </span>
      <p className="grow">
        <span className="access-name">
          <span className="truncate">Everyone in {words.workspace}</span>
        </span>
        <small className="truncate">
          <Icon className="icon" aria-hidden />
          {isInherited ? `Inherited from ${from === null ? 'a page above' : `“${from}”`}` : 'Members of the workspace'}
        </small>
      </p>
      <span className="access-role">{PAGE_ROLE_NAMES.editor}</span>
    </li>
  );
}

type PersonRowProps = { readonly person: PersonAccess } & Pick<PeopleListProps, 'words' | 'people' | 'mayManage'>;

function PersonRow({ person, words, people, mayManage }: PersonRowProps) {
  const { identity } = usePerson();
  const profile = useProfiles().get(person.user);
  const { members } = useValue(people.atom);
  const name = profile?.displayName ?? 'Someone';
  const source = bestSource(person.sources);
  const Icon = source === null ? User : SOURCE_ICONS[source.kind];
  const isMe = person.user === identity.id;
  const isGuest = members.find(({ user }) => user === person.user)?.role === 'guest';
  // No one takes their own rights away here. An owner, an admin or a manager of a page above can have no lower role.
  const isFixed = isMe || sourceElsewhere(person)?.role === 'manager';
  return (
    <li className="access-row">
      <PersonTag
        name={name}
        color={profile?.color ?? null}
        picture={profile?.avatarPath}
        size="large"
        isReading={isGuest}
      />
      <p className="grow">
        <span className="access-name">
          <bdi className="truncate">{name}</bdi>
          {isMe && ' (you)'}
        </span>
        {source !== null && (
          <small className="truncate">
            <Icon className="icon" aria-hidden />
            {sourceText(source, words, isGuest)}
          </small>
        )}
      </p>
      {mayManage && !isFixed ? (
        <RoleMenu person={person} name={name} words={words} people={people} />
      ) : (
        <span className="access-role">{PAGE_ROLE_NAMES[person.role]}</span>
      )}
    </li>
  );
}

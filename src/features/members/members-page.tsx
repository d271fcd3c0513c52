// The people of a workspace: members, open invitations, guests, and leaving.
import { useEffect, useMemo, useState } from 'react';
import type { Member } from '../../protocol/people-answers.ts';
import type { WorkspaceRole } from '../../protocol/roles.ts';
import { ProfilesContext, useCompany, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { type Members, membersOf } from '../../state/workspace/access/members.ts';
import { listProblem } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { InviteForm } from './invite-form.tsx';
import { LeaveWorkspace } from './leave-workspace.tsx';
import { MemberRow } from './member-row.tsx';
import { PendingInvites } from './pending-invites.tsx';
import '../../ui/theme/section-page.css';
import './members.css';

/** More are shown on request, so that invitations and guests are not a long way down. */
const SHOWN_FIRST = 25;

type MembersPageProps = { readonly origin: string; readonly onLeft: () => void };

export function MembersPage({ origin, onLeft }: MembersPageProps) {
  const { store, membership, people, identity } = usePerson();
  const { workspace, onChange, listAtom } = useWorkspace();
  const members = useMemo(
    () => membersOf({ workspace: workspace.id, me: identity.id, store, membership, people, onChange }),
    [workspace, identity, store, membership, people, onChange],
  );
  useEffect(() => {
    void members.load();
    return members.follow();
  }, [members]);
  const { members: all, invites, error } = useValue(members.atom);
  const current = useValue(listAtom).value?.workspace ?? workspace;
  const myRole = all?.find(({ user }) => user === identity.id)?.role ?? current.role;
  const mayInvite = myRole === 'owner' || myRole === 'admin';
  const profiles = useCompany(all?.map(({ user }) => user) ?? []);
  const guests = all?.filter(({ role }) => role === 'guest') ?? [];

  return (
    <div className="section-page members">
      <h1>Members</h1>
      {mayInvite && <InviteForm members={members} origin={origin} isOwner={myRole === 'owner'} />}
      {all === null && error === null && <Skeleton label="Loading members" widths={['70%', '62%', '78%']} />}
      {all === null && error !== null && (
        <EmptyState title={listProblem(error)} actions={<Button onClick={() => void members.load()}>Try now</Button>}>
          <p>The list of members is not on this device.</p>
        </EmptyState>
      )}
      {all !== null && (
        <ProfilesContext value={profiles}>
          {error !== null && <p role="status">{listProblem(error)} This is what was known before.</p>}
          <People
            title="Members"
            people={all.filter(({ role }) => role !== 'guest')}
            members={members}
            myRole={myRole}
          />
          {mayInvite && invites.length > 0 && <PendingInvites invites={invites} members={members} />}
          {guests.length > 0 && <People title="Guests" people={guests} members={members} myRole={myRole} />}
          {myRole !== null && (
            <LeaveWorkspace
              name={current.name}
              members={members}
              isOnlyOwner={myRole === 'owner' && all.filter(({ role }) => role === 'owner').length === 1}
              onLeft={onLeft}
            />
          )}
        </ProfilesContext>
      )}
    </div>
  );
}

type PeopleProps = {
  readonly title: string;
  readonly people: readonly Member[];
  readonly members: Members;
  readonly myRole: WorkspaceRole | null;
};

function People({ title, people, members, myRole }: PeopleProps) {
  const [shown, setShown] = useState(SHOWN_FIRST);
  const rest = people.length - shown;
  return (
    <section aria-label={title}>
      <h2>
        {title} <small className="tabular">{people.length}</small>
      </h2>
      <ul className="member-list">
        {people.slice(0, shown).map((member) => (
          <MemberRow key={member.user} member={member} members={members} myRole={myRole} />
        ))}
      </ul>
      {rest > 0 && (
        <Button look="plain" onClick={() => setShown(people.length)}>
          Show {rest} more
        </Button>
      )}
    </section>
  );
}

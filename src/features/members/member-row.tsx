// One person of the workspace: name, when they joined, the page they are on or their last active day, and their role,
// which admins and owners may change. For a guest, the number of their pages stands in place of the role.
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Crown from 'lucide-react/icons/crown';
import UserMinus from 'lucide-react/icons/user-minus';
import { useState } from 'react';
import { Link } from 'react-router';
import { counted } from '../../lib/text/counted.ts';
import { dayOf, shortDate } from '../../lib/text/times.ts';
import type { Member } from '../../protocol/people-answers.ts';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../protocol/roles.ts';
import { useAuthorNames, useIdentity, useProfiles, useValue, useWorkspace } from '../../state/hooks.ts';
import { pageOf } from '../../state/people/locations.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { WORKSPACE_ROLE_NAMES, WORKSPACE_ROLE_TEXTS } from './role-texts.ts';
import { TransferDialog } from './transfer-dialog.tsx';

type MemberRowProps = {
  readonly member: Member;
  readonly members: Members;
  readonly myRole: WorkspaceRole | null;
};

const MINUTE_MS = 60_000;

export function MemberRow({ member, members, myRole }: MemberRowProps) {
  const identity = useIdentity();
  const profile = useProfiles().get(member.user);
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const isMe = member.user === identity.id;
  const name = profile?.displayName ?? 'Someone';
  const invitedBy = member.invitedBy === null ? null : nameOf(member.invitedBy);
  return (
    <li className="member-row" data-guest={member.role === 'guest' || undefined}>
      <PersonTag
        name={name}
        color={profile?.color ?? null}
        picture={profile?.avatarPath}
        size="large"
        isReading={member.role === 'guest'}
      />
      <p className="grow">
        <b className="truncate">
          <bdi>{name}</bdi> {isMe && <span className="secondary">(you)</span>}
        </b>
        <small>
          {isMe && identity.email !== null
            ? identity.email
            : joinedText(member, invitedBy, shortDate(member.joinedAt, now))}
        </small>
      </p>
      <Whereabouts member={member} now={now} />
      {/* No one changes their own role. */}
      <RoleMenu member={member} name={name} members={members} myRole={isMe ? null : myRole} />
    </li>
  );
}

function joinedText(member: Member, invitedBy: string | null, date: string): string {
  const how = invitedBy !== null && member.via === 'email' ? `, invited by ${invitedBy}` : '';
  const by = member.via === 'link' || member.via === 'share-link' ? ', by link' : how;
  const account = member.hasAccount ? '' : ' · no account yet';
  return member.via === 'page' && invitedBy !== null
    ? `Added by ${invitedBy}, ${date}${account}`
    : `Joined ${date}${by}${account}`;
}

function Whereabouts({ member, now }: { readonly member: Member; readonly now: number }) {
  const { workspace, locationsAtom, indexAtom } = useWorkspace();
  const locations = useValue(locationsAtom);
  const { pages } = useValue(indexAtom);
  const here = pageOf(locations, member.user);
  const page = here === null ? undefined : pages.get(here);
  if (page !== undefined) {
    return (
      <Link className="member-here truncate hide-on-phones" to={pagePath(workspace.slug, page)}>
        On “{shownTitle(page.title)}” now
      </Link>
    );
  }
  if (member.lastActiveAt === null) return null;
  return <small className="hide-on-phones">Active {dayOf(member.lastActiveAt, now)}</small>;
}

type RoleMenuProps = MemberRowProps & { readonly name: string };

/** The rule of the database (`change_workspace_member`): owners change everyone, admins everyone but owners. */
const mayChange = (mine: WorkspaceRole | null, theirs: WorkspaceRole): boolean =>
  mine === 'owner' || (mine === 'admin' && theirs !== 'owner');

function RoleMenu({ member, name, members, myRole }: RoleMenuProps) {
  const [dialog, setDialog] = useState<'remove' | 'transfer' | null>(null);
  const close = () => setDialog(null);
  const pages = member.pages === null ? null : counted(member.pages, 'page');
  const label = pages ?? WORKSPACE_ROLE_NAMES[member.role];
  if (!mayChange(myRole, member.role)) return <span className="member-role">{label}</span>;
  const setRole = async (role: WorkspaceRole) => {
    const answer = await members.setRole(member.user, role);
    if (!answer.ok) toast(textOf(answer.error));
  };
  // Ownership is given by its own dialog.
  const roles = WORKSPACE_ROLES.filter((role) => role !== 'owner');
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button look="plain" className="member-role" aria-label={`${label}, ${name}`}>
            {label}
            <ChevronDown className="icon" />
          </Button>
        }
      >
        {roles.map((role) => (
          <MenuItem
            key={role}
            icon={role === member.role ? <Check className="icon" aria-label="Chosen" /> : <span className="icon" />}
            onSelect={() => void setRole(role)}
          >
            <span className="menu-words">
              {WORKSPACE_ROLE_NAMES[role]}
              <small>{WORKSPACE_ROLE_TEXTS[role]}</small>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        {myRole === 'owner' && member.role !== 'guest' && (
          <MenuItem icon={<Crown className="icon" />} onSelect={() => setDialog('transfer')}>
            Transfer ownership…
          </MenuItem>
        )}
        <MenuItem icon={<UserMinus className="icon" />} isDanger onSelect={() => setDialog('remove')}>
          Remove from workspace…
        </MenuItem>
      </Menu>
      {dialog !== null && (
        <LayerBoundary onDismiss={close}>
          {dialog === 'remove' ? (
            <RemoveDialog name={name} person={member.user} members={members} onClose={close} />
          ) : (
            <TransferDialog name={name} person={member.user} members={members} onClose={close} />
          )}
        </LayerBoundary>
      )}
    </>
  );
}

// The members of a workspace and the invitations to it: list, invite, change, remove.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { coalesced } from '../../../lib/async/coalesced.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { type Result, followedBy, ok } from '../../../lib/result.ts';
import type { Membership } from '../../../ports/workspace.ts';
import type { WorkspaceChange } from '../../../protocol/answers.ts';
import type { InviteId, WorkspaceId } from '../../../protocol/ids.ts';
import type { CreatedInvite, Invite, Member } from '../../../protocol/people-answers.ts';
import type { WorkspaceRole } from '../../../protocol/roles.ts';
import type { People } from '../../people/people.ts';
import type { AtomStore } from '../../store.ts';

export type MemberList = {
  /** Null before the first answer. */
  readonly members: readonly Member[] | null;
  /** Open ones; empty for people who may not invite. */
  readonly invites: readonly Invite[];
  readonly error: WeftError | null;
};

export interface Members {
  readonly atom: Atom<MemberList>;
  readonly load: () => Promise<void>;
  /** Loads again whenever someone changes the list, until it is cancelled. */
  readonly follow: () => Cancel;
  readonly setRole: (person: UserId, role: WorkspaceRole) => Promise<Result<void, WeftError>>;
  readonly remove: (person: UserId) => Promise<Result<void, WeftError>>;
  readonly transfer: (person: UserId) => Promise<Result<void, WeftError>>;
  /** Without an address the invitation is a link for many people. */
  readonly invite: (role: WorkspaceRole, email: string | null) => Promise<Result<CreatedInvite, WeftError>>;
  readonly revoke: (invite: InviteId) => Promise<Result<void, WeftError>>;
}

const ROLES: readonly WorkspaceRole[] = ['owner', 'admin', 'member', 'guest'];
const KINDS: readonly WorkspaceChange['kind'][] = ['member', 'workspace', 'invite'];

export function membersOf(options: {
  readonly workspace: WorkspaceId;
  readonly me: UserId;
  readonly store: AtomStore;
  readonly membership: Membership;
  readonly people: Pick<People, 'ensureLoaded'>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
}): Members {
  const { workspace, store, membership } = options;
  const listAtom = atom<MemberList>({ members: null, invites: [], error: null });

  const load = coalesced(async () => {
    const members = await membership.members(workspace);
    if (!members.ok) return store.set(listAtom, { ...store.get(listAtom), error: members.error });
    const mine = members.value.find(({ user }) => user === options.me)?.role;
    const invites = mine === 'owner' || mine === 'admin' ? await membership.invites(workspace) : ok([]);
    const sorted = members.value.toSorted(
      (a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || a.joinedAt - b.joinedAt,
    );
    options.people.ensureLoaded(
      sorted.flatMap(({ user, invitedBy }) => (invitedBy === null ? user : [user, invitedBy])),
    );
    store.set(listAtom, { members: sorted, invites: invites.ok ? invites.value : [], error: null });
  });
  const loaded = <T>(write: Promise<Result<T, WeftError>>) => followedBy(write, load);

  return {
    atom: listAtom,
    load,
    follow: () => options.onChange(({ kind }) => void (KINDS.includes(kind) && load())),
    setRole: (person, role) => loaded(membership.setRole(workspace, person, role)),
    remove: (person) => loaded(membership.remove(workspace, person)),
    transfer: (person) => loaded(membership.transferWorkspace(workspace, person)),
    invite: (role, email) =>
      loaded(
        membership.invite({
          workspace,
          role,
          email,
          page: null,
          expiresAt: null,
          maxUses: email === null ? null : 1,
        }),
      ),
    revoke: (invite) => loaded(membership.revokeInvite(invite)),
  };
}

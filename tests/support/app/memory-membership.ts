// The members of one workspace in memory, for the views.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Membership } from '../../../src/ports/workspace.ts';
import { parseInviteId, parseLinkSecret } from '../../../src/protocol/ids.ts';
import type { Invite, InviteInfo, InviteOffer, Member } from '../../../src/protocol/people-answers.ts';
import type { WorkspaceRole } from '../../../src/protocol/roles.ts';

export const memberOf = (user: UserId, role: WorkspaceRole, more: Partial<Member> = {}): Member => ({
  user,
  role,
  joinedAt: 1_000,
  invitedBy: null,
  via: null,
  lastActiveAt: null,
  pages: role === 'guest' ? 1 : null,
  hasAccount: true,
  ...more,
});

export function memoryMembership(
  me: UserId,
  answer: <T>(name: string, value: () => T) => Promise<Result<T, WeftError>>,
) {
  const state = {
    members: [memberOf(me, 'owner')],
    invites: [] as Invite[],
    /** The workspace or page behind an invitation; null: it ended. */
    info: null as InviteInfo | null,
    /** Open invitations to this person. */
    offers: [] as InviteOffer[],
  };
  const notFound = () => Promise.resolve(err(weftError('WF009')));
  const membership: Membership = {
    members: () => answer('members', () => [...state.members]),
    setRole: (_workspace, person, role) =>
      answer('setRole', () => {
        state.members = state.members.map((one) => (one.user === person ? { ...one, role } : one));
      }),
    remove: (_workspace, person) =>
      answer('remove', () => {
        state.members = state.members.filter(({ user }) => user !== person);
      }),
    invites: () => answer('invites', () => [...state.invites]),
    invite: (asked) =>
      answer('invite', () => {
        const id = parseInviteId(`00000007-0000-4000-8000-${String(state.invites.length + 1).padStart(12, '0')}`);
        const secret = parseLinkSecret('i'.repeat(22));
        if (id === null || secret === null) throw new Error('not an id');
        const invite: Invite = {
          id,
          workspaceId: asked.workspace,
          role: asked.role,
          document: asked.page?.document ?? null,
          documentRole: asked.page?.role ?? null,
          email: asked.email,
          expiresAt: Date.now() + 7 * 24 * 60 * 60 * 1_000,
          maxUses: asked.maxUses,
          uses: 0,
          createdBy: me,
          createdAt: Date.now(),
        };
        state.invites.push(invite);
        return { invite, secret };
      }),
    revokeInvite: (id) =>
      answer('revokeInvite', () => {
        state.invites = state.invites.filter((one) => one.id !== id);
      }),
    inviteInfo: () => (state.info === null ? notFound() : Promise.resolve(ok(state.info))),
    acceptInvite: () => answer('acceptInvite', () => ({ workspaceSlug: 'northquay', document: null })),
    myInvites: () => answer('myInvites', () => [...state.offers]),
    acceptMyInvite: () => answer('acceptMyInvite', () => ({ workspaceSlug: 'northquay', document: null })),
    declineInvite: (id) =>
      answer('declineInvite', () => {
        state.offers = state.offers.filter((one) => one.id !== id);
      }),
    renameWorkspace: (id, name) =>
      answer('renameWorkspace', () => ({ id, name, slug: 'northquay', epoch: 1, role: 'owner' as const })),
    transferWorkspace: (_workspace, person) =>
      answer('transferWorkspace', () => {
        state.members = state.members.map((one) => {
          if (one.user === person) return { ...one, role: 'owner' };
          return one.user === me ? { ...one, role: 'admin' } : one;
        });
      }),
    deleteWorkspace: () => answer('deleteWorkspace', () => undefined),
  };
  return { state, membership };
}

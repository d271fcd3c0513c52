// Members of a workspace, invitations to it, and the workspace itself through PostgREST (the `Membership` port of src/state).
import type { SupabaseClient } from '@supabase/supabase-js';
import { workspace } from '../../protocol/answers.ts';
import type { DocumentId, InviteId, LinkSecret, UserId, WorkspaceId } from '../../protocol/ids.ts';
import {
  acceptedInvite,
  createdInvite,
  inviteInfo,
  inviteList,
  inviteOffers,
  memberList,
} from '../../protocol/people-answers.ts';
import type { DocumentRole, WorkspaceRole } from '../../protocol/roles.ts';
import { call, callWithoutAnswer } from './call.ts';

type NewInvite = {
  readonly workspace: WorkspaceId;
  readonly role: WorkspaceRole;
  readonly email: string | null;
  readonly page: { readonly document: DocumentId; readonly role: DocumentRole } | null;
  readonly expiresAt: number | null;
  readonly maxUses: number | null;
};

export function supabaseMembership(client: SupabaseClient) {
  const run = (name: string, args: Record<string, unknown>) => callWithoutAnswer(client.rpc(name, args));
  return {
    members: (id: WorkspaceId) => call(client.rpc('list_members', { workspace: id }), memberList),
    setRole: (id: WorkspaceId, person: UserId, role: WorkspaceRole) =>
      run('set_workspace_role', { workspace: id, person, role }),
    remove: (id: WorkspaceId, person: UserId) => run('remove_workspace_member', { workspace: id, person }),
    invites: (id: WorkspaceId) => call(client.rpc('list_invites', { workspace: id }), inviteList),
    invite: ({ page, expiresAt, maxUses, ...invite }: NewInvite) =>
      call(
        client.rpc('create_invite', {
          ...invite,
          document: page?.document ?? null,
          document_role: page?.role ?? null,
          expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
          max_uses: maxUses,
        }),
        createdInvite,
      ),
    revokeInvite: (invite: InviteId) => run('revoke_invite', { invite }),
    inviteInfo: (secret: LinkSecret) => call(client.rpc('invite_info', { secret }), inviteInfo),
    acceptInvite: (secret: LinkSecret) => call(client.rpc('accept_invite', { secret }), acceptedInvite),
    myInvites: () => call(client.rpc('my_invites'), inviteOffers),
    acceptMyInvite: (invite: InviteId) => call(client.rpc('accept_invite_by_id', { invite }), acceptedInvite),
    declineInvite: (invite: InviteId) => run('decline_invite', { invite }),
    renameWorkspace: (id: WorkspaceId, name: string) =>
      call(client.rpc('rename_workspace', { workspace: id, name }), workspace),
    transferWorkspace: (id: WorkspaceId, person: UserId) => run('transfer_workspace', { workspace: id, person }),
    deleteWorkspace: (id: WorkspaceId, name: string) => run('delete_workspace', { workspace: id, name }),
  };
}

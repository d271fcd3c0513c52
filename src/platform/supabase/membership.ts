// Members of a workspace, invitations to it, and the workspace itself through PostgREST.
import type { SupabaseClient } from '@supabase/supabase-js';
import { call } from 'weft-sync/supabase/call.ts';
import type { Membership } from '../../ports/workspace.ts';
import { workspace } from '../../protocol/answers.ts';
import {
  acceptedInvite,
  createdInvite,
  inviteInfo,
  inviteList,
  inviteOffers,
  memberList,
} from '../../protocol/people-answers.ts';
import { functionRunner } from './function-runner.ts';

export function supabaseMembership(client: SupabaseClient): Membership {
  const run = functionRunner(client);
  return {
    members: (id) => call(client.rpc('list_members', { workspace: id }), memberList),
    setRole: (id, person, role) => run('set_workspace_role', { workspace: id, person, role }),
    remove: (id, person) => run('remove_workspace_member', { workspace: id, person }),
    invites: (id) => call(client.rpc('list_invites', { workspace: id }), inviteList),
    invite: ({ page, expiresAt, maxUses, ...invite }) =>
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
    revokeInvite: (invite) => run('revoke_invite', { invite }),
    inviteInfo: (secret) => call(client.rpc('invite_info', { secret }), inviteInfo),
    acceptInvite: (secret) => call(client.rpc('accept_invite', { secret }), acceptedInvite),
    myInvites: () => call(client.rpc('my_invites'), inviteOffers),
    acceptMyInvite: (invite) => call(client.rpc('accept_invite_by_id', { invite }), acceptedInvite),
    declineInvite: (invite) => run('decline_invite', { invite }),
    renameWorkspace: (id, name) => call(client.rpc('rename_workspace', { workspace: id, name }), workspace),
    transferWorkspace: (id, person) => run('transfer_workspace', { workspace: id, person }),
    deleteWorkspace: (id, name) => run('delete_workspace', { workspace: id, name }),
  };
}

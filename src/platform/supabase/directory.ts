// Lists, people and links of a signed-in user through PostgREST. Selects rename columns to match the functions'
// answers, so that both share one parser.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { call, callWithoutAnswer } from 'weft-sync/supabase/call.ts';
import { signInRenewal } from 'weft-sync/supabase/renew-sign-in.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { type Result, err, mapped, ok } from '../../lib/result.ts';
import type { Directory } from '../../ports/workspace.ts';
import {
  type DocumentSummary,
  type Profile,
  createdLink,
  createdWorkspace,
  documentChanges,
  documentSummary,
  lostDocuments,
  pageCount,
  profile,
  redeemedLink,
  shareLink,
  trashEntries,
  workspace,
} from '../../protocol/answers.ts';
import { MAX_TITLE_LENGTH, SCHEMA_VERSION } from '../../protocol/limits.ts';
import { WORKSPACE_ROLES } from '../../protocol/roles.ts';

const PROFILE = 'id,displayName:display_name,color,avatarPath:avatar_path';
const LINK =
  'id,documentId:document_id,role,expiresAt:expires_at,revokedAt:revoked_at,createdBy:created_by,createdAt:created_at,name,uses,history';
const memberships = v.array(v.object({ workspaceId: v.string(), role: v.picklist(WORKSPACE_ROLES) }));
const workspaceRows = v.array(v.omit(workspace, ['role']));
/** Maximum number of ids in one `in.(…)` filter, to keep the URL below 8 KB. */
const MAX_PROFILES = 150;

/** Maximum number of ids of one call of `lost_documents`. */
const MAX_LOST = 500;

export function supabaseDirectory(client: SupabaseClient, user: UserId, serverClock: ServerClock): Directory {
  const renewSignIn = signInRenewal(client);
  /** The token may be of an account that a restored server does not know: asking for a new one ends the sign-in. */
  const checkSignIn = <T>(answer: Result<T, WeftError>): Result<T, WeftError> => {
    if (!answer.ok && answer.error.code === 'WF003') renewSignIn();
    return answer;
  };
  /** Lists are compared with what this device saw itself: times are its own clock's. */
  const onDevice = (page: DocumentSummary): DocumentSummary => ({
    ...page,
    createdAt: serverClock.toDevice(page.createdAt),
    updatedAt: serverClock.toDevice(page.updatedAt),
    visitedAt: page.visitedAt === null ? null : serverClock.toDevice(page.visitedAt),
    trashedAt: page.trashedAt === null ? null : serverClock.toDevice(page.trashedAt),
  });
  const changed = async (name: string, args: Record<string, unknown>): Promise<Result<DocumentSummary, WeftError>> => {
    return mapped(await call(client.rpc(name, args), documentSummary), onDevice);
  };
  return {
    async workspaces() {
      // Two small reads instead of an embed: a filter on an embed would drop the workspaces in which the person can
      // only see single pages.
      const [rows, roles] = await Promise.all([
        call(client.from('workspaces').select('id,name,slug,epoch').order('created_at'), workspaceRows),
        call(client.from('workspace_members').select('workspaceId:workspace_id,role').eq('user_id', user), memberships),
      ]);
      if (!rows.ok) return checkSignIn(rows);
      if (!roles.ok) return checkSignIn(roles);
      if (rows.value.length === 0) {
        const own = await call(client.from('profiles').select(PROFILE).eq('id', user), v.array(profile));
        if (!own.ok) return checkSignIn(own);
        if (own.value.length === 0) return checkSignIn(err(weftError('WF003', 'no account of this id')));
      }
      const roleOf = new Map(roles.value.map((row) => [row.workspaceId, row.role]));
      return ok(rows.value.map((row) => ({ ...row, role: roleOf.get(row.id) ?? null })));
    },
    async documents(id, since) {
      const answer = checkSignIn(await call(client.rpc('list_documents', { workspace: id, since }), documentChanges));
      return mapped(answer, ({ documents, ...more }) => ({ ...more, documents: documents.map(onDevice) }));
    },
    createWorkspace: (id, name, document) =>
      call(client.rpc('create_workspace', { id, name, document, schema_version: SCHEMA_VERSION }), createdWorkspace),
    async createDocument({ title, ...document }) {
      const made = await changed('create_document', { ...document, schema_version: SCHEMA_VERSION });
      const args = { document: document.id, seq: 1, title, body_text: '' };
      if (made.ok && title) void callWithoutAnswer(client.rpc('save_text', args));
      return made;
    },
    announceImport: (id, documents) => callWithoutAnswer(client.rpc('announce_import', { workspace: id, documents })),
    async lostDocuments(held) {
      const all = Array.from(held);
      const [lost, ahead]: [DocumentId[], DocumentId[]] = [[], []];
      for (let at = 0; at < all.length; at += MAX_LOST) {
        const some = all.slice(at, at + MAX_LOST);
        const args = { documents: some.map(([id]) => id), known_at: some.map(([, knownAt]) => knownAt) };
        const answer = checkSignIn(await call(client.rpc('lost_documents', args), lostDocuments));
        if (!answer.ok) return answer;
        lost.push(...answer.value.lost);
        ahead.push(...answer.value.ahead);
      }
      return ok({ lost, ahead });
    },
    makeDocumentAgain: ({ id, workspace: workspaceId, parent, rank, title, access, ...page }) =>
      changed('make_document_again', {
        id,
        workspace: workspaceId,
        parent,
        rank,
        title: Array.from(title).slice(0, MAX_TITLE_LENGTH).join(''),
        access,
        open_at_top: page.isOpenToWorkspace,
        known_at: page.heldAt,
        schema_version: SCHEMA_VERSION,
      }),
    moveDocument: (document, parent, rank) => changed('move_document', { document, parent, rank }),
    setDocumentIcon: (document, icon) => changed('set_document_icon', { document, icon }),
    setDocumentTemplate: (document, isTemplate) =>
      changed('set_document_template', { document, is_template: isTemplate }),
    trashDocument: (document) => call(client.rpc('trash_document', { document }), pageCount),
    restoreDocument: (document) => changed('restore_document', { document }),
    purgeDocument: (document) => call(client.rpc('purge_document', { document }), pageCount),
    emptyTrash: (id, documents) => call(client.rpc('empty_trash', { workspace: id, documents }), pageCount),
    async trash(id) {
      const answer = await call(client.rpc('list_trash', { workspace: id }), trashEntries);
      return mapped(answer, (entries) =>
        entries.map((entry) => ({
          ...entry,
          document: onDevice(entry.document),
          trashedAt: serverClock.toDevice(entry.trashedAt),
        })),
      );
    },
    async profiles(users) {
      const found: Profile[] = [];
      for (let at = 0; at < users.length; at += MAX_PROFILES) {
        const some = users.slice(at, at + MAX_PROFILES);
        const answer = await call(client.from('profiles').select(PROFILE).in('id', some), v.array(profile));
        if (!answer.ok) return answer;
        found.push(...answer.value);
      }
      return ok(found);
    },
    updateProfile: (displayName, color) =>
      call(client.rpc('update_profile', { display_name: displayName, color }), profile),
    links: (document) =>
      call(
        client.from('share_links').select(LINK).eq('document_id', document).order('created_at', { ascending: false }),
        v.array(shareLink),
      ),
    createLink: (document, role, expiresAt, name = null, showsHistory = false) =>
      call(
        client.rpc('create_share_link', {
          document,
          role,
          expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
          name,
          history: showsHistory,
        }),
        createdLink,
      ),
    revokeLink: (link) => callWithoutAnswer(client.rpc('revoke_share_link', { link })),
    redeemLink: (secret) => call(client.rpc('redeem_share_link', { secret }), redeemedLink),
  };
}

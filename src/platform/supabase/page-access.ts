// The people who may open a page, and requests for access to it, through PostgREST (the `PageAccess` port of src/state).
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Result, ok } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { DocumentId, RequestId, UserId } from '../../protocol/ids.ts';
import {
  type PagePeople,
  closure,
  losers,
  pagePeople,
  requestAnswer,
  requestList,
} from '../../protocol/people-answers.ts';
import type { DocumentRole } from '../../protocol/roles.ts';
import { call, callWithoutAnswer } from './call.ts';

export function supabasePageAccess(client: SupabaseClient) {
  const run = (name: string, args: Record<string, unknown>) => callWithoutAnswer(client.rpc(name, args));
  return {
    people: (document: DocumentId) => call(client.rpc('document_people', { document }), pagePeople),
    setRole: (document: DocumentId, person: UserId, role: DocumentRole | null) =>
      run('set_document_member', { document, person, role }),
    setAccess: (document: DocumentId, access: PagePeople['access'], revokesLinks: boolean) =>
      run('set_document_access', { document, access, revoke_links: revokesLinks }),
    losers: (document: DocumentId, access: PagePeople['access']) =>
      call(client.rpc('who_loses_access', { document, access }), losers),
    losersByMove: (document: DocumentId, parent: DocumentId | null) =>
      call(client.rpc('who_loses_access_by_move', { document, parent }), losers),
    request: (document: DocumentId, role: DocumentRole, note: string) =>
      run('request_access', { document, role, note }),
    withdrawRequest: (document: DocumentId) => run('withdraw_request', { document }),
    requests: (document: DocumentId) => call(client.rpc('list_requests', { document }), requestList),
    async answerRequest(
      request: RequestId,
      role: DocumentRole | null,
    ): Promise<Result<DocumentRole | null, WeftError>> {
      const answer = await call(client.rpc('answer_request', { request, role }), requestAnswer);
      return answer.ok ? ok(answer.value.role) : answer;
    },
    whyClosed: (document: DocumentId) => call(client.rpc('why_closed', { document }), closure),
  };
}

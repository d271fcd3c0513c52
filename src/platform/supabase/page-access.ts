// The people who may open a page, and requests for access to it, through PostgREST.
import type { SupabaseClient } from '@supabase/supabase-js';
import { call } from 'weft-sync/supabase/call.ts';
import { mapped } from '../../lib/result.ts';
import type { PageAccess } from '../../ports/workspace.ts';
import { closure, losers, pagePeople, requestAnswer, requestList } from '../../protocol/people-answers.ts';
import { functionRunner } from './function-runner.ts';

export function supabasePageAccess(client: SupabaseClient): PageAccess {
  const run = functionRunner(client);
  return {
    people: (document) => call(client.rpc('document_people', { document }), pagePeople),
    setRole: (document, person, role) => run('set_document_member', { document, person, role }),
    setAccess: (document, access, revokesLinks) =>
      run('set_document_access', { document, access, revoke_links: revokesLinks }),
    setCommentReaders: (document, readers) => run('set_comment_readers', { document, readers }),
    losers: (document, access) => call(client.rpc('who_loses_access', { document, access }), losers),
    losersByMove: (document, parent) => call(client.rpc('who_loses_access_by_move', { document, parent }), losers),
    request: (document, role, note) => run('request_access', { document, role, note }),
    withdrawRequest: (document) => run('withdraw_request', { document }),
    requests: (document) => call(client.rpc('list_requests', { document }), requestList),
    async answerRequest(request, role) {
      const answer = await call(client.rpc('answer_request', { request, role }), requestAnswer);
      return mapped(answer, ({ role: given }) => given);
    },
    whyClosed: (document) => call(client.rpc('why_closed', { document }), closure),
  };
}

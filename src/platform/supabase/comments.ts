// The comments of a page, by the functions of the database.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { call, callWithoutAnswer, limitedCall } from 'weft-sync/supabase/call.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { mapped, ok } from '../../lib/result.ts';
import type { Answer } from '../../ports/answer.ts';
import type { Comments } from '../../ports/comments.ts';
import {
  type ChangedThread,
  type CommentAnswer,
  type CommentPage,
  commentAnswer,
  commentPage,
} from '../../protocol/comments.ts';

export function supabaseComments(client: SupabaseClient, { toDevice }: Pick<ServerClock, 'toDevice'>): Comments {
  const onDevice = (thread: ChangedThread): ChangedThread =>
    'removed' in thread
      ? thread
      : {
          ...thread,
          at: toDevice(thread.at),
          resolved: thread.resolved && { ...thread.resolved, at: toDevice(thread.resolved.at) },
          comments: thread.comments.map((one) => ({
            ...one,
            at: toDevice(one.at),
            editedAt: one.editedAt === null ? null : toDevice(one.editedAt),
          })),
        };
  const change = async (name: string, args: Record<string, unknown>): Answer<CommentAnswer> =>
    mapped(await call(client.rpc(name, args), commentAnswer), (one) => ({ ...one, thread: onDevice(one.thread) }));
  const pageAfter = (document: DocumentId, after: number): Answer<CommentPage> =>
    limitedCall(client.rpc('list_comments', { document, after }), commentPage);
  return {
    async list(document, after) {
      // A thread that changes between two answers is in both. A complete list has no removed ones.
      const threads = new Map<string, ChangedThread>();
      for (let from = after; ;) {
        const page = await pageAfter(document, from);
        if (!page.ok) return page;
        for (const one of page.value.threads) {
          if (after === 0 && 'removed' in one) threads.delete(one.id);
          else threads.set(one.id, onDevice(one));
        }
        const { more, ...last } = page.value;
        if (!more) return ok({ ...last, threads: [...threads.values()] });
        from = last.change;
      }
    },
    start: (document, thread, comment, anchor, body) =>
      change('start_thread', { document, thread, comment, anchor, body }),
    reply: (thread, comment, body) => change('add_comment', { thread, comment, body }),
    edit: (comment, body) => change('edit_comment', { comment, body }),
    async remove(comment) {
      const answer = await change('delete_comment', { comment });
      if (answer.ok || answer.error.code !== 'WF001') return answer;
      // A call that brings it may be on its way: of a tab that is gone, or one that was given up.
      const withdrawn = await callWithoutAnswer(client.rpc('withdraw_comment', { comment }));
      return withdrawn.ok ? answer : withdrawn;
    },
    resolve: (thread, isResolved) => change('resolve_thread', { thread, is_resolved: isResolved }),
    react: (comment, emoji, isSet) => change('set_reaction', { comment, emoji, is_set: isSet }),
    move: (thread, anchor, known) => change('move_thread', { thread, anchor, known }),
    announce: (thread, isWriting) => callWithoutAnswer(client.rpc('announce_reply', { thread, is_writing: isWriting })),
    markRead: (document, upTo) => callWithoutAnswer(client.rpc('mark_comments_read', { document, change: upTo })),
  };
}

// The comments of the page behind a watch link.
import type { SupabaseClient } from '@supabase/supabase-js';
import { limitedCall } from 'weft-sync/supabase/call.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { ok } from '../../lib/result.ts';
import type { LinkComments } from '../../ports/comments.ts';
import { type ChangedLinkThread, linkCommentPage } from '../../protocol/comments.ts';

export function supabaseLinkComments(
  client: SupabaseClient,
  { toDevice }: Pick<ServerClock, 'toDevice'>,
): LinkComments {
  const onDevice = (thread: ChangedLinkThread): ChangedLinkThread =>
    'removed' in thread
      ? thread
      : {
          ...thread,
          at: toDevice(thread.at),
          resolved: thread.resolved === null ? null : toDevice(thread.resolved),
          comments: thread.comments.map((one) => ({
            ...one,
            at: toDevice(one.at),
            editedAt: one.editedAt === null ? null : toDevice(one.editedAt),
          })),
        };
  return {
    async list(secret, after) {
      // A thread that changes between two answers is in both.
      const threads = new Map<string, ChangedLinkThread>();
      for (let from = after; ;) {
        const page = await limitedCall(client.rpc('list_link_comments', { secret, after: from }), linkCommentPage);
        if (!page.ok) return page;
        for (const one of page.value.threads) threads.set(one.id, onDevice(one));
        if (!page.value.more) return ok({ change: page.value.change, threads: [...threads.values()] });
        from = page.value.change;
      }
    },
  };
}

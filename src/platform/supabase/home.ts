// Notifications, visits, favourites, activity and the numbers of the home screen.
import type { SupabaseClient } from '@supabase/supabase-js';
import { call, callWithoutAnswer } from 'weft-sync/supabase/call.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { mapped, ok } from '../../lib/result.ts';
import type { Home, Inbox } from '../../ports/workspace.ts';
import { activityList, homeSummary, notificationList, unreadCount, visit } from '../../protocol/home-answers.ts';

export function supabaseInbox(client: SupabaseClient, serverClock: ServerClock): Inbox {
  return {
    async list(before, limit) {
      const answer = await call(client.rpc('list_notifications', { before, row_limit: limit }), notificationList);
      if (!answer.ok) return answer;
      const notifications = answer.value.notifications.map((one) => ({
        ...one,
        at: serverClock.toDevice(one.at),
        readAt: one.readAt === null ? null : serverClock.toDevice(one.readAt),
      }));
      return ok({ ...answer.value, notifications });
    },
    async markRead(ids, isRead) {
      const answer = await call(client.rpc('mark_read', { ids, is_read: isRead }), unreadCount);
      return mapped(answer, ({ unread }) => unread);
    },
  };
}

export function supabaseHome(client: SupabaseClient, serverClock: ServerClock): Home {
  return {
    async activity(workspace, before, limit) {
      const answer = await call(client.rpc('list_activity', { workspace, before, row_limit: limit }), activityList);
      return mapped(answer, (list) =>
        list.map((one) => ({
          ...one,
          at: serverClock.toDevice(one.at),
          until: serverClock.toDevice(one.until),
        })),
      );
    },
    summary: (workspace) => call(client.rpc('home_summary', { workspace }), homeSummary),
    async markVisited(document, seq) {
      const answer = await call(client.rpc('mark_visited', { document, seq }), visit);
      if (!answer.ok) return answer;
      const onDevice = (seen: { readonly seenSeq: number; readonly seenAt: number }) => ({
        ...seen,
        seenAt: serverClock.toDevice(seen.seenAt),
      });
      const { before, ...now } = answer.value;
      return ok({ ...onDevice(now), before: before && onDevice(before) });
    },
    setFavourite: (document, rank) => callWithoutAnswer(client.rpc('set_favourite', { document, rank })),
  };
}

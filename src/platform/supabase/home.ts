// Notifications, visits, favourites, activity and the numbers of the home screen (the ports `Inbox` and `Home` of src/state).
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Result, ok } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import {
  type ActivityEntry,
  type HomeSummary,
  type NotificationList,
  type Visit,
  activityList,
  favourite,
  homeSummary,
  notificationList,
  unreadCount,
  visit,
} from '../../protocol/home-answers.ts';
import type { DocumentId, NotificationId, WorkspaceId } from '../../protocol/ids.ts';
import { call } from './call.ts';
import type { ServerClock } from './server-clock.ts';

type Answer<T> = Promise<Result<T, WeftError>>;

export function supabaseInbox(client: SupabaseClient, serverClock: ServerClock) {
  return {
    async list(before: NotificationId | null, limit: number): Answer<NotificationList> {
      const answer = await call(client.rpc('list_notifications', { before, row_limit: limit }), notificationList);
      if (!answer.ok) return answer;
      const notifications = answer.value.notifications.map((one) => ({
        ...one,
        at: serverClock.toDevice(one.at),
        readAt: one.readAt === null ? null : serverClock.toDevice(one.readAt),
      }));
      return ok({ ...answer.value, notifications });
    },
    async markRead(ids: readonly NotificationId[] | null, isRead: boolean): Answer<number> {
      const answer = await call(client.rpc('mark_read', { ids, is_read: isRead }), unreadCount);
      return answer.ok ? ok(answer.value.unread) : answer;
    },
  };
}

export function supabaseHome(client: SupabaseClient, serverClock: ServerClock) {
  return {
    async activity(workspace: WorkspaceId, before: string | null, limit: number): Answer<readonly ActivityEntry[]> {
      const answer = await call(client.rpc('list_activity', { workspace, before, row_limit: limit }), activityList);
      if (!answer.ok) return answer;
      return ok(
        answer.value.map((one) => ({
          ...one,
          at: serverClock.toDevice(one.at),
          until: serverClock.toDevice(one.until),
        })),
      );
    },
    summary: (workspace: WorkspaceId): Answer<HomeSummary> =>
      call(client.rpc('home_summary', { workspace }), homeSummary),
    async markVisited(document: DocumentId, seq: number): Answer<Visit> {
      const answer = await call(client.rpc('mark_visited', { document, seq }), visit);
      if (!answer.ok) return answer;
      const onDevice = (seen: { readonly seenSeq: number; readonly seenAt: number }) => ({
        ...seen,
        seenAt: serverClock.toDevice(seen.seenAt),
      });
      const { before, ...now } = answer.value;
      return ok({ ...onDevice(now), before: before && onDevice(before) });
    },
    async setFavourite(document: DocumentId, rank: string | null): Answer<void> {
      const answer = await call(client.rpc('set_favourite', { document, rank }), favourite);
      return answer.ok ? ok(undefined) : answer;
    },
  };
}

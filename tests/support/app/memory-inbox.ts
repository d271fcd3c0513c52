// The notifications of one person in memory, for the views.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Result } from '../../../src/lib/result.ts';
import type { Inbox } from '../../../src/ports/workspace.ts';
import type { Notification } from '../../../src/protocol/home-answers.ts';
import { parseNotificationId } from '../../../src/protocol/ids.ts';

export function notificationOf(n: number, kind: Notification['kind'], more: Partial<Notification> = {}): Notification {
  const id = parseNotificationId(`00000009-0000-4000-8000-${String(n).padStart(12, '0')}`);
  if (id === null) throw new Error('not an id');
  return {
    id,
    kind,
    workspace: null,
    document: null,
    isReadable: true,
    workspaceName: 'Northquay',
    title: null,
    actor: null,
    actorName: 'Bob Holm',
    actorColor: 'rust',
    detail: {},
    state: null,
    at: n * 1_000,
    readAt: null,
    ...more,
  };
}

export function memoryInbox(answer: <T>(name: string, value: () => T) => Promise<Result<T, WeftError>>) {
  const state = { notifications: [] as Notification[] };
  const unread = () => state.notifications.filter(({ readAt }) => readAt === null).length;
  const inbox: Inbox = {
    list: (before, limit) =>
      answer('listNotifications', () => {
        const sorted = state.notifications.toSorted((a, b) => b.at - a.at);
        const from = before === null ? 0 : sorted.findIndex(({ id }) => id === before) + 1;
        const notifications = sorted.slice(from, from + limit);
        return { unread: unread(), notifications, received: notifications.length };
      }),
    markRead: (ids, isRead) =>
      answer('markRead', () => {
        state.notifications = state.notifications.map((one) =>
          ids === null || ids.includes(one.id) ? { ...one, readAt: isRead ? 1 : null } : one,
        );
        return unread();
      }),
  };
  return { state, inbox };
}

// Parsers for a person's notifications and visits, and for the activity in a workspace (SPECIFICATION.md,
// "Exact shapes").
import * as v from 'valibot';
import { branded, count, documentId, instant, userId } from 'weft-sync/protocol/shapes.ts';
import { COLORS } from './colors.ts';
import { parseNotificationId } from './ids.ts';
import { commentId, inviteId, requestId, threadId, workspaceId } from './shapes.ts';

const seen = v.object({ seenSeq: count, seenAt: instant });
/** `before`: the caller's visit before this call; null if there was none. A database from before this field has none. */
export const visit = v.object({ ...seen.entries, before: v.optional(v.nullable(seen), null) });
export type Visit = v.InferOutput<typeof visit>;

const notificationDetail = v.object({
  block: v.optional(v.string()),
  thread: v.optional(threadId),
  comment: v.optional(commentId),
  excerpt: v.optional(v.string()),
  invite: v.optional(inviteId),
  request: v.optional(requestId),
  note: v.optional(v.string()),
  /** Null in the answer to a request that was denied. */
  role: v.optional(v.nullable(v.string())),
});

const KINDS = ['mention', 'reply', 'invite', 'request', 'answered', 'shared', 'role'] as const;

/** Exported for the copy on the device. */
export const notification = v.object({
  id: branded(parseNotificationId),
  kind: v.picklist(KINDS),
  workspace: v.nullable(workspaceId),
  document: v.nullable(documentId),
  /** False if the person may no longer see the page or workspace: then everything below but the times is empty. */
  isReadable: v.boolean(),
  workspaceName: v.nullable(v.string()),
  title: v.nullable(v.string()),
  actor: v.nullable(userId),
  /** Name and color come along: someone who asks or invites may have no profile that this person can see. */
  actorName: v.nullable(v.string()),
  actorColor: v.nullable(v.picklist(COLORS)),
  /**
   * By kind: `excerpt` of a mention or reply, with its `block`, or its `thread` and `comment`; `invite`; `request` with its `note`;
   * `role`.
   */
  detail: notificationDetail,
  /** The state of a request or an invitation; null for others. */
  state: v.nullable(v.picklist(['open', 'accepted', 'denied', 'ended'])),
  at: instant,
  readAt: v.nullable(instant),
});
export type Notification = v.InferOutput<typeof notification>;

/** Without the kinds that only a newer app knows. `received`: how many the server sent. */
export const notificationList = v.pipe(
  v.object({ unread: count, notifications: v.array(v.looseObject({ kind: v.string() })) }),
  v.transform(({ unread, notifications }) => ({
    unread,
    notifications: notifications.filter(({ kind }) => KINDS.some((known) => known === kind)),
    received: notifications.length,
  })),
  v.object({ unread: count, notifications: v.array(notification), received: count }),
);
export type NotificationList = v.InferOutput<typeof notificationList>;

/** The answer of `mark_read`: how many notifications are still unread. */
export const unreadCount = v.object({ unread: count });

export const activityEntry = v.object({
  id: v.string(),
  /** Null if someone joined or left. */
  document: v.nullable(documentId),
  title: v.nullable(v.string()),
  actor: v.nullable(userId),
  /** `other`: a kind that only a newer app knows. It is not shown, but the list goes on behind it. */
  kind: v.fallback(
    v.picklist(['created', 'edited', 'moved', 'shared', 'trashed', 'restored', 'joined', 'left', 'other']),
    'other',
  ),
  detail: v.record(v.string(), v.unknown()),
  at: instant,
  /** The end of an editing session; otherwise the same as `at`. */
  until: instant,
});
export const activityList = v.array(activityEntry);
export type ActivityEntry = v.InferOutput<typeof activityEntry>;

export const homeSummary = v.object({
  /**
   * Of at most 50 pages: edits in each of the last 60 minutes, the present one last. `people`: at most 12 on a page,
   * none if the caller may not know who wrote.
   */
  chart: v.array(
    v.object({
      document: documentId,
      minutes: v.array(count),
      people: v.array(v.object({ user: userId, minutes: v.array(count) })),
    }),
  ),
  /** Edits of others since the last visit, at most 100 each. */
  changes: v.array(v.object({ document: documentId, count })),
});
export type HomeSummary = v.InferOutput<typeof homeSummary>;

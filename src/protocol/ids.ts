// Ids of the workspace, beside those of the log (weft-sync/protocol/ids.ts).
import { type Branded, type LinkSecret, idParser } from 'weft-sync/protocol/ids.ts';

export type WorkspaceId = Branded<'WorkspaceId'>;
export type LinkId = Branded<'LinkId'>;
export type InviteId = Branded<'InviteId'>;
/** A request for access to a page. */
export type RequestId = Branded<'RequestId'>;
export type NotificationId = Branded<'NotificationId'>;
/** A picture or file of a page. The device creates the id, so the page contains it before the server knows of it. */
export type AttachmentId = Branded<'AttachmentId'>;
/** A version in a page's history. The device creates the id, or the database before it puts edits back. */
export type VersionId = Branded<'VersionId'>;
/** A comment thread. The device creates the ids of threads and comments, so that a call may be repeated. */
export type ThreadId = Branded<'ThreadId'>;
export type CommentId = Branded<'CommentId'>;
/** Which database a project has; a restored backup and a clone have that of their original. */
export type DatabaseId = Branded<'DatabaseId'>;
/** Of a share link or an invitation: 128 random bits as 22 characters of base64url. */
const SECRET = /^[A-Za-z0-9_-]{22}$/;

export const parseWorkspaceId = idParser<WorkspaceId>();
export const parseLinkId = idParser<LinkId>();
export const parseInviteId = idParser<InviteId>();
export const parseRequestId = idParser<RequestId>();
export const parseNotificationId = idParser<NotificationId>();
export const parseAttachmentId = idParser<AttachmentId>();
export const parseVersionId = idParser<VersionId>();
export const parseThreadId = idParser<ThreadId>();
export const parseCommentId = idParser<CommentId>();
export const parseDatabaseId = idParser<DatabaseId>();
export const parseLinkSecret = idParser<LinkSecret>(SECRET);

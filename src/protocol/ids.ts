// Ids as the database and URLs contain them. Only the parsers below create the branded types.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Branded<'UserId'>;
export type WorkspaceId = Branded<'WorkspaceId'>;
export type DocumentId = Branded<'DocumentId'>;
/** One open document in one tab. The tab creates the id when it opens the document, and never reuses it. */
export type SessionId = Branded<'SessionId'>;
export type LinkId = Branded<'LinkId'>;
export type InviteId = Branded<'InviteId'>;
/** A request for access to a page. */
export type RequestId = Branded<'RequestId'>;
export type NotificationId = Branded<'NotificationId'>;
/** A picture or file of a page. The device creates the id, so the page contains it before the server knows of it. */
export type AttachmentId = Branded<'AttachmentId'>;
/** A named state of a page. The client makes it. */
export type VersionId = Branded<'VersionId'>;
/** Which database a project has; a restored backup and a clone have that of their original. */
export type DatabaseId = Branded<'DatabaseId'>;
/** The part of a share link or an invitation after `#`: 128 random bits as 22 characters of base64url. */
export type LinkSecret = Branded<'LinkSecret'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SECRET = /^[A-Za-z0-9_-]{22}$/;

const parser =
  <Id extends string>(form: RegExp) =>
  (text: string): Id | null =>
    form.test(text) ? (text as Id) : null;

export const parseUserId = parser<UserId>(UUID);
export const parseWorkspaceId = parser<WorkspaceId>(UUID);
export const parseDocumentId = parser<DocumentId>(UUID);
export const parseSessionId = parser<SessionId>(UUID);
export const parseLinkId = parser<LinkId>(UUID);
export const parseInviteId = parser<InviteId>(UUID);
export const parseRequestId = parser<RequestId>(UUID);
export const parseNotificationId = parser<NotificationId>(UUID);
export const parseAttachmentId = parser<AttachmentId>(UUID);
export const parseVersionId = parser<VersionId>(UUID);
export const parseDatabaseId = parser<DatabaseId>(UUID);
export const parseLinkSecret = parser<LinkSecret>(SECRET);

/** The author of a new page's first row: no real session, and a reserved client id. */
export const SEED_SESSION = '00000000-0000-0000-0000-000000000000' as SessionId;
export const SEED_CLIENT_ID = 1;
/** Marks an outbox that puts back what the server lost (HI3): its edits are of many sessions. */
export const PUT_BACK_CLIENT_ID = 2;
/** Lower client ids are reserved; `start_session` refuses them. */
export const FIRST_CLIENT_ID = 1024;

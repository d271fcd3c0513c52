// Ids as they stand in the database and in addresses. Only the parsers below make the brands.

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Branded<'UserId'>;
export type WorkspaceId = Branded<'WorkspaceId'>;
export type DocumentId = Branded<'DocumentId'>;
/** One open document in one tab; made when the tab opens it, never reused. */
export type SessionId = Branded<'SessionId'>;
export type LinkId = Branded<'LinkId'>;
/** A picture or file of a page; made by the device, so that it stands in the page before the server hears of it. */
export type AttachmentId = Branded<'AttachmentId'>;
/** What stands behind `#` in a share link: 128 random bits, base64url (22 characters). */
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
export const parseAttachmentId = parser<AttachmentId>(UUID);
export const parseLinkSecret = parser<LinkSecret>(SECRET);

/** The author of the seed row that `create_document` writes: nobody's session, reserved client id. */
export const SEED_SESSION = '00000000-0000-0000-0000-000000000000' as SessionId;
export const SEED_CLIENT_ID = 1;
/** Client ids below this are reserved; `start_session` refuses them. */
export const FIRST_CLIENT_ID = 1024;

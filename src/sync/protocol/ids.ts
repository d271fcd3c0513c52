// Ids as the database and URLs contain them. The branded types come from parsers, which check the form.

declare const brand: unique symbol;
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Branded<'UserId'>;
export type DocumentId = Branded<'DocumentId'>;
/** One open document in one tab. The tab creates the id when it opens the document, and never reuses it. */
export type SessionId = Branded<'SessionId'>;
/** The secret in a share link. The program that makes links decides its form. */
export type LinkSecret = Branded<'LinkSecret'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Null for everything that does not have this form. */
export const idParser =
  <Id extends string>(form = UUID) =>
  (text: string): Id | null =>
    form.test(text) ? (text as Id) : null;

export const parseUserId = idParser<UserId>();
export const parseDocumentId = idParser<DocumentId>();
export const parseSessionId = idParser<SessionId>();

/**
 * The author of a new page's first row, with a reserved client id, and of rows of no session: put back (HI4), or of a
 * new history (HI9).
 */
export const SEED_SESSION = '00000000-0000-0000-0000-000000000000' as SessionId;
export const SEED_CLIENT_ID = 1;
/** Marks an outbox that puts back what the server lost (HI3): its edits are of many sessions. */
export const PUT_BACK_CLIENT_ID = 2;
/** Lower client ids are reserved; `start_session` refuses them. */
export const FIRST_CLIENT_ID = 1024;

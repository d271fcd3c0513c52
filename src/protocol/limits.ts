// Limits of the workspace, beside those of the log (weft-sync/protocol/limits.ts). Where the database checks one too, it has the
// same number.

/** Raised when the app starts to write something that older apps would damage, such as a new block or attribute. */
export const SCHEMA_VERSION = 4;

/** Of a person, a workspace or a link. This and the next two are in code points. */
export const MAX_NAME_LENGTH = 80;
export const MAX_TITLE_LENGTH = 200;
/** The note of a request for access. */
export const MAX_NOTE_LENGTH = 500;
/** What the embedded Realtime can handle, all pages together. With `WEFT_PLAN`, that plan's number counts instead. */
export const EMBEDDED_MESSAGES_PER_SECOND = 4_000;
/** A page at the top is level 1. */
export const MAX_TREE_LEVELS = 12;
export const MIN_PASSWORD_LENGTH = 8;

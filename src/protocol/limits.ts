// Constants of SPECIFICATION.md, points 5 and 9, that more than one lane needs. The SQL holds the same numbers.

/** Raised when the app writes something that older apps would damage (an unknown node, a new attribute). */
export const SCHEMA_VERSION = 2;

/** Numbers of edits are an `integer` of the database. */
export const MAX_N = 2 ** 31 - 1;
export const MAX_UPDATE_BYTES = 1024 * 1024;
/** Parts of other sessions that one append brings; together, because a row is never split. */
export const MAX_DEPENDENCIES = 1000;
export const MAX_DEPENDENCIES_BYTES = 4 * 1024 * 1024;
export const MAX_ANSWER_BYTES = 1024 * 1024;
export const MAX_ROWS_PER_ANSWER = 500;
/** Deflated. */
export const MAX_SNAPSHOT_BYTES = 20 * 1024 * 1024;
/** A page is refused growth at 20 MiB; what claims to be more than three times that is no snapshot of one. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
export const MAX_WATCH_MESSAGE_BYTES = 200 * 1024;
export const MAX_LIVE_UPDATE_BYTES = 16 * 1024;
/** Between two tabs of one browser. */
export const MAX_TAB_MESSAGE_BYTES = 1024 * 1024;
export const MAX_NAME_LENGTH = 80;
export const MAX_TITLE_LENGTH = 200;
export const MIN_PASSWORD_LENGTH = 8;

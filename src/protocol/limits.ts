// Limits that several layers need (SPECIFICATION.md, points 5 and 9). The migrations have the same numbers. The size of a page is
// limited in the app alone: `PAGE_LIMITS` in src/sync/session/page-size.ts.

/** Raised when the app starts to write something that older apps would damage, such as a new block or attribute. */
export const SCHEMA_VERSION = 4;

/** The number of an edit is an `integer` in the database. */
export const MAX_N = 2 ** 31 - 1;
export const MAX_UPDATE_BYTES = 1024 * 1024;
/** Limits for all dependencies of one append together, because a row is never split. */
export const MAX_DEPENDENCIES = 1000;
export const MAX_DEPENDENCIES_BYTES = 4 * 1024 * 1024;
export const MAX_ANSWER_BYTES = 1024 * 1024;
export const MAX_ROWS_PER_ANSWER = 500;
/** The size of a deflated snapshot. */
export const MAX_SNAPSHOT_BYTES = 20 * 1024 * 1024;
/**
 * The size of an inflated snapshot. A page cannot grow beyond 20 MiB, so a state of three times that size is not one of
 * a page.
 */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
export const MAX_WATCH_MESSAGE_BYTES = 200 * 1024;
export const MAX_LIVE_UPDATE_BYTES = 16 * 1024;
/** The size of a message between two tabs of one browser. */
export const MAX_TAB_MESSAGE_BYTES = 1024 * 1024;
export const MAX_NAME_LENGTH = 80;
export const MAX_TITLE_LENGTH = 200;
/** The load that the embedded Realtime can handle, and that keeps messages cheap for the people of a page. */
export const EMBEDDED_MESSAGES_PER_SECOND = 4_000;
/** After a longer time without a row, a new editing session of the page's history begins: `list_sittings` has the same. */
export const EDITING_SESSION_PAUSE_MS = 30 * 60_000;
/** A page at the top is level 1. */
export const MAX_TREE_LEVELS = 12;
export const MIN_PASSWORD_LENGTH = 8;

// Limits of the log and its messages (SPECIFICATION.md, sections 5 and 9). Where the database checks one too, it has the same number.
// The size of a page is limited on the device alone: `PAGE_LIMITS` in session/page-size.ts.

/** The number of an edit is an `integer` in the database. */
export const MAX_N = 2 ** 31 - 1;
export const MAX_UPDATE_BYTES = 1024 * 1024;
/** Limits for all dependencies of one append together, because a row is never split. */
export const MAX_DEPENDENCIES = 1000;
export const MAX_DEPENDENCIES_BYTES = 4 * 1024 * 1024;
export const MAX_ANSWER_BYTES = 1024 * 1024;
export const MAX_ROWS_PER_ANSWER = 500;
/** Sessions that one call of `session_info` may name. */
export const MAX_SESSIONS_ASKED = 1000;
/** The size of a deflated snapshot. */
export const MAX_SNAPSHOT_BYTES = 20 * 1024 * 1024;
/**
 * The size of an inflated snapshot. The editor lets no page grow beyond 20 MiB (SZ3), so a state of three times that
 * size is hardly that of a page.
 */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
/** In place of a larger message of rows the database publishes `fetch` (row.ts). */
export const MAX_WATCH_MESSAGE_BYTES = 200 * 1024;
/** The largest that an app sends; it reads some that are larger (live-update.ts). */
export const MAX_LIVE_UPDATE_BYTES = 16 * 1024;
/** The size of a message between two tabs of one browser. */
export const MAX_TAB_MESSAGE_BYTES = 1024 * 1024;
/** After a longer time without a row, a new editing session of the page's history begins: `list_sittings` has the same. */
export const EDITING_SESSION_PAUSE_MS = 30 * 60_000;

// Divides the project's messages per second among the pages on which people write: Realtime counts those of all pages together,
// and closes channels above its limit.

/**
 * All pages together, for their writers and watchers; `weft.watch_interval` has the same shares. The rest is for the topics of
 * workspaces and people, and for the seconds until a new page is known to the others.
 */
const USABLE_SHARE = 0.8;
/** One page alone leaves the rest to pages that open next. */
const MAX_PAGE_SHARE = 0.5;

/** The messages per second that each of `busyPages` may cause; `projectBudget` is what the project's plan allows. */
export const pageBudget =
  (projectBudget: number) =>
  (busyPages: number): number =>
    projectBudget * Math.min(MAX_PAGE_SHARE, USABLE_SHARE / Math.max(1, busyPages));

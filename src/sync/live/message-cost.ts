// The cost of a page's Realtime messages, as Supabase counts them: one when it is sent, one for everyone who receives
// it. `LivePace` spends by this arithmetic, and `npm run bench -- scale` computes the limits of pages and plans with
// it.
//
// Counted: live updates with text or a caret, those that only name the head, rows and presenters' places that the database
// publishes, on the live topic, the view topic and the watch topics. Not counted: presence, which has a limit of its own and is
// sent when someone comes or goes; heartbeats of sockets, joins, and calls over HTTP, which are no messages.

/** The database publishes to watchers no more often; the message has all rows since the last. */
export const WATCH_INTERVAL_MS = 1_000;
/** The database publishes a presenter's place no more often. */
export const PRESENT_INTERVAL_MS = 500;
/** However many people watch, the writers keep this part of the page's budget: the page is for them. */
const WRITERS_MIN_SHARE = 1 / 4;
/** While someone presents, the watchers' part is divided between rows and the presenter's places. */
const PLACES_SHARE = 1 / 2;

/** One message to everyone else on the page, and to those who watch it. */
export const costOfMessage = (others: number, watching = 0): number => 1 + others + watching;

/** The time between two messages of rows to watchers, ms. The database computes the same (`weft.watch_interval`). */
export const watchInterval = (pageBudget: number, watching: number, isPresenting = false): number =>
  Math.max(
    WATCH_INTERVAL_MS,
    (1_000 * costOfMessage(0, watching)) / (watchersBudget(pageBudget) * (isPresenting ? 1 - PLACES_SHARE : 1)),
  );

/** The time between two places of a presenter, ms. Without watchers the whole budget of the page counts. */
export const placeInterval = (pageBudget: number, others: number, watching: number): number =>
  Math.max(
    PRESENT_INTERVAL_MS,
    (1_000 * costOfMessage(others)) / pageBudget,
    watching === 0 ? 0 : (1_000 * costOfMessage(0, watching)) / (watchersBudget(pageBudget) * PLACES_SHARE),
  );

/** Messages per second that go to watchers while someone writes. */
export const costOfWatching = (pageBudget: number, watching: number): number =>
  watching === 0 ? 0 : (1_000 * costOfMessage(0, watching)) / watchInterval(pageBudget, watching);

/** Messages per second that watchers may receive. */
const watchersBudget = (pageBudget: number): number => (1 - WRITERS_MIN_SHARE) * pageBudget;

/** Messages per second that the page leaves to its writers, for live updates, carets, heads and rows on the live topic. */
export const writersBudget = (pageBudget: number, watching: number): number =>
  pageBudget - costOfWatching(pageBudget, watching);

/** The time between two messages of each of the writers, so that all of them together stay within `budget`. */
export const writersInterval = (budget: number, writers: number, others: number): number =>
  (1_000 * costOfMessage(others) * writers) / budget;

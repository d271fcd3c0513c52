// What a page's Realtime messages cost, as Supabase counts them: one when it is sent, one for everybody who receives it. The one
// place with this arithmetic; `LivePace` spends by it, and `npm run bench -- scale` computes by it what pages and plans bear.
//
// Counted: live updates with text or a caret, those that only name the head, rows and presenters' places that the database
// publishes, on the live topic, the view topic and the watch topics. Not counted: presence, which has a limit of its own and is
// sent when somebody comes or goes; heartbeats of sockets, joins, and calls over HTTP, which are no messages.

/** While somebody writes, the database publishes on a watch topic this often; the message has all rows since the last. */
export const WATCH_MESSAGES_PER_SECOND = 1;
/** However many watch, the writers keep this part of the page's budget: they are who the page is for. */
const WRITERS_MIN_SHARE = 1 / 4;

/** One message to everybody else on the page, and to those who watch it. */
export const costOfMessage = (others: number, watching = 0): number => 1 + others + watching;

/** Messages per second that go to watchers while somebody writes. */
export const costOfWatching = (watching: number): number =>
  watching === 0 ? 0 : WATCH_MESSAGES_PER_SECOND * costOfMessage(0, watching);

/** Messages per second that the page leaves to its writers, for live updates, carets, heads and rows on the live topic. */
export const writersBudget = (pageBudget: number, watching: number): number =>
  Math.max(WRITERS_MIN_SHARE * pageBudget, pageBudget - costOfWatching(watching));

/** The time between two messages of each of the writers, so that all of them together stay within `budget`. */
export const writersInterval = (budget: number, writers: number, others: number): number =>
  (1_000 * costOfMessage(others) * writers) / budget;

// Parsers for the answers of a page's log functions (SPECIFICATION.md, "Exact shapes"). The first screen needs none of them.
import * as v from 'valibot';
import { fromBase64 } from '../../lib/bytes.ts';
import { parseSessionId } from './ids.ts';
import { presentingAnswer, watchers } from './presenting.ts';
import { decodeRows } from './row.ts';
import { branded, count, documentId, documentRole, instant, userId } from './shapes.ts';

const sessionId = branded(parseSessionId);
const bytes = v.pipe(
  v.string(),
  v.rawTransform<string, Uint8Array<ArrayBuffer>>(({ dataset, addIssue, NEVER }) => {
    const decoded = fromBase64(dataset.value);
    if (decoded !== null) return decoded;
    addIssue({ message: 'malformed base64' });
    return NEVER;
  }),
);
/** A row message of kind "rows" (row.ts) in base64. */
export const rows = v.pipe(
  bytes,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const message = decodeRows(dataset.value);
    if (message.ok && message.value.kind === 'rows') return message.value.rows;
    addIssue({ message: message.ok ? 'not rows' : message.error.detail });
    return NEVER;
  }),
);

const snapshot = v.object({
  seq: count,
  /**
   * When the row `seq` was written (HI1), in ms since 1970. Null: the log does not have it any more, or the answer does
   * not say.
   */
  at: v.optional(v.nullable(count), null),
  state: bytes,
  sha256: v.string(),
});

/** SN11: an editor should save a snapshot, because people without the history would get older rows. */
const snapshotWanted = v.optional(v.boolean());

/** The document itself. The database answers with more, which is for lists of pages. */
export const documentFacts = v.object({ title: v.string(), updatedAt: instant, updatedBy: v.nullable(userId) });
export type DocumentFacts = v.InferOutput<typeof documentFacts>;

export const openAnswer = v.object({
  document: documentFacts,
  role: documentRole,
  epoch: v.string(),
  head: count,
  /** When the head was written; the answer may hold no row, because a snapshot contains it or the caller has it. */
  changedAt: instant,
  /** The row at which title and text were copied for lists and search. */
  textSeq: count,
  schemaVersion: count,
  snapshot: v.nullable(snapshot),
  snapshotWanted,
  rows,
  more: v.boolean(),
  presenting: presentingAnswer,
  /** When the page's history began again, in ms since 1970; null: never (HI9). */
  historyBeganAt: v.optional(v.nullable(count), null),
  /** Edits on devices from before this time that the log lacks are not put back (HI5), in ms since 1970. */
  finalRestoreAt: v.optional(v.nullable(count), null),
});
export type OpenAnswer = v.InferOutput<typeof openAnswer>;

/** A database that lacks the newest migration publishes once a second, and does not say when. */
const PUBLISH_IN_MS = 1_000;

export const appendAnswer = v.object({
  /**
   * The row that holds `n_to`. Null after a gap or an overlap: send again from `lastN + 1` (LG3); of `put_back`:
   * nothing was appended.
   */
  seq: v.nullable(count),
  lastN: count,
  head: count,
  epoch: v.string(),
  role: documentRole,
  rows,
  more: v.boolean(),
  snapshotWanted,
  /** The watch topics got a message too short a time ago: call `publish_pending` in `publishIn` milliseconds. */
  unpublished: v.boolean(),
  publishIn: v.optional(count, PUBLISH_IN_MS),
});
export type AppendAnswer = v.InferOutput<typeof appendAnswer>;

/** `publishIn`: as above, if rows still wait. */
export const publishAnswer = v.object({ publishedSeq: count, publishIn: v.optional(count, PUBLISH_IN_MS) });
export type PublishAnswer = v.InferOutput<typeof publishAnswer>;

export const rowsAnswer = v.object({
  rows,
  head: count,
  more: v.boolean(),
  epoch: v.string(),
  role: documentRole,
  snapshotWanted,
  /** The schema version that an app must know to edit the page once it has these rows. */
  schemaVersion: v.optional(count),
  /** As in `openAnswer`. A database of an earlier release has it only there, so a link's watcher does not learn it. */
  presenting: presentingAnswer,
  watchers: v.optional(v.nullable(watchers)),
});
export type RowsAnswer = v.InferOutput<typeof rowsAnswer>;

/** The log up to row `until`: the one that was asked for, or the head if that is older. */
export const logAnswer = v.object({
  snapshot: v.nullable(snapshot),
  rows,
  until: count,
  more: v.boolean(),
  schemaVersion: count,
});
export type LogAnswer = v.InferOutput<typeof logAnswer>;

export const startAnswer = v.object({ clientId: count, lastN: count });
export type StartAnswer = v.InferOutput<typeof startAnswer>;

export const snapshotClaim = v.object({
  granted: v.boolean(),
  /** The end of the claim, even if someone else has it. */
  until: instant,
  head: count,
  /** The row of the newest stored snapshot; 0 if there is none. */
  snapshotSeq: count,
});
export type SnapshotClaim = v.InferOutput<typeof snapshotClaim>;

export const savedSnapshot = v.object({ seq: count });

/** `busyPages`: on how many pages of the project people write (`announce_session`). */
export const announcement = v.object({ busyPages: count });
export type Announcement = v.InferOutput<typeof announcement>;

export const sessionInfos = v.array(
  /**
   * Without a client id the session is announced, and has not been registered to write. `role`: null when the user may
   * not see the page any more.
   */
  v.object({
    session: sessionId,
    clientId: v.nullable(count),
    user: userId,
    lastN: count,
    role: v.nullable(documentRole),
  }),
);
export type SessionInfo = v.InferOutput<typeof sessionInfos>[number];

export const watchAnswer = v.object({
  documentId,
  title: v.string(),
  topic: v.string(),
  role: documentRole,
  head: count,
  changedAt: instant,
  schemaVersion: count,
  snapshot: v.nullable(snapshot),
  rows,
  more: v.boolean(),
  expiresAt: v.nullable(instant),
  presenting: presentingAnswer,
  /** Whether the link shows the page's history. A database of an earlier release does not say. */
  history: v.optional(v.boolean(), false),
  /** The newest change of the page's comments. Null, or not said: the link shows none. */
  comments: v.optional(v.nullable(count), null),
});
export type WatchAnswer = v.InferOutput<typeof watchAnswer>;

/** The message `comments` of the database. */
export const commentsMessage = v.object({ change: v.nullable(count) });

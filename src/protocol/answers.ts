// Parsers for what the database's functions and tables answer (SPECIFICATION.md, "Exact shapes").
import * as v from 'valibot';
import { fromBase64 } from '../lib/bytes.ts';
import { type Result, err, ok } from '../lib/result.ts';
import { COLORS } from './colors.ts';
import { type WeftError, weftError } from './errors.ts';
import { parseSessionId } from './ids.ts';
import { presentingAnswer, watchers } from './presenting.ts';
import { decodeRows } from './row.ts';
import {
  branded,
  count,
  documentId,
  documentRole,
  instant,
  linkId,
  linkSecret,
  userId,
  workspaceId,
  workspaceRole,
} from './shapes.ts';

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

const snapshot = v.object({ seq: count, state: bytes, sha256: v.string() });
/** For each session, the number of its last edit in the log. */
const lastNs = v.record(sessionId, count);

export const documentSummary = v.object({
  id: documentId,
  workspaceId,
  parentId: v.nullable(documentId),
  kind: v.string(),
  title: v.string(),
  icon: v.nullable(v.string()),
  rank: v.string(),
  access: v.picklist(['inherit', 'workspace', 'restricted']),
  role: documentRole,
  createdAt: instant,
  updatedAt: instant,
  updatedBy: v.nullable(userId),
  /** When this person last visited the page; null if never. */
  visitedAt: v.nullable(instant),
  /** The page's place among this person's favourites; null if it is none. */
  favouriteRank: v.nullable(v.string()),
  /** Null while the page is not in the trash. */
  trashedAt: v.nullable(instant),
  trashedBy: v.nullable(userId),
});
export type DocumentSummary = v.InferOutput<typeof documentSummary>;

export const workspace = v.object({
  id: workspaceId,
  name: v.string(),
  slug: v.string(),
  epoch: count,
  /** Null for somebody who is not a member and has roles on single pages only. */
  role: v.nullable(workspaceRole),
});
export type Workspace = v.InferOutput<typeof workspace>;

/** The pages of a workspace, or only those that changed since an earlier answer. */
export const documentChanges = v.object({
  workspace,
  /** A moment of the database, to be sent with the next request. Its text means nothing to clients. */
  stamp: v.string(),
  /** Whether `documents` are all pages that the person may see. */
  isComplete: v.boolean(),
  documents: v.array(documentSummary),
  /** Pages that went to the trash. Empty if the list is complete. */
  removed: v.array(documentId),
});
export type DocumentChanges = v.InferOutput<typeof documentChanges>;

/** How many pages a call trashed or deleted, the named one included. */
export const pageCount = v.object({ pages: count });

export const trashEntries = v.array(
  v.object({
    document: documentSummary,
    trashedAt: instant,
    trashedBy: v.nullable(userId),
    /** The pages below it that come back with it, as far as this person may see them. */
    pages: count,
    /** The title of the page that it comes back to. Null if that is the top, or a page that this person may not see. */
    parentTitle: v.nullable(v.string()),
    restoresToTop: v.boolean(),
    files: count,
    mayPurge: v.boolean(),
  }),
);
export type TrashEntry = v.InferOutput<typeof trashEntries>[number];

export const openAnswer = v.object({
  document: documentSummary,
  workspace,
  role: documentRole,
  epoch: v.string(),
  head: count,
  /** When the head was written; the answer may hold no row, because a snapshot contains it or the caller has it. */
  changedAt: instant,
  /** The row at which title and text were copied for lists and search. */
  textSeq: count,
  schemaVersion: count,
  snapshot: v.nullable(snapshot),
  sessions: v.nullable(lastNs),
  rows,
  more: v.boolean(),
  presenting: presentingAnswer,
  /** How often something was erased from the page for good: what a device stored before may hold it. */
  erasures: v.optional(count, 0),
});
export type OpenAnswer = v.InferOutput<typeof openAnswer>;

/** A database that lacks the newest migration publishes once a second, and does not say when. */
const PUBLISH_IN_MS = 1_000;

export const appendAnswer = v.object({
  /** The row that holds `n_to`. Null if edits before `n_from` are missing: send again from `lastN + 1`. */
  seq: v.nullable(count),
  lastN: count,
  head: count,
  epoch: v.string(),
  role: documentRole,
  rows,
  more: v.boolean(),
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
  /** The schema version that an app must know to edit the page once it has these rows. */
  schemaVersion: v.optional(count),
  presenting: presentingAnswer,
  watchers: v.optional(v.nullable(watchers)),
});
export type RowsAnswer = v.InferOutput<typeof rowsAnswer>;

/** The log up to a row, which is `until` or the head if that is older. */
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
  /** The end of the claim, even if somebody else has it. */
  until: instant,
  head: count,
  /** The row of the newest stored snapshot; 0 if there is none. */
  snapshotSeq: count,
});
export type SnapshotClaim = v.InferOutput<typeof snapshotClaim>;

export const savedSnapshot = v.object({ seq: count });

/** `busyPages`: the pages of the project on which somebody sends live updates. */
export const announcement = v.object({ busyPages: count });
export type Announcement = v.InferOutput<typeof announcement>;

export const sessionInfos = v.array(
  /** Without a client id the session is announced, and has not been registered to write. */
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
});
export type WatchAnswer = v.InferOutput<typeof watchAnswer>;

export const createdWorkspace = v.object({ workspace, document: documentId });
export type CreatedWorkspace = v.InferOutput<typeof createdWorkspace>;

export const profile = v.object({
  id: userId,
  displayName: v.string(),
  color: v.picklist(COLORS),
  /** The object of the person's picture in the bucket `avatars`. Lists that a device stored before pictures lack it. */
  avatarPath: v.optional(v.nullable(v.string())),
});
export type Profile = v.InferOutput<typeof profile>;

/** What a link can give. */
export const SHARE_ROLES = ['viewer', 'commenter', 'editor'] as const;

export const shareLink = v.object({
  id: linkId,
  documentId,
  role: v.picklist(SHARE_ROLES),
  expiresAt: v.nullable(instant),
  revokedAt: v.nullable(instant),
  createdBy: v.nullable(userId),
  createdAt: instant,
  /** Links of the first release have neither. */
  name: v.optional(v.nullable(v.string()), null),
  /** How many people joined by it. */
  uses: v.optional(count, 0),
  /** Watchers by it see the page's history. */
  history: v.optional(v.boolean(), false),
});
export type ShareLink = v.InferOutput<typeof shareLink>;

export const createdLink = v.object({ link: shareLink, secret: linkSecret });
export type CreatedLink = v.InferOutput<typeof createdLink>;

export const redeemedLink = v.object({ document: documentId, workspaceSlug: v.string(), role: documentRole });
export type RedeemedLink = v.InferOutput<typeof redeemedLink>;

export const attachmentCopy = v.object({ from: v.string() });
export const purgeableNames = v.object({ names: v.array(v.string()) });

/** A message on a workspace's or a person's topic: kinds and ids only, never titles or names. */
export const workspaceChange = v.object({
  kind: v.picklist([
    'document',
    'access',
    'member',
    'workspace',
    'profile',
    'favourite',
    'visit',
    'notification',
    'request',
    'invite',
    'link',
    'version',
  ]),
  op: v.picklist(['created', 'changed', 'moved', 'trashed', 'restored', 'removed']),
  id: v.string(),
  /** Null if the change belongs to no single workspace. */
  workspace: v.nullable(workspaceId),
});
export type WorkspaceChange = v.InferOutput<typeof workspaceChange>;

/** Parses an answer from outside. One that does not fit the schema is an error of code `unknown`. */
export function parseAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Result<v.InferOutput<Schema>, WeftError> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return ok(parsed.output);
  const issue = parsed.issues[0];
  return err(weftError('unknown', `answer: ${v.getDotPath(issue) ?? ''} ${issue.message}`));
}

// Parsers for a page's history: editing sessions, versions and the rows that a history is made from (SPECIFICATION.md, "Exact
// shapes").
import * as v from 'valibot';
import { rows } from 'weft-sync/protocol/log-answers.ts';
import { branded, count, documentId, instant, userId } from 'weft-sync/protocol/shapes.ts';
import { parseVersionId } from './ids.ts';

/** A run of rows without a pause of more than 30 minutes. */
export const editingSession = v.object({
  fromSeq: count,
  toSeq: count,
  from: instant,
  to: instant,
  edits: count,
  /** Edits that another person's client appended for their author. */
  passedOn: count,
  /** The person who wrote most comes first. Null for people who deleted their account. */
  authors: v.array(v.nullable(userId)),
});
export type EditingSession = v.InferOutput<typeof editingSession>;
export const editingSessions = v.array(editingSession);

/** A person names a `named` one. The others are made just before the change that they are called after. */
export const VERSION_KINDS = ['named', 'restore', 'import', 'suggestion', 'putBack'] as const;
export type VersionKind = (typeof VERSION_KINDS)[number];
const kind = v.picklist(VERSION_KINDS);

export const version = v.object({
  id: branded(parseVersionId),
  document: documentId,
  seq: count,
  /** Null for one that was made before something happened, if no one gave it a name. */
  name: v.nullable(v.string()),
  kind,
  createdBy: v.nullable(userId),
  createdAt: instant,
  /** The time when the page was like this. Null if the row is gone. */
  at: v.nullable(instant),
});
export type Version = v.InferOutput<typeof version>;
export const versions = v.array(version);

/** `head`: of the log at that moment. */
export const preparedErasing = v.object({ head: count });
/** False: a newer row is there than the caller named. */
export const erasure = v.object({ erased: v.boolean() });

/** How the page's history began again, when something was erased for good: `seq` is the row that stands for all before it. */
const beginning = v.object({
  seq: count,
  at: instant,
  /** Null for people who deleted their account, and for readers who may not know. */
  by: v.optional(v.nullable(userId), null),
  /** The people who had written on the page by then. None for readers who may not know. */
  authors: v.optional(v.array(userId), []),
});
export type Beginning = v.InferOutput<typeof beginning>;

/** A row without a session, with edits that a restored server had lost. `by`: who put it back; null as in `beginning`. */
const putBackNote = v.object({ seq: count, by: v.nullable(userId) });

/** Rows in order; never a snapshot in place of the first ones. `beginning` is null unless the history began again. */
export const historyRows = v.object({
  rows,
  head: count,
  more: v.boolean(),
  schemaVersion: count,
  beginning: v.optional(v.nullable(beginning), null),
  putBack: v.optional(v.array(putBackNote), []),
});
export type HistoryRows = v.InferOutput<typeof historyRows>;

const linkVersion = v.object({ id: branded(parseVersionId), seq: count, name: v.nullable(v.string()), kind });
export type LinkVersion = v.InferOutput<typeof linkVersion>;
/** Watchers by link learn no names of people. `versions` comes with the first answer. */
export const linkHistory = v.object({ ...historyRows.entries, versions: v.array(linkVersion) });
export type LinkHistory = v.InferOutput<typeof linkHistory>;

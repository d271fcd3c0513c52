// Parses what IndexedDB returns. Another version of the app, or the person with the developer tools, may have written
// it.
import * as v from 'valibot';
import type { Bytes } from '../../../lib/bytes.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import { type WeftError, isWeftCode } from '../../protocol/errors.ts';
import { parseSessionId } from '../../protocol/ids.ts';
import { DOCUMENT_ROLES } from '../../protocol/roles.ts';
import type { Part } from '../../protocol/row.ts';
import { branded, count, documentId } from '../../protocol/shapes.ts';

const bytes = v.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);
const session = branded(parseSessionId);

/** A damaged time must not cost the record that it belongs to. */
export const time = v.fallback(v.number(), 0);

const part = { session, clientId: count, nFrom: count, nTo: count, update: bytes };
/** Missing in what an older version of the app stored. A damaged one counts as missing. */
const optionalCount = v.fallback(v.optional(count), undefined);
export const row = v.object({
  document: documentId,
  seq: count,
  at: optionalCount,
  firstSeq: optionalCount,
  firstAt: optionalCount,
  follows: optionalCount,
  ...part,
  dependencies: v.array(v.object(part)),
});

export const documentRecord = v.object({
  document: documentId,
  meta: v.object({
    seq: count,
    schemaVersion: count,
    title: v.string(),
    role: v.picklist(DOCUMENT_ROLES),
    changedAt: optionalCount,
    historyBeganAt: optionalCount,
    copy: v.fallback(v.optional(v.string()), undefined),
  }),
  openedAt: v.number(),
  bytes: v.nullable(v.number()),
});
export const snapshot = v.object({
  document: documentId,
  seq: count,
  at: v.fallback(v.nullish(count), null),
  state: bytes,
});

/** An unknown code from a newer version is a rejection too: the edits stay stored and shown, and are not sent. */
export const storedRefusal = v.pipe(
  v.unknown(),
  v.transform((value): WeftError['code'] | null => {
    if (value === null || value === undefined) return null;
    return isWeftCode(value) ? value : 'unknown';
  }),
);
export const outbox = v.object({
  document: documentId,
  session,
  clientId: count,
  openedAt: time,
  refused: v.optional(storedRefusal, null),
});

/** Drops damaged dependencies. Whether the edit works without them shows when it is applied. */
const buildsOn = v.pipe(
  v.unknown(),
  v.transform((value): readonly Part[] =>
    Array.isArray(value) ? value.flatMap((one: unknown) => parseOrNull(v.object(part), one) ?? []) : [],
  ),
);
const edit = {
  n: count,
  update: bytes,
  at: time,
  buildsOn: v.optional(buildsOn, []),
  // A damaged version must not cost the edit.
  schemaVersion: v.exactOptional(v.fallback(count, 0)),
};
export const entry = v.object({ document: documentId, session, ...edit });

export const journalEntry = v.object({
  document: documentId,
  session,
  clientId: count,
  openedAt: time,
  entry: v.object(edit),
});

// The job of the worker that finds out what changed between two rows of a log, and its answer.
import * as v from 'valibot';
import type { ChangeMark, ChangeStep } from 'weft-document/changes/change-steps.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { LostInLog } from './find-lost-text.ts';

/** A page's state at row `seq` (Yjs V2). */
export type Snapshot = { readonly seq: number; readonly state: Bytes };

export type SinceJob = {
  /** The page's state at row `seq` (Yjs V2), or null for the empty page at row 0. */
  readonly state: Bytes | null;
  readonly seq: number;
  /** The rows after `seq` up to the last visit. */
  readonly seen: readonly Row[];
  /** The page's state at a row after the last visit, in place of the rows up to it: a link may show no older ones (SN11). */
  readonly snapshot: Snapshot | null;
  /** The rows after the last visit, or after that snapshot. */
  readonly later: readonly Row[];
  /** The person's own sessions: their changes are not news. */
  readonly own: readonly SessionId[];
};

/**
 * The time of a block's last change, and the session that saved it. No session: the person's own app passed the change on for
 * someone, or only a snapshot has it, which has no time either.
 */
export type Touch = { readonly at: number | null; readonly session: SessionId | null };

/** It comes from our own worker, so the parts of lists and maps are not checked again. */
const mapOf = <T>() => v.custom<ReadonlyMap<string, T>>((value) => value instanceof Map);

export const sinceAnswer = v.object({
  steps: v.custom<readonly ChangeStep[]>(Array.isArray),
  isCut: v.boolean(),
  marks: mapOf<readonly ChangeMark[]>(),
  texts: mapOf<ReadonlyMap<string, string>>(),
  touched: mapOf<Touch>(),
  lost: v.custom<readonly LostInLog[]>(Array.isArray),
});
export type SinceAnswer = v.InferOutput<typeof sinceAnswer>;

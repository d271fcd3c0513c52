// The messages between a page and its snapshot worker. Rows are encoded as on the wire, so that their buffers can be
// transferred instead of copying ten thousand objects at once.
import * as v from 'valibot';
import { count } from 'weft-sync/protocol/shapes.ts';
import type { Bytes } from '../../../lib/bytes.ts';

const bytes = v.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);

/** The call of `SnapshotMaker` that the worker makes, with its arguments. */
export const snapshotJob = v.object({
  kind: v.picklist(['make', 'isTrue']),
  snapshot: v.nullable(v.object({ seq: count, state: bytes })),
  rows: v.array(bytes),
});
export type SnapshotJob = v.InferOutput<typeof snapshotJob>;

export const snapshotResult = v.variant('kind', [
  v.object({ kind: v.literal('make'), made: v.nullable(v.object({ seq: count, state: bytes, sha256: v.string() })) }),
  v.object({ kind: v.literal('isTrue'), isTrue: v.boolean() }),
  v.object({ kind: v.literal('failed'), detail: v.string() }),
]);
export type SnapshotResult = v.InferOutput<typeof snapshotResult>;

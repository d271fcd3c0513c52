// A SnapshotMaker whose work ends in the task that began it, so that the virtual clock decides what comes next: the
// browser's streams take real time.
import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { SnapshotMaker } from 'weft-sync/ports.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';

const bytesOf = (buffer: Uint8Array): Bytes => new Uint8Array(buffer);

export const sha256Of = (bytes: Bytes): string => createHash('sha256').update(bytes).digest('hex');
export const deflated = (bytes: Uint8Array): Bytes => bytesOf(deflateSync(bytes));

export const timelyMaker = (): SnapshotMaker =>
  snapshotMaker({
    deflate: async (bytes) => deflated(bytes),
    inflate: async (bytes, maxOutputLength) => bytesOf(inflateSync(bytes, { maxOutputLength })),
    sha256: async (bytes) => sha256Of(bytes),
  });

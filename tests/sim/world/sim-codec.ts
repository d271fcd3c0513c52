// Packs snapshots without compression, in the same task. Real compression runs in other threads and would end at another
// time in each run.
import { digest } from 'lib0/hash/sha256';
import type { Codec } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { toHex } from '../../../src/lib/bytes.ts';

export const SIM_CODEC: Codec = {
  deflate: (bytes) => Promise.resolve(bytes),
  inflate: (bytes) => Promise.resolve(bytes),
  sha256: (bytes) => Promise.resolve(toHex(digest(bytes))),
};

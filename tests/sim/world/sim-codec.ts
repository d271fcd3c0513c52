// Packs snapshots in the task that began it: real compression runs in threads of its own, at its own pace.
import { digest } from 'lib0/hash/sha256';
import { toHex } from '../../../src/lib/bytes.ts';
import type { Codec } from '../../../src/sync/snapshot/unpack-snapshot.ts';

export const SIM_CODEC: Codec = {
  deflate: (bytes) => Promise.resolve(bytes),
  inflate: (bytes) => Promise.resolve(bytes),
  sha256: (bytes) => Promise.resolve(toHex(digest(bytes))),
};

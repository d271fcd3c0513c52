// Checks and unpacks the bytes of a snapshot. Whether its state is complete is decided in state-clocks.ts.
import type { Bytes } from '../../lib/bytes.ts';
import { deflate, inflate } from '../../lib/deflate.ts';
import { sha256 } from '../../lib/sha256.ts';
import { MAX_STATE_BYTES } from '../protocol/limits.ts';

/** Replaced in the simulation, where work has to end in the task that began it. */
export type Codec = {
  deflate(bytes: Bytes): Promise<Bytes>;
  /** Rejects bytes that are not deflated, and bytes that unpack to more than `maxBytes`. */
  inflate(bytes: Bytes, maxBytes: number): Promise<Bytes>;
  /** Lower-case hex. */
  sha256(bytes: Bytes): Promise<string>;
};

export const CODEC: Codec = { deflate, inflate, sha256 };

/**
 * The state (Yjs V2). Null when the bytes do not match `sum` (SHA-256; null: not known), are not zlib, or unpack to
 * more than 64 MiB.
 */
export async function unpackSnapshot(bytes: Bytes, sum: string | null, codec: Codec = CODEC): Promise<Bytes | null> {
  try {
    if (sum !== null && (await codec.sha256(bytes)) !== sum) return null;
    return await codec.inflate(bytes, MAX_STATE_BYTES);
  } catch {
    // The bytes are cut off, or unpack to more than a page can be.
    return null;
  }
}

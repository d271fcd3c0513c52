// The bytes of a snapshot as somebody stored them, checked and unfolded.
import type { Bytes } from '../../lib/bytes.ts';
import { deflate, inflate } from '../../lib/deflate.ts';
import { sha256 } from '../../lib/sha256.ts';
import { MAX_STATE_BYTES } from '../../protocol/limits.ts';

/** Injected where work has to end in the task that began it: in a simulation. */
export type Codec = {
  deflate(bytes: Bytes): Promise<Bytes>;
  /** Rejects what is not deflated, and what unfolds to more than `maxBytes`. */
  inflate(bytes: Bytes, maxBytes: number): Promise<Bytes>;
  /** Lower-case hex. */
  sha256(bytes: Bytes): Promise<string>;
};

export const CODEC: Codec = { deflate, inflate, sha256 };

/** The state (Yjs V2), or null when the bytes are not those of `sum` (SHA-256; null: not known), or not zlib. */
export async function unpackSnapshot(bytes: Bytes, sum: string | null, codec: Codec = CODEC): Promise<Bytes | null> {
  try {
    if (sum !== null && (await codec.sha256(bytes)) !== sum) return null;
    return await codec.inflate(bytes, MAX_STATE_BYTES);
  } catch {
    // Cut off, or unfolds to more than a page can be.
    return null;
  }
}

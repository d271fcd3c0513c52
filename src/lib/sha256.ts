// SHA-256 as lower-case hex. The browser's own is missing on plain http (no secure context): then a library does it.
import { digest } from 'lib0/hash/sha256';
import { type Bytes, toHex } from './bytes.ts';

export async function sha256(bytes: Bytes): Promise<string> {
  // Typed as always there; it is not outside of a secure context.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return toHex(subtle === undefined ? digest(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)));
}

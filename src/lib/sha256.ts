// SHA-256 as lower-case hex. The browser's own digest is missing over plain http (no secure context); a library takes
// its place there.
import { digest } from 'lib0/hash/sha256';
import { type Bytes, toHex } from './bytes.ts';

export async function sha256(bytes: Bytes): Promise<string> {
  // The types claim that it always exists. Outside a secure context it does not.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return toHex(subtle === undefined ? digest(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)));
}

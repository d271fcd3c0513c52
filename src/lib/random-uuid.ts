// Makes random (version 4) UUIDs. `crypto.randomUUID` only exists in a secure context, so not over plain http to another
// machine.
import { toHex } from './bytes.ts';

export const randomUuid = (): string => uuidOf(crypto.getRandomValues(new Uint8Array(16)));

/** The version 4 UUID of 16 random bytes. */
export function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

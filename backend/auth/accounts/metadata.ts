// Checks and merges the metadata that people store about themselves (`user_metadata`).
import { validationFailed } from '../auth-error.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/**
 * Bytes of an account's metadata as JSON, with the fields that Auth adds. All of it is part of every access token: with
 * more, the header of a request could be longer than the 8 KiB that many proxies accept, and the account could make no
 * call at all.
 */
export const MAX_METADATA_BYTES = 4096;

/** Throws an `AuthError`. Call it with the metadata as it will be stored. */
export function checkMetadata(metadata: Metadata): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw validationFailed(`User metadata is too large (max ${MAX_METADATA_BYTES} bytes)`);
}

/** A field set to null is removed. */
export const mergeMetadata = (stored: Metadata, changes: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null));

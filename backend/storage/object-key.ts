// Parses and checks the names of buckets and objects. They follow the rules of Supabase Storage; `.` and `..` are
// refused too, because no browser can request such an object. Knows no database.
import { StorageError, noSuchBucket } from './storage-error.ts';

export type ObjectKey = { readonly bucket: string; readonly name: string };

const NAME = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const BUCKET_NAME = /^[\w!\-.*'() &$@=;:+,?]{1,100}$/;
/** The limit of S3 in bytes of UTF-8; every allowed character is one byte. */
const MAX_NAME_LENGTH = 1024;
/** The largest number of objects in one request, as storage-js documents it; they fit into one statement. */
export const MAX_NAMES = 1000;

/** Parses "bucket/folder/name", percent-encoded as in an address. Throws a `StorageError`. */
export function parseObjectKey(encoded: string): ObjectKey {
  const at = encoded.indexOf('/');
  if (at <= 0) throw new StorageError('InvalidKey', `Invalid key: ${shown(encoded)}`);
  return { bucket: parseBucketName(encoded.slice(0, at)), name: checkName(decode(encoded.slice(at + 1))) };
}

/** Returns the name of an object if it is valid; otherwise throws a `StorageError`. */
export function checkName(name: string): string {
  const isValid =
    name.length <= MAX_NAME_LENGTH &&
    NAME.test(name) &&
    name.split('/').every((part) => part !== '..' && part !== '.' && part !== '');
  if (!isValid) throw new StorageError('InvalidKey', `Invalid key: ${shown(name)}`);
  return name;
}

/** Returns the name of a bucket if it is valid; otherwise throws a `StorageError`. */
export function checkBucketName(name: string): string {
  if (!BUCKET_NAME.test(name) || name.trim() !== name) {
    throw new StorageError('InvalidBucketName', 'Bucket name invalid');
  }
  return name;
}

/** Parses a bucket name, percent-encoded as in an address. */
export function parseBucketName(encoded: string): string {
  const name = decode(encoded);
  if (!BUCKET_NAME.test(name)) throw noSuchBucket();
  return name;
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new StorageError('InvalidKey', `Invalid key: ${shown(encoded)}`);
  }
}

const shown = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}…` : name);

// The errors of Storage in the form of the hosted service: nearly always HTTP status 400, with the real status in the
// body and a `code` that storage-js reads. Knows no request.
import { systemCode } from '../start-error.ts';

type Form = { readonly status: number; readonly error: string };

/** Every error has a code and an older `error` text; the hosted service sends both. */
const ERRORS_BY_CODE = {
  AccessDenied: { status: 403, error: 'Unauthorized' },
  BucketAlreadyExists: { status: 409, error: 'Duplicate' },
  DatabaseError: { status: 500, error: 'DatabaseError' },
  EntityTooLarge: { status: 413, error: 'Payload too large' },
  InvalidBucketName: { status: 400, error: 'Invalid Input' },
  InvalidKey: { status: 400, error: 'InvalidKey' },
  InvalidMimeType: { status: 415, error: 'invalid_mime_type' },
  InvalidRange: { status: 416, error: 'InvalidRange' },
  InvalidRequest: { status: 400, error: 'InvalidRequest' },
  KeyAlreadyExists: { status: 409, error: 'Duplicate' },
  NoSuchBucket: { status: 404, error: 'Bucket not found' },
  NoSuchKey: { status: 404, error: 'not_found' },
  NotImplemented: { status: 501, error: 'NotImplemented' },
  /** The hosted service has no such error. */
  StorageFull: { status: 507, error: 'StorageFull' },
} as const satisfies Readonly<Record<string, Form>>;

export type StorageErrorCode = keyof typeof ERRORS_BY_CODE;

/** Errors whose HTTP status is the real one, because clients other than storage-js act on it. */
const KEEPS_HTTP_STATUS: ReadonlySet<number> = new Set([416, 500, 501, 507]);

export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  toResponse(headers: Readonly<Record<string, string>> = {}): Response {
    const { status, error } = ERRORS_BY_CODE[this.code];
    return Response.json(
      { statusCode: String(status), code: this.code, error, message: this.message },
      {
        status: KEEPS_HTTP_STATUS.has(status) ? status : 400,
        headers: { 'cache-control': 'no-store', ...headers },
      },
    );
  }
}

export const noSuchBucket = () => new StorageError('NoSuchBucket', 'Bucket not found');
export const noSuchKey = () => new StorageError('NoSuchKey', 'Object not found');
export const tooLarge = () => new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size');
/** The hosted service may answer such a call; this backend does not. */
export const storageNotImplemented = (call: string) =>
  new StorageError('NotImplemented', `The embedded backend does not support the call "${call}".`);
export const invalidRequest = (message: string) => new StorageError('InvalidRequest', message);

const FULL = 'The server has no room left; nothing was stored.';

/**
 * Turns an error of the database or the file system that clients can act on into a `StorageError`; returns others
 * unchanged.
 */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const code = systemCode(error);
  const message = error instanceof Error ? error.message : '';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
    case '53100':
      return new StorageError('StorageFull', FULL, { cause: error });
    case '42501':
      return new StorageError('AccessDenied', message, { cause: error });
    case '22021':
    case '22003':
    case '22P05':
      return new StorageError('InvalidRequest', message, { cause: error });
    case '23505':
      return new StorageError('KeyAlreadyExists', 'The resource already exists', { cause: error });
    case '23503':
      return noSuchBucket();
    default:
      return error;
  }
}

// What Storage refuses and how it says so: the hosted service answers 400 whatever was wrong, with the status that is meant
// in the body; `code` is what storage-js looks at. Knows no request.
import { systemCode } from '../start-error.ts';

type Form = { readonly status: number; readonly error: string };

/** The old word for an error beside its code, as the original keeps both. */
const FORMS = {
  AccessDenied: { status: 403, error: 'Unauthorized' },
  BucketAlreadyExists: { status: 409, error: 'Duplicate' },
  DatabaseError: { status: 500, error: 'DatabaseError' },
  EntityTooLarge: { status: 413, error: 'Payload too large' },
  FeatureNotEnabled: { status: 409, error: 'FeatureNotEnabled' },
  InvalidBucketName: { status: 400, error: 'Invalid Input' },
  InvalidJWT: { status: 400, error: 'InvalidJWT' },
  InvalidKey: { status: 400, error: 'InvalidKey' },
  InvalidMimeType: { status: 415, error: 'invalid_mime_type' },
  InvalidRange: { status: 416, error: 'InvalidRange' },
  InvalidRequest: { status: 400, error: 'InvalidRequest' },
  InvalidSignature: { status: 400, error: 'InvalidSignature' },
  KeyAlreadyExists: { status: 409, error: 'Duplicate' },
  NoSuchBucket: { status: 404, error: 'Bucket not found' },
  NoSuchKey: { status: 404, error: 'not_found' },
  NoSuchRoute: { status: 404, error: 'Not Found' },
  ResourceNotEmpty: { status: 409, error: 'ResourceNotEmpty' },
  /** Ours: the original's disk is never full. */
  StorageFull: { status: 507, error: 'StorageFull' },
} as const satisfies Readonly<Record<string, Form>>;

export type StorageErrorCode = keyof typeof FORMS;

/** Statuses that a client other than storage-js acts on, so that they are said in the status line too. */
const SAID_AS_THEY_ARE: ReadonlySet<number> = new Set([416, 500, 507]);

export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  toResponse(headers: Readonly<Record<string, string>> = {}): Response {
    const { status, error } = FORMS[this.code];
    return Response.json(
      { statusCode: String(status), code: this.code, error, message: this.message },
      {
        status: SAID_AS_THEY_ARE.has(status) ? status : 400,
        headers: { 'cache-control': 'no-store', ...headers },
      },
    );
  }
}

export const noSuchBucket = () => new StorageError('NoSuchBucket', 'Bucket not found');
export const noSuchKey = () => new StorageError('NoSuchKey', 'Object not found');
export const tooLarge = () => new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size');
export const invalidRequest = (message: string) => new StorageError('InvalidRequest', message);

const FULL = 'The server has no room left; nothing was stored.';

/** What the database or the file system refused, in Storage's words; anything else is given back as it is. */
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
      return message.startsWith('update or delete')
        ? new StorageError('ResourceNotEmpty', 'The bucket you tried to delete is not empty', { cause: error })
        : noSuchBucket();
    default:
      return error;
  }
}

// The answer of a call to the server.
import type { Result } from '../lib/result.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';

export type Answer<T> = Promise<Result<T, WeftError>>;

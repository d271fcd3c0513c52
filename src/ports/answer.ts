// The answer of a call to the server.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Result } from '../lib/result.ts';

export type Answer<T> = Promise<Result<T, WeftError>>;

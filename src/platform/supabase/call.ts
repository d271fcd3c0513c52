// One call to PostgREST: its answer parsed, its refusal as a code of the catalogue.
import type * as v from 'valibot';
import { type Result, err } from '../../lib/result.ts';
import { parseAnswer } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import { type ServiceError, toWeftError } from './to-weft-error.ts';

type Response = { readonly data: unknown; readonly error: ServiceError | null; readonly status: number };

export async function call<Schema extends v.GenericSchema>(
  request: PromiseLike<Response>,
  schema: Schema,
): Promise<Result<v.InferOutput<Schema>, WeftError>> {
  try {
    const { data, error, status } = await request;
    return error === null ? parseAnswer(schema, data) : err(toWeftError(error, status));
  } catch (error) {
    // supabase-js throws when it cannot get at the token (storage blocked, refresh cut off): nothing was sent.
    return err(weftError('WF011', String(error)));
  }
}

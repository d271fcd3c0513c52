// One call to PostgREST: parses the answer and maps errors to codes of the catalogue.
import * as v from 'valibot';
import { type Result, err, withoutValue } from '../../lib/result.ts';
import { parseAnswer } from '../protocol/answers.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { type ServiceAnswer, toWeftError } from './to-weft-error.ts';

/** A call without an answer by then counts as lost (WF011). */
const CALL_TIMEOUT_MS = 10_000;

export async function call<Schema extends v.GenericSchema>(
  request: PromiseLike<ServiceAnswer>,
  schema: Schema,
): Promise<Result<v.InferOutput<Schema>, WeftError>> {
  try {
    const { data, error, status } = await request;
    return error === null ? parseAnswer(schema, data) : err(toWeftError(error, status));
  } catch (error) {
    // supabase-js throws if it cannot get the token (storage blocked, refresh interrupted). Nothing was sent.
    return err(weftError('WF011', String(error)));
  }
}

/**
 * A call that is given up after `ms`. Unlike the timer of `AbortSignal.timeout`, this one ends with the call, so that it does not wake
 * the device once more.
 */
export async function limitedCall<Schema extends v.GenericSchema>(
  request: { abortSignal(signal: AbortSignal): PromiseLike<ServiceAnswer> },
  schema: Schema,
  ms = CALL_TIMEOUT_MS,
): Promise<Result<v.InferOutput<Schema>, WeftError>> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), ms);
  try {
    return await call(request.abortSignal(limit.signal), schema);
  } finally {
    clearTimeout(timer);
  }
}

/** A call whose answer says nothing. */
export async function callWithoutAnswer(request: PromiseLike<ServiceAnswer>): Promise<Result<void, WeftError>> {
  return withoutValue(await call(request, v.unknown()));
}

// A value, or the reason why there is none. Parsers and calls to other systems return it; throwing means a bug.

export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** The same result with another value. */
export const mapped = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
  result.ok ? ok(change(result.value)) : result;

export const withoutValue = <E>(result: Result<unknown, E>): Result<void, E> => mapped(result, () => undefined);

/** The answer of a call, once `next` has run if it succeeded: a list shows what a write did before its caller goes on. */
export async function followedBy<T, E>(call: Promise<Result<T, E>>, next: () => Promise<void>): Promise<Result<T, E>> {
  const answer = await call;
  if (answer.ok) await next();
  return answer;
}

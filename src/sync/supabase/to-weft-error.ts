// Maps answers of PostgREST and network failures to codes of the catalogue. Contains no texts for people.
import { type WeftError, isWeftCode, weftError } from '../protocol/errors.ts';
import { retryAfterOf } from './retry-after.ts';

/** The fields of supabase-js's errors that matter here. */
export type ServiceError = {
  readonly code?: string | undefined;
  readonly message: string;
  readonly details?: string | null | undefined;
  /** The time of a `Retry-After` header, which `withRetryAfter` writes here. */
  readonly hint?: string | null | undefined;
};

/** The answer to a call, as supabase-js gives it. `status` is 0 if none came. */
export type ServiceAnswer = { readonly data: unknown; readonly error: ServiceError | null; readonly status: number };

/** `status` is 0 if no answer came (network, timeout, cancelled). */
export function toWeftError(error: ServiceError, status: number): WeftError {
  const ms = retryAfterOf(error.hint);
  const known = withCode(error, status);
  return ms === null ? known : { ...known, retryAfterMs: ms };
}

function withCode(error: ServiceError, status: number): WeftError {
  const code = error.code ?? '';
  const detail = [code, error.message, error.details].filter((part) => part).join(': ');
  if (isWeftCode(code)) return weftError(code, error.details ?? error.message);
  if (status === 0) return weftError('WF011', detail);
  // PGRST301–303: the token is missing, malformed or expired.
  if (status === 401 || /^PGRST30[123]$/.test(code)) return weftError('WF003', detail);
  if (status === 429) return weftError('WF008', detail);
  // 42501: row-level security or a missing grant. The catalogue does not distinguish this from "not found".
  if (code === '42501') return weftError('WF001', detail);
  // 57014: a statement took too long. 53xxx: no resources. 08xxx: no connection. 55P03: waited too long for a lock.
  // 40xxx: a deadlock or serialization failure. The same call may succeed a moment later.
  if (status >= 500 || /^(?:57|53|08|55|40)/.test(code)) return weftError('WF011', detail);
  return weftError('unknown', detail);
}

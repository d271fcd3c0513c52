// Gap: @supabase/lite 0.10.0 lets anybody try passwords and the six digits of a mailed code as often as they like, which is
// enough to find a code within the hour that it lives. The hosted service answers 429; so does this, per address.
import * as v from 'valibot';
import { type Repair, jsonOf } from './fetch.ts';

/** For one e-mail address, by whomever: who guesses may have many addresses to guess from. */
const ATTEMPTS = 30;
const WINDOW_MS = 5 * 60_000;
const MAX_ADDRESSES = 10_000;

const guessSchema = v.looseObject({ email: v.string() });

type Attempts = { count: number; readonly endsAt: number };

/** A success forgives what failed before. */
export function attemptLimit(now: () => number = () => performance.now()): Repair {
  const known = new Map<string, Attempts>();

  /** Counted before it is known to fail: many may be under way at once. */
  function take(key: string): boolean {
    let attempts = known.get(key);
    if (attempts === undefined || attempts.endsAt <= now()) {
      known.delete(key);
      attempts = { count: 0, endsAt: now() + WINDOW_MS };
      known.set(key, attempts);
      // In the order of their beginning: the first has the least left to run.
      const [oldest] = known.keys();
      if (known.size > MAX_ADDRESSES && oldest !== undefined) known.delete(oldest);
    }
    return ++attempts.count <= ATTEMPTS;
  }

  return (next) => async (request, peerAddress) => {
    const kind = request.method === 'POST' ? kindOf(new URL(request.url)) : null;
    if (kind === null) return next(request, peerAddress);
    const guess = v.safeParse(guessSchema, await jsonOf(request));
    if (!guess.success) return next(request, peerAddress);
    const key = `${kind} ${guess.output.email.trim().toLowerCase().slice(0, 320)}`;
    if (!take(key)) {
      const body = { code: 429, error_code: 'over_request_rate_limit', msg: 'Request rate limit reached' };
      return Response.json(body, { status: 429, headers: { 'x-sb-error-code': body.error_code } });
    }
    const response = await next(request, peerAddress);
    if (response.ok) known.delete(key);
    return response;
  };
}

function kindOf({ pathname, searchParams }: URL): 'code' | 'password' | null {
  if (pathname === '/auth/v1/verify') return 'code';
  return pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password' ? 'password' : null;
}

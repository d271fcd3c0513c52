// Who calls REST: the role and the claims that policies see, from the API key and the access token. Says nothing to those
// it does not know: whoever answers behind it knows what they are to be told.
import { jwtVerify } from 'jose';
import type { Keys } from '../keys/keys.ts';

export type Caller = {
  readonly role: Role;
  /** `sub` of the token, '' without one. */
  readonly subject: string;
  /** As JSON. */
  readonly claims: string;
};

/** Null: nobody known, or somebody whose token is malformed, forged or over. */
export type ReadCaller = (headers: Headers) => Promise<Caller | null>;

const ROLES = ['anon', 'authenticated', 'service_role'] as const;
type Role = (typeof ROLES)[number];

type Verified = { readonly caller: Caller; readonly beginsAt: number; readonly endsAt: number };

/** Tokens whose signature was right; each costs some 2 KB, and checking one again half a millisecond. */
const MAX_TOKENS = 1_000;

/** `now` in milliseconds since 1970. */
export function callerReader(keys: Keys, now: () => number = Date.now): ReadCaller {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const known = new Map<string, Verified>();
  const ofKey = new Map([
    [keys.anonKey, withoutToken('anon')],
    [keys.serviceRoleKey, withoutToken('service_role')],
  ]);

  async function ofToken(token: string): Promise<Caller | null> {
    const verified = known.get(token) ?? (await verify(token, secret));
    if (verified === null) return null;
    const seconds = Math.floor(now() / 1000);
    if (seconds < verified.beginsAt || seconds >= verified.endsAt) {
      known.delete(token);
      return null;
    }
    if (!known.has(token)) {
      // In the order of their coming: the oldest one is the nearest to its end.
      const [oldest] = known.keys();
      if (known.size >= MAX_TOKENS && oldest !== undefined) known.delete(oldest);
      known.set(token, verified);
    }
    return verified.caller;
  }

  return async (headers) => {
    const key = headers.get('apikey') ?? '';
    const keyCaller = ofKey.get(key);
    if (keyCaller === undefined) return null;
    // Secrets have no business in a browser; lite has the words for that.
    if (keyCaller.role === 'service_role' && /^\s*Mozilla\s*\/\s*5/i.test(headers.get('user-agent') ?? '')) return null;
    const token = /^Bearer\s+(.+)$/.exec(headers.get('authorization') ?? '')?.[1]?.trim();
    return token === undefined || token === key || token.startsWith('sb_') ? keyCaller : ofToken(token);
  };
}

const withoutToken = (role: Role): Caller => ({ role, subject: '', claims: JSON.stringify({ role }) });

async function verify(token: string, secret: Uint8Array): Promise<Verified | null> {
  const payload = await jwtVerify(token, secret, { algorithms: ['HS256'] }).then(
    (result) => result.payload,
    () => null,
  );
  if (payload === null) return null;
  const role = ROLES.find((one) => one === (payload['role'] ?? 'anon'));
  if (role === undefined) return null;
  const { sub: subject = '', iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
  return { caller: { role, subject, claims: JSON.stringify(payload) }, beginsAt: iat, endsAt: exp };
}

// API keys in the legacy form: JWTs with the role anon or service_role, signed with the project's secret. A separate Realtime
// server understands only these. They are replaced by the keys in the new form before a request reaches a service.
import { SignJWT, jwtVerify } from 'jose';
import type { Keys } from './keys.ts';
import type { Fetch } from '../fetch.ts';

type KeyRole = 'anon' | 'service_role';
export type JwtKeys = Readonly<Record<KeyRole, string>>;

/** The same as on the hosted service. */
const LIFETIME = '10 years';

export async function makeJwtKeys(jwtSecret: string): Promise<JwtKeys> {
  const secret = new TextEncoder().encode(jwtSecret);
  const sign = (role: KeyRole) =>
    new SignJWT({ role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer('supabase')
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(secret);
  const [anon, serviceRole] = await Promise.all([sign('anon'), sign('service_role')]);
  return { anon, service_role: serviceRole };
}

export function acceptJwtKeys(keys: Keys, next: Fetch): Fetch {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const known: Readonly<Record<KeyRole, string>> = { anon: keys.anonKey, service_role: keys.serviceRoleKey };

  /** The key in the new form; null if this is not a legacy key. */
  async function keyOf(key: string | null): Promise<string | null> {
    if (key === null || !key.startsWith('ey')) return null;
    try {
      const { role } = (await jwtVerify(key, secret, { algorithms: ['HS256'] })).payload;
      return role === 'anon' || role === 'service_role' ? known[role] : null;
    } catch {
      return null;
    }
  }

  return async (request, peerAddress) => {
    const url = new URL(request.url);
    const named = request.headers.get('apikey');
    const given = named ?? url.searchParams.get('apikey');
    const key = await keyOf(given);
    if (key === null) return next(request, peerAddress);
    const headers = new Headers(request.headers);
    if (named === null) url.searchParams.set('apikey', key);
    else headers.set('apikey', key);
    // supabase-js sends the key as the token too while nobody is signed in.
    if (headers.get('authorization') === `Bearer ${given}`) headers.set('authorization', `Bearer ${key}`);
    const body = request.body === null ? {} : { body: request.body, duplex: 'half' as const };
    const rewritten = new Request(url, { method: request.method, headers, signal: request.signal, ...body });
    return next(rewritten, peerAddress);
  };
}

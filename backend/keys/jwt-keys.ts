// API keys of the old form: JWTs of the roles anon and service_role, signed with the project's secret. Where a Realtime server
// stands beside this backend they are the keys that both understand; everything behind sees the new form.
import { SignJWT, jwtVerify } from 'jose';
import type { Keys } from './keys.ts';
import type { Repair } from '../http/fetch.ts';

type KeyRole = 'anon' | 'service_role';
export type JwtKeys = Readonly<Record<KeyRole, string>>;

/** As long as those of the hosted service. */
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

export function acceptJwtKeys(keys: Keys): Repair {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const known: Readonly<Record<KeyRole, string>> = { anon: keys.anonKey, service_role: keys.serviceRoleKey };

  /** The key of the new form that this one stands for; null: it is none. */
  async function keyOf(key: string | null): Promise<string | null> {
    if (key === null || !key.startsWith('ey')) return null;
    try {
      const { role } = (await jwtVerify(key, secret, { algorithms: ['HS256'] })).payload;
      return role === 'anon' || role === 'service_role' ? known[role] : null;
    } catch {
      return null;
    }
  }

  return (next) => async (request, peerAddress) => {
    const url = new URL(request.url);
    const named = request.headers.get('apikey');
    const given = named ?? url.searchParams.get('apikey');
    const key = await keyOf(given);
    if (key === null) return next(request, peerAddress);
    const headers = new Headers(request.headers);
    if (named === null) url.searchParams.set('apikey', key);
    else headers.set('apikey', key);
    // supabase-js says the key once more where nobody is signed in.
    if (headers.get('authorization') === `Bearer ${given}`) headers.set('authorization', `Bearer ${key}`);
    const body = request.body === null ? {} : { body: request.body, duplex: 'half' as const };
    const asked = new Request(url, { method: request.method, headers, signal: request.signal, ...body });
    return next(asked, peerAddress);
  };
}

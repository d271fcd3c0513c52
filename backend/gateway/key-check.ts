// The door to the API: who brings a body brings a key first, and what has a key only in a hosted project has one here.
// Says nothing of what a key may do; that is for the services behind.
import type { IncomingMessage } from 'node:http';
import { jwtVerify } from 'jose';
import type { VerifyToken } from '../keys/token.ts';
import { type Refusal, refusal } from './refusal.ts';

export type KeyCheck = (incoming: IncomingMessage, url: URL) => Promise<Refusal | null>;

export type ProjectKeys = { readonly anonKey: string; readonly serviceRoleKey: string; readonly jwtSecret: string };

/** Opened from a mail or by another site, by people who have no key. */
const OPEN_PAGES = /^\/auth\/v1\/(?:verify|authorize|callback|\.well-known\/.+)$/;
/** Storage asks for its own: a public file needs none, a signed address has it in `token`. */
const STORAGE = /^\/storage\/v1(?:\/|$)/;
const SIGNED_UPLOAD = /^\/storage\/v1\/(?:object\/upload\/sign|upload\/resumable\/sign)\//;

const NO_KEY: Refusal = {
  ...refusal(401, 'No API key found in request'),
  hint: 'No `apikey` request header or url param was found.',
};
const WRONG_KEY: Refusal = {
  ...refusal(401, 'Invalid API key'),
  hint: 'Double check your Supabase `anon` or `service_role` API key.',
};

export function keyCheck(
  keys: ProjectKeys,
  verifyToken: VerifyToken,
  hasBody: (of: IncomingMessage) => boolean,
): KeyCheck {
  const secret = new TextEncoder().encode(keys.jwtSecret);

  const isKnown = async (key: string): Promise<boolean> =>
    key === keys.anonKey || key === keys.serviceRoleKey || (!key.startsWith('sb_') && (await verifyToken(key)).ok);

  const isSigned = async (token: string): Promise<boolean> => {
    try {
      await jwtVerify(token, secret, { algorithms: ['HS256'] });
      return true;
    } catch {
      return false;
    }
  };

  return async (incoming, { pathname, searchParams }) => {
    const isBringing = hasBody(incoming);
    if (!isBringing && (STORAGE.test(pathname) || OPEN_PAGES.test(pathname))) return null;
    const { apikey, authorization, 'x-signature': signature } = incoming.headers;
    const named = typeof apikey === 'string' ? apikey : searchParams.get('apikey');
    if (named !== null && named !== '') return (await isKnown(named)) ? null : WRONG_KEY;
    // A signed-in person's token is enough, as is a key in its place.
    const bearer = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) return (await isKnown(bearer)) ? null : WRONG_KEY;
    const token = searchParams.get('token') ?? (typeof signature === 'string' ? signature : '');
    if (token === '' || !SIGNED_UPLOAD.test(pathname)) return NO_KEY;
    return (await isSigned(token)) ? null : WRONG_KEY;
  };
}

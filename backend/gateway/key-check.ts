// Requires an API key before the services see a request: for every request with a body, and wherever a hosted Supabase
// project requires one. What a key allows is decided by the services.
import type { IncomingMessage } from 'node:http';
import { jwtVerify } from 'jose';
import type { VerifyToken } from '../keys/token.ts';
import { type Refusal, refusal } from './refusal.ts';

export type KeyCheck = (incoming: IncomingMessage, url: URL) => Promise<Refusal | null>;

export type ProjectKeys = { readonly anonKey: string; readonly serviceRoleKey: string; readonly jwtSecret: string };

/** Links in mails and redirects from other sites lead to these; the browser that opens them has no key. */
const OPEN_PAGES = /^\/auth\/v1\/(?:verify|authorize|callback|\.well-known\/.+)$/;
/** Storage checks reads itself: a public file needs no key, and a signed URL has a `token`. */
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
  hasBody: (incoming: IncomingMessage) => boolean,
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
    if (!hasBody(incoming) && (STORAGE.test(pathname) || OPEN_PAGES.test(pathname))) return null;
    const { apikey, authorization, 'x-signature': signature } = incoming.headers;
    const named = typeof apikey === 'string' ? apikey : searchParams.get('apikey');
    if (named !== null && named !== '') return (await isKnown(named)) ? null : WRONG_KEY;
    // The access token of a signed-in user is enough; so is a key in its place.
    const bearer = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) return (await isKnown(bearer)) ? null : WRONG_KEY;
    const token = searchParams.get('token') ?? (typeof signature === 'string' ? signature : '');
    if (token === '' || !SIGNED_UPLOAD.test(pathname)) return NO_KEY;
    return (await isSigned(token)) ? null : WRONG_KEY;
  };
}

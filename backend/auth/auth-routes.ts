// Gap: the Auth of @supabase/lite 0.10.0 has no guests, no admin calls, no reuse detection, no PKCE for mails, no change of
// address by both mailboxes, no rate limits, and half the claims. More than repairs can mend: these routes stand in front of
// it, on the same tables. /settings, /health, /reauthenticate and OAuth (no provider here) are still lite's.
import type { Fetch, Repair } from '../http/fetch.ts';
import { codeOf } from './accounts.ts';
import { generateLink, invite } from './admin-links.ts';
import { adminCreate, adminDelete, adminList, adminRead, adminUpdate, requireAdmin } from './admin-users.ts';
import { refuseKey } from './api-key.ts';
import type { Auth } from './auth.ts';
import { AuthError, toErrorResponse, validationFailed } from './auth-error.ts';
import { type Call, readCall } from './call.ts';
import { resend, sendLink, sendReset } from './one-time-mails.ts';
import { signUp } from './sign-up.ts';
import { token } from './token.ts';
import { changeSelf, readSelf, signOut } from './user.ts';
import { followLink, verifyCode } from './verify.ts';

type Answer = (auth: Auth, call: Call) => Promise<Response>;
type Methods = Readonly<Record<string, Answer>>;

const PREFIX = '/auth/v1';
const USERS = '/admin/users';

const ROUTES: ReadonlyMap<string, Methods> = new Map([
  ['/signup', { POST: signUp }],
  ['/token', { POST: token }],
  ['/verify', { GET: followLink, POST: verifyCode }],
  ['/user', { GET: readSelf, PUT: changeSelf }],
  ['/logout', { POST: signOut }],
  ['/otp', { POST: sendLink }],
  ['/magiclink', { POST: sendLink }],
  ['/recover', { POST: sendReset }],
  ['/resend', { POST: resend }],
  ['/invite', { POST: invite }],
  ['/admin/generate_link', { POST: generateLink }],
  [USERS, { GET: adminList, POST: adminCreate }],
]);

/** For the secret key alone. */
const isForAdmin = (path: string): boolean => path === '/invite' || path.startsWith('/admin/');

/** What supabase-js can ask of a hosted project and this backend has not. */
const MISSING: readonly (readonly [path: RegExp, what: string])[] = [
  [/^\/(?:admin\/users\/[^/]+\/)?factors(?:\/|$)/, 'second factors'],
  [/^\/(?:admin\/users\/[^/]+\/)?passkeys(?:\/|$)/, 'passkeys'],
  [/^\/(?:admin\/|user\/)?oauth\//, 'OAuth server'],
  [/^\/admin\/custom-providers(?:\/|$)/, 'providers'],
  [/^\/(?:admin\/)?sso(?:\/|$)|^\/saml\//, 'single sign-on'],
  [/^\/user\/identities(?:\/|$)/, 'linking of identities'],
];

const LEFT_TO_LITE = new Set([
  '/settings',
  '/health',
  '/reauthenticate',
  '/authorize',
  '/callback',
  '/.well-known/jwks.json',
]);

export const authRoutes =
  (auth: Auth): Repair =>
  (next: Fetch): Fetch =>
  async (request, peerAddress) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(`${PREFIX}/`)) return next(request, peerAddress);
    const path = pathname.slice(PREFIX.length).replace(/\/$/, '');
    if (LEFT_TO_LITE.has(path)) return next(request, peerAddress);
    try {
      const methods = methodsOf(path);
      // Not lite's either: its router decodes what is written "/s%69gnup", and none of the limits here would hold.
      if (methods === undefined) throw nothingAt(path);
      const call = await readCall(request, peerAddress);
      const isFollowing = path === '/verify' && request.method === 'GET';
      const wrongKey = isFollowing ? null : await refuseKey(call, auth.verifyKey);
      if (wrongKey !== null) return wrongKey;
      const answer = methods[request.method];
      if (answer === undefined) throw validationFailed('Method not allowed', 405);
      if (isForAdmin(path)) await requireAdmin(auth, call);
      return await answer(auth, call);
    } catch (error) {
      return toErrorResponse(refusalOf(error), request.headers);
    }
  };

function methodsOf(path: string): Methods | undefined {
  if (!path.startsWith(`${USERS}/`)) return ROUTES.get(path);
  const id = path.slice(USERS.length + 1);
  if (id.includes('/')) return undefined;
  return {
    GET: (auth, call) => adminRead(auth, call, id),
    PUT: (auth, call) => adminUpdate(auth, call, id),
    DELETE: (auth, call) => adminDelete(auth, call, id),
  };
}

function nothingAt(path: string): AuthError {
  const [, what] = MISSING.find(([form]) => form.test(path)) ?? [];
  return what === undefined
    ? new AuthError(404, 'unknown', 'There is nothing at this address')
    : new AuthError(404, 'feature_disabled', `The embedded backend has no ${what}; a Supabase project has.`);
}

/** Anything else is a bug or a database in trouble, and thrown on. */
function refusalOf(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  // Text that Postgres cannot hold: U+0000, half a surrogate pair.
  if (codeOf(error).startsWith('22')) return validationFailed('Unable to store the text that was sent');
  throw error;
}

// /auth/v1: the calls that Weft's app, tests and tools make, answered as the hosted Auth does. Any other call gets 501 and a
// sentence.
import type { Fetch } from '../fetch.ts';
import { checkApiKey } from '../keys/check-api-key.ts';
import { codeOf } from './accounts/create-account.ts';
import { AuthError, authNotImplemented, toErrorResponse, validationFailed } from './auth-error.ts';
import type { Auth } from './auth.ts';
import { type AuthCall, readCall } from './call.ts';
import { adminCreate, adminDelete, adminRead, requireAdmin } from './handlers/admin-users.ts';
import { grantSession } from './handlers/grant-session.ts';
import { changeOwnAccount, readOwnAccount, signOut } from './handlers/own-account.ts';
import { readSettings } from './handlers/read-settings.ts';
import { sendResetMail, sendSignInMail } from './handlers/request-mail.ts';
import { signUp } from './handlers/sign-up.ts';
import { followMailLink, verifyCode } from './handlers/verify.ts';

type Handler = (auth: Auth, call: AuthCall) => Promise<Response>;

const PREFIX = '/auth/v1';

/** By method and path. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['GET /settings', readSettings],
  ['POST /signup', signUp],
  ['POST /token', grantSession],
  ['GET /verify', followMailLink],
  ['POST /verify', verifyCode],
  ['GET /user', readOwnAccount],
  ['PUT /user', changeOwnAccount],
  ['POST /logout', signOut],
  ['POST /otp', sendSignInMail],
  ['POST /recover', sendResetMail],
  ['POST /admin/users', adminCreate],
]);

/** A link in a mail is opened by a browser, which has no key. */
const FOLLOW_LINK = 'GET /verify';
const ONE_ACCOUNT = /^(GET|DELETE) \/admin\/users\/([^/]+)$/;

export const authRoutes =
  (auth: Auth): Fetch =>
  async (request, peerAddress) => {
    const url = new URL(request.url);
    const path = url.pathname.slice(PREFIX.length).replace(/\/$/, '');
    const route = `${request.method} ${path}`;
    try {
      const key = route === FOLLOW_LINK ? null : checkApiKey(auth.keys, request.headers, url);
      if (key?.ok === false) return key.error;
      const answer = handlerOf(route);
      if (answer === undefined) throw authNotImplemented(`the call "${route}"`);
      const call = await readCall(request, peerAddress);
      if (path.startsWith('/admin/')) await requireAdmin(auth, call);
      return await answer(auth, call);
    } catch (error) {
      return toErrorResponse(toAuthError(error), request.headers);
    }
  };

function handlerOf(route: string): Handler | undefined {
  const [, method, id] = ONE_ACCOUNT.exec(route) ?? [];
  if (id === undefined) return HANDLERS.get(route);
  const handler = method === 'GET' ? adminRead : adminDelete;
  return (auth, call) => handler(auth, call, id);
}

/** Throws any error for which there is no answer here, such as a bug. */
function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  // Text that PostgreSQL cannot store: U+0000, half a surrogate pair.
  if (codeOf(error).startsWith('22')) return validationFailed('Unable to store the text that was sent');
  // The disk is full, or the database cannot be reached: clients try again.
  if (error instanceof Error && /^(?:08|53|57)/.test(codeOf(error)))
    return new AuthError(503, 'unexpected_failure', error.message);
  throw error;
}

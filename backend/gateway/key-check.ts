// Requires an API key before the services see a request: for every request with a body, and wherever a hosted Supabase
// project requires one. The services decide what a key allows.
import type { IncomingMessage } from 'node:http';
import { bearerOf } from '../keys/bearer.ts';
import type { Keys } from '../keys/keys.ts';
import type { VerifyToken } from '../keys/token.ts';
import { type Refusal, refusal } from './refusal.ts';

export type KeyCheck = (incoming: IncomingMessage, url: URL) => Promise<Refusal | null>;

/** Links in mails lead here; the browser that opens them has no key. */
const OPEN_PAGE = '/auth/v1/verify';

const NO_KEY: Refusal = {
  ...refusal(401, 'No API key found in request'),
  hint: 'No `apikey` request header or url param was found.',
};
const WRONG_KEY: Refusal = {
  ...refusal(401, 'Invalid API key'),
  hint: 'Double check your Supabase `anon` or `service_role` API key.',
};

export function keyCheck(
  keys: Keys,
  verifyToken: VerifyToken,
  hasBody: (incoming: IncomingMessage) => boolean,
): KeyCheck {
  const isKnown = async (key: string): Promise<boolean> =>
    key === keys.anonKey || key === keys.serviceRoleKey || (!key.startsWith('sb_') && (await verifyToken(key)).ok);

  return async (incoming, { pathname, searchParams }) => {
    if (!hasBody(incoming) && pathname === OPEN_PAGE) return null;
    const { apikey, authorization } = incoming.headers;
    const named = typeof apikey === 'string' ? apikey : searchParams.get('apikey');
    if (named !== null && named !== '') return (await isKnown(named)) ? null : WRONG_KEY;
    // The access token of a signed-in user is enough; so is a key in its place.
    const bearer = bearerOf(authorization);
    if (bearer === null) return NO_KEY;
    return (await isKnown(bearer)) ? null : WRONG_KEY;
  };
}

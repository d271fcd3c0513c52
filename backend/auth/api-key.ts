// The gate in front of Auth that a hosted project's gateway is: who asks must hold one of the project's keys.
import type { VerifyToken } from '../keys/token.ts';
import type { Call } from './call.ts';

/** Null: the key is right. */
export async function refuseKey(call: Call, verify: VerifyToken): Promise<Response | null> {
  const key = call.headers.get('apikey') ?? call.url.searchParams.get('apikey');
  if (key === null || key === '')
    return refusal('UNAUTHORIZED_MISSING_API_KEY', {
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    });
  const holder = await verify(key);
  if (!holder.ok)
    return refusal('UNAUTHORIZED_INVALID_API_KEY', {
      message: 'Invalid API key',
      hint: 'Double check your Supabase `apikey`',
    });
  const isInBrowser = call.headers.get('user-agent')?.startsWith('Mozilla/') === true;
  return isInBrowser && key.startsWith('sb_secret_')
    ? refusal('UNAUTHORIZED_INVALID_API_KEY_TYPE', { message: 'Forbidden use of secret API key in browser' })
    : null;
}

const refusal = (code: string, body: Readonly<Record<string, string>>): Response =>
  Response.json(body, { status: 401, headers: { 'sb-error-code': code } });

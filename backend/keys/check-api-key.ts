// Requires one of the project's two API keys, as the gateway of a hosted project does: for REST, and for Auth except
// the links in mails.
import { type Result, err, ok } from '../../src/lib/result.ts';
import type { Keys } from './keys.ts';

export type ApiKeyRole = 'anon' | 'service_role';

/** The role of the request's key, or the answer that refuses the request. */
export function checkApiKey(keys: Keys, headers: Headers, url: URL): Result<ApiKeyRole, Response> {
  const key = headers.get('apikey') ?? url.searchParams.get('apikey') ?? '';
  if (key === '') {
    return refuse('UNAUTHORIZED_MISSING_API_KEY', {
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    });
  }
  if (key === keys.anonKey) return ok('anon');
  if (key !== keys.serviceRoleKey) {
    return refuse('UNAUTHORIZED_INVALID_API_KEY', {
      message: 'Invalid API key',
      hint: 'Double check your Supabase `apikey`',
    });
  }
  return headers.get('user-agent')?.startsWith('Mozilla/') === true
    ? refuse('UNAUTHORIZED_INVALID_API_KEY_TYPE', { message: 'Forbidden use of secret API key in browser' })
    : ok('service_role');
}

const refuse = (code: string, body: Readonly<Record<string, string>>): Result<never, Response> =>
  err(Response.json(body, { status: 401, headers: { 'sb-error-code': code } }));

// One call to PostgREST that outlives the page. supabase-js cannot pass `keepalive` to its fetch, and it waits for the token
// before each call: a page that is being hidden may be gone by then.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import type { ServiceAnswer } from './to-weft-error.ts';

const refusal = v.object({
  code: v.optional(v.nullable(v.string())),
  message: v.string(),
  details: v.optional(v.nullable(v.string())),
});

export async function postKeepalive(client: SupabaseClient, name: string, args: unknown): Promise<ServiceAnswer> {
  // The Realtime client of the same project knows the URL, the key and the newest token.
  const { realtime } = client;
  const project = realtime.httpEndpoint.replace(/\/realtime\/v1\/.*$/, '');
  const url = `${project}/rest/v1/rpc/${name}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      keepalive: true,
      headers: {
        'content-type': 'application/json',
        apikey: realtime.apiKey ?? '',
        authorization: `Bearer ${realtime.accessTokenValue ?? realtime.apiKey ?? ''}`,
      },
      body: JSON.stringify(args),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { data: body, error: null, status: response.status };
    const { code, message, details } = parseOrNull(refusal, body) ?? { message: response.statusText };
    return { data: null, error: { code: code ?? '', message, details: details ?? null }, status: response.status };
  } catch (error) {
    return { data: null, error: { message: String(error) }, status: 0 };
  }
}

// @vitest-environment happy-dom
// Real auth-js: which services a project has, and where a sign-in with one leads.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { supabaseClient } from '../../../src/platform/supabase/client.ts';
import { supabaseProviderSignIn } from '../../../src/platform/supabase/provider-sign-in.ts';

const PROJECT = { url: 'http://weft.test', anonKey: 'key' };

let answer: (signal?: AbortSignal | null) => Response | Promise<Response>;
const asked: string[] = [];
const left: string[] = [];
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  asked.length = 0;
  left.length = 0;
  // auth-js warns of each further client in a page.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return answer(init?.signal);
  });
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void left.push(String(url)));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const port = () =>
  supabaseProviderSignIn(supabaseClient(PROJECT, localStorage, new ServerClock()), PROJECT, 'http://app.test');

test('only services that are on and have a page count', async () => {
  answer = () =>
    Response.json({
      external: { google: true, github: false, email: true, phone: true, anonymous_users: true, later: true, azure: 1 },
    });
  expect(await port().providers()).toEqual(['google']);
  expect(asked).toEqual(['http://weft.test/auth/v1/settings']);
});

test.each([
  ['nonsense', () => new Response('<html>')],
  ['an error', () => Response.json({}, { status: 500 })],
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
])('%s counts as no services', async (_name, made) => {
  answer = made;
  expect(await port().providers()).toEqual([]);
});

test('a server that does not answer in time counts as no services', async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  answer = (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const services = port().providers();
  limit.abort();
  expect(await services).toEqual([]);
});

test('a sign-in leads to the service and back to the callback; a secret in the goal stays in this tab', async () => {
  const signIn = port();
  expect(await signIn.signIn('google', '/s#secret')).toEqual({ ok: true, value: undefined });
  const url = new URL(left[0] ?? '');
  expect(url.origin + url.pathname).toBe('http://weft.test/auth/v1/authorize');
  expect(url.searchParams.get('provider')).toBe('google');
  expect(url.searchParams.get('code_challenge')).not.toBeNull();
  const back = new URL(url.searchParams.get('redirect_to') ?? '');
  expect([back.origin + back.pathname, back.searchParams.get('via')]).toEqual([
    'http://app.test/auth/callback',
    'google',
  ]);
  expect(left[0]).not.toContain('secret');
  expect([signIn.takeReturn(), signIn.takeReturn()]).toEqual(['/s#secret', null]);
});

test('a project that links no identities says so', async () => {
  localStorage.setItem(
    'weft:auth:weft.test',
    JSON.stringify({
      access_token: 'header.payload.signature',
      refresh_token: 'refresh',
      token_type: 'bearer',
      expires_in: 3_600,
      expires_at: Math.floor(Date.now() / 1_000) + 3_600,
      user: { id: '00000000-0000-4000-8000-000000000001', aud: 'authenticated', app_metadata: {}, user_metadata: {} },
    }),
  );
  answer = () =>
    Response.json(
      { code: 'manual_linking_disabled', message: 'Manual linking is disabled' },
      { status: 404, headers: { 'x-supabase-api-version': '2024-01-01' } },
    );
  expect(await port().link('google', '/account')).toEqual({ ok: false, error: 'linkingOff' });
  expect(asked[0]).toContain('http://weft.test/auth/v1/user/identities/authorize?provider=google');
  expect(left).toEqual([]);
});

// @vitest-environment happy-dom
// The token of a client that no one uses: nothing looks at it, and the next call renews it.
import { afterEach, expect, test, vi } from 'vitest';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { supabaseClient } from '../../../src/platform/supabase/client.ts';

const HOUR_S = 3_600;
const KEY = 'weft:auth:weft.test';

const session = (token: string) => ({
  access_token: token,
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: HOUR_S,
  expires_at: Math.floor(Date.now() / 1_000) + HOUR_S,
  user: { id: 'b0000000-0000-4000-8000-000000000001', aud: 'authenticated', app_metadata: {}, user_metadata: {} },
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('no timer runs, and a call in the last minute of a token gets a new one', async () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    calls.push(new URL(input).pathname);
    return Response.json(session('second'));
  });
  localStorage.setItem(KEY, JSON.stringify(session('first')));
  const client = supabaseClient({ url: 'http://weft.test', anonKey: 'key' }, localStorage, new ServerClock());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync((HOUR_S - 60) * 1_000);
  expect(calls).toEqual([]);
  expect((await client.auth.getSession()).data.session?.access_token).toBe('second');
  expect(calls).toEqual(['/auth/v1/token']);
  expect(vi.getTimerCount()).toBe(0);
});

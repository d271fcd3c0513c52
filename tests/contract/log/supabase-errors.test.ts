// Failed calls have the right error after supabase-js, whatever the network and the server answer.
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { withRetryAfter } from 'weft-sync/supabase/retry-after.ts';
import { SECRET, DOCUMENT } from '../../sync/sync-harness.ts';

function clientAnswering(answer: () => Promise<Response> | Response) {
  return createClient('http://127.0.0.1:1', 'anon-key', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async () => answer() },
  });
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const cases: readonly [string, () => Promise<Response> | Response, string][] = [
  ['no network', () => Promise.reject(new TypeError('fetch failed')), 'WF011'],
  ['a timeout', () => Promise.reject(new DOMException('aborted', 'AbortError')), 'WF011'],
  ['an unavailable server', () => json(503, { message: 'no connection' }), 'WF011'],
  ['a gateway that answers HTML', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'WF011'],
  ['a lock that was not to be had', () => json(500, { code: '55P03', message: 'lock timeout' }), 'WF011'],
  ['an expired token', () => json(401, { code: 'PGRST301', message: 'JWT expired' }), 'WF003'],
  ['too many requests', () => json(429, { message: 'slow down' }), 'WF008'],
  ['a refusal of ours', () => json(400, { code: 'WF002', message: 'text', details: 'viewer' }), 'WF002'],
  ['a missing grant', () => json(403, { code: '42501', message: 'permission denied' }), 'WF001'],
  ['an answer of another shape', () => json(200, { rows: 7 }), 'unknown'],
  ['something unheard of', () => json(400, { code: '22P02', message: 'invalid input' }), 'unknown'],
];

describe('[PL1] the error of a failed call', () => {
  for (const [what, answer, code] of cases) {
    test(`${what}: ${code}`, async () => {
      const client = clientAnswering(answer);
      const opened = await supabaseLog(client).open(DOCUMENT, 0);
      expect(opened).toMatchObject({ ok: false, error: { code } });
      const watched = await supabaseWatchLog(client).openWatch(SECRET, 0);
      expect(watched).toMatchObject({ ok: false, error: { code } });
      expect(await supabaseLog(client).saveText(DOCUMENT, 1, '', '')).toMatchObject({ ok: false, error: { code } });
    });
  }
});

describe('[PL1] how long a server asks to wait', () => {
  const NOW = Date.UTC(2026, 10, 21);
  const asking = (status: number, value: string | null) =>
    createClient('http://127.0.0.1:1', 'anon-key', {
      auth: { persistSession: false, autoRefreshToken: false },
      global: {
        fetch: (input) => {
          const headers: Record<string, string> = value === null ? {} : { 'retry-after': value };
          return withRetryAfter(new Response('<h1>Slow down</h1>', { status, headers }), input, NOW);
        },
      },
    });

  test.each([
    ['429 with seconds', 429, '7', 'WF008', 7_000],
    ['503 with seconds', 503, '30', 'WF011', 30_000],
    ['503 with a date', 503, new Date(NOW + 12_000).toUTCString(), 'WF011', 12_000],
    ['more than anyone should wait', 429, '86400', 'WF008', 300_000],
    ['a date that is over', 429, new Date(NOW - 1_000).toUTCString(), 'WF008', undefined],
    ['nonsense', 429, 'soon', 'WF008', undefined],
    ['no word', 503, null, 'WF011', undefined],
    ['another refusal', 500, '7', 'WF011', undefined],
  ] as const)('%s', async (_what, status, value, code, retryAfterMs) => {
    const opened = await supabaseLog(asking(status, value)).open(DOCUMENT, 0);
    expect(opened.ok ? null : [opened.error.code, opened.error.retryAfterMs]).toEqual([code, retryAfterMs]);
  });
});

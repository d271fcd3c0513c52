import { afterEach, expect, test, vi } from 'vitest';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { detailsText, errorDetails } from '../../../src/app/diagnostics/error-details.ts';
import { errorHook } from '../../../src/app/diagnostics/error-hook.ts';
import { supabaseClient } from '../../../src/platform/supabase/client.ts';
import { RecentCalls } from '../../../src/platform/supabase/recent-calls.ts';

afterEach(() => void vi.unstubAllGlobals());

const PROJECT = { url: 'https://project.test', anonKey: 'key' };
const SECRET = 'my secret words';
const MOMENT = { screen: '/', build: 'https://weft.example/assets/app-Ab12cd34.js', calls: [], at: 0 };
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('the details name the calls that led to an error, and contain no id, name or text', async () => {
  const calls = new RecentCalls();
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const client = supabaseClient(PROJECT, storage, new ServerClock(), calls);
  const answers = vi.fn<typeof fetch>(async () => new Response('{}', { status: 403 }));
  vi.stubGlobal('fetch', answers);
  await client.rpc('append_update', { document: ID, update: SECRET });
  await client.from('profiles').select('*').eq('display_name', SECRET);
  await client.storage.from('attachments').download(`${ID}/${SECRET}.png`);
  await client.auth.signInWithPassword({ email: 'ada@weft.example', password: SECRET });
  answers.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await client.rpc('open_document', { document: ID });
  expect(calls.get().map(({ name, status }) => [name, status])).toEqual([
    ['rpc/append_update', 403],
    ['rest/profiles', 403],
    ['storage/object', 403],
    ['auth/token', 403],
    ['rpc/open_document', null],
  ]);
  const at = Date.now();
  const error = new TypeError(`Cannot draw “${SECRET} secret.js:1:1”`);
  const text = detailsText(errorDetails(error, { ...MOMENT, screen: '/w/:workspace/p/:page', calls: calls.get(), at }));
  expect(text).toMatch(
    /^Weft \d+\.\d+\.\d+ \(app-Ab12cd34\.js\)\nError WF-app-[0-9a-f]{4} TypeError\n {2}at error-details\.test\.ts:/,
  );
  expect(text).toContain('\nScreen /w/:workspace/p/:page\nBrowser ');
  expect(text).toMatch(/ s before: rpc\/open_document no answer, \d+ ms$/);
  for (const content of [SECRET, 'secret.js', ID, 'ada@weft.example']) expect(text).not.toContain(content);
});

test('only the last 20 calls are kept', () => {
  const calls = new RecentCalls();
  for (let nth = 0; nth < 30; nth++) calls.add(`https://project.test/rest/v1/rpc/call_${'x'.repeat(nth)}`, 200, 0);
  expect(calls.get().map(({ name }) => name.length)).toEqual(Array.from({ length: 20 }, (_, at) => 19 + at));
});

test('the hook gets each error with its details, and at most fifty', async () => {
  const onError = vi.fn<(error: unknown, details: unknown) => void>();
  const hook = errorHook(async () => ({ onError }));
  const details = errorDetails(new Error('first'), MOMENT);
  for (let nth = 0; nth < 60; nth++) await hook(nth, details);
  expect(onError).toHaveBeenCalledTimes(50);
  expect(onError).toHaveBeenLastCalledWith(49, details);
});

test.each([
  ['cannot be loaded', () => Promise.reject(new Error('404'))],
  ['has no onError', async () => ({ default: () => undefined }) as never],
  [
    'throws',
    async () => ({
      onError: () => {
        throw new Error('no');
      },
    }),
  ],
  ['rejects', async () => ({ onError: () => Promise.reject(new Error('no')) })],
])('a module that %s shows in the console once, and is not called again', async (_what, load) => {
  const reported = vi.fn<typeof reportError>();
  vi.stubGlobal('reportError', reported);
  const hook = errorHook(load);
  const details = errorDetails('error', MOMENT);
  await hook('one', details);
  await hook('two', details);
  expect(reported).toHaveBeenCalledTimes(1);
});

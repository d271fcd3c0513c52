// @vitest-environment happy-dom
// Real auth-js against a minimal server: who is signed in when the token has expired and the network is gone.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { supabaseAccount } from '../../../src/platform/supabase/account.ts';
import { supabaseClient } from '../../../src/platform/supabase/client.ts';
import { rememberedIdentity } from '../../../src/platform/supabase/remembered-identity.ts';
import { alice, bob, userId } from '../../support/app/app-fixture.ts';

const PROJECT = { url: 'http://weft.test', anonKey: 'key' };
const AUTH_KEY = 'weft:auth:weft.test';
const HOUR_S = 3_600;
const carol = { id: userId(3), email: null, isGuest: true };

/** The next answers of the auth server. Null means that there is no network. */
let answers: { readonly status: number; readonly body: unknown }[] | null = null;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  vi.stubGlobal('fetch', async () => {
    const answer = answers?.shift();
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return Response.json(answer.body, {
      status: answer.status,
      headers: { 'x-supabase-api-version': '2024-01-01' },
    });
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const now = () => Math.floor(Date.now() / 1_000);
const session = (expiresAt: number) => ({
  access_token: 'header.payload.signature',
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: HOUR_S,
  expires_at: expiresAt,
  user: {
    id: alice.id,
    aud: 'authenticated',
    email: alice.email,
    is_anonymous: false,
    app_metadata: {},
    user_metadata: {},
  },
});

function device(
  token: 'valid' | 'expired' | 'none',
  knows = token !== 'none',
  beforeSignIn: () => Promise<void> | null = () => null,
) {
  if (token !== 'none')
    localStorage.setItem(AUTH_KEY, JSON.stringify(session(token === 'valid' ? now() + HOUR_S : now() - 1)));
  const remembered = rememberedIdentity('weft.test');
  if (knows) remembered.write(alice);
  const client = supabaseClient(PROJECT, localStorage, new ServerClock());
  const account = supabaseAccount(client, remembered, {
    allowsGuests: true,
    home: 'http://weft.test',
    inbox: null,
    beforeSignIn,
  });
  const seen: string[] = [account.getState().status];
  account.subscribe(() => {
    const { status } = account.getState();
    if (seen.at(-1) !== status) seen.push(status);
  });
  return { account, client, remembered, seen };
}

test('an unknown device is signed out once that is certain', async () => {
  answers = [];
  const { seen } = device('none');
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toEqual(['unknown', 'signedOut']);
});

test('a cold start offline with an expired token keeps the person signed in from the first moment', async () => {
  answers = null;
  const { account, seen } = device('expired');
  expect(account.getState()).toEqual({ status: 'signedIn', identity: alice });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(seen).toEqual(['signedIn']);
});

test('a start with the stored token says nothing new; another token does, because calls may have failed with the first', async () => {
  answers = [{ status: 200, body: { ...session(now() + 2 * HOUR_S), access_token: 'another.payload.signature' } }];
  const { account, client } = device('valid');
  const notified = vi.fn<() => void>();
  account.subscribe(notified);
  await vi.advanceTimersByTimeAsync(100);
  expect(notified).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(HOUR_S * 1_000);
  // As each call does.
  await client.auth.getSession();
  expect([notified.mock.calls.length, account.getState()]).toEqual([1, { status: 'signedIn', identity: alice }]);
});

test('a person who is new here is signed in once the device knows where to file their pages', async () => {
  answers = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { seen } = device('valid', false, () => promise);
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toEqual(['unknown']);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['unknown', 'signedIn']);
});

test('a person who leaves before that is not signed in by it', async () => {
  answers = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { account, remembered, seen } = device('valid', false, () => promise);
  await vi.advanceTimersByTimeAsync(100);
  const leaving = account.signOut();
  resolve();
  await vi.advanceTimersByTimeAsync(2_000);
  await leaving;
  expect([seen, remembered.read()]).toEqual([['unknown', 'signedOut'], null]);
});

test('a person who is known here waits for nothing', () => {
  answers = null;
  const { seen } = device('valid', true, () => new Promise(() => undefined));
  expect(seen).toEqual(['signedIn']);
});

test('when the network is back the token is renewed, and no one notices', async () => {
  answers = null;
  const { account, seen } = device('expired');
  await vi.advanceTimersByTimeAsync(60_000);
  answers = Array.from({ length: 5 }, () => ({ status: 200, body: session(now() + HOUR_S) }));
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(seen).toEqual(['signedIn']);
  expect(account.getState()).toEqual({ status: 'signedIn', identity: alice });
  expect(localStorage.getItem(AUTH_KEY)).toContain(`"expires_at":`);
});

test('a refresh that the server refuses is an expired sign-in, not a sign-out: the person stays known', async () => {
  answers = [{ status: 400, body: { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' } }];
  const { account, seen, remembered } = device('expired');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(seen).toEqual(['signedIn', 'expired']);
  expect(account.getState()).toEqual({ status: 'expired', identity: alice });
  expect(remembered.read()).toEqual(alice);
});

test('after that a new page asks to sign in from the first moment, because it has no token left', async () => {
  answers = null;
  const { seen, remembered } = device('none', true);
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toEqual(['expired']);
  expect(remembered.read()).toEqual(alice);
});

test('a person who comes next without a sign-out makes the one before a former account, until they are back', async () => {
  answers = null;
  const { account, remembered } = device('none', true);
  remembered.write(bob);
  expect(remembered.former()).toEqual([alice]);
  remembered.write(carol);
  expect(remembered.former()).toEqual([alice, bob]);
  remembered.write(alice);
  expect(remembered.former()).toEqual([bob, carol]);
  remembered.forgetFormer(bob.id);
  void account.signOut();
  remembered.write(bob);
  expect(remembered.former()).toEqual([carol]);
});

test('signing out forgets the person at once, even offline', async () => {
  answers = null;
  const { account, remembered, seen } = device('expired');
  void account.signOut();
  await vi.advanceTimersByTimeAsync(10);
  expect(seen).toEqual(['signedIn', 'signedOut']);
  expect(remembered.read()).toBeNull();
  // Before auth-js gives up: the tab may be closed by then.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(localStorage.getItem(AUTH_KEY)).toBeNull();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(account.getState()).toEqual({ status: 'signedOut' });
  expect(localStorage.getItem(AUTH_KEY)).toBeNull();
});

test('signing out forgets the person at the other addresses of the project too, and no one else', async () => {
  answers = null;
  const { account } = device('expired');
  const names = ['identity:old.test', 'auth:old.test', 'auth:old.test-user', 'identity:else.test', 'auth:else.test'];
  for (const name of names) {
    const id = name.startsWith('identity:else') ? 'a0000000-0000-4000-8000-000000000009' : alice.id;
    localStorage.setItem(`weft:${name}`, JSON.stringify({ ...alice, id }));
  }
  void account.signOut();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(Object.keys(localStorage).toSorted()).toEqual(['weft:auth:else.test', 'weft:identity:else.test']);
});

test('a sign-out in another tab applies here at once', async () => {
  answers = [];
  const { seen } = device('valid');
  await vi.advanceTimersByTimeAsync(100);
  const change = { key: 'weft:identity:weft.test', oldValue: '{}', newValue: null };
  dispatchEvent(new StorageEvent('storage', { ...change, key: 'weft:identity:elsewhere' }));
  dispatchEvent(new StorageEvent('storage', { ...change, newValue: '{}' }));
  expect(seen).toEqual(['signedIn']);
  dispatchEvent(new StorageEvent('storage', change));
  expect(seen).toEqual(['signedIn', 'signedOut']);
});

test.each([
  [{ status: 400, body: { code: 'invalid_credentials', message: 'Invalid login credentials' } }, 'credentials'],
  [{ status: 400, body: { code: 'email_not_confirmed', message: 'Email not confirmed' } }, 'unconfirmed'],
  [{ status: 429, body: { code: 'over_request_rate_limit', message: 'slow down' } }, 'tooMany'],
  [{ status: 503, body: { message: 'upstream' } }, 'unreachable'],
  [{ status: 418, body: { code: 'teapot', message: 'short and stout' } }, 'unknown'],
  [null, 'unreachable'],
] as const)('%j to a sign-in is “%s”', async (answer, problem) => {
  answers = answer === null ? null : [answer, answer, answer];
  const { account } = device('none');
  const signingIn = account.signIn('alice@weft.example', 'secret');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await signingIn).toMatchObject({ ok: false, error: { problem } });
});

test('stored identities of another shape are ignored', () => {
  localStorage.setItem('weft:identity:weft.test', '{"id":"not a uuid","email":null,"isGuest":false}');
  expect(rememberedIdentity('weft.test').read()).toBeNull();
  localStorage.setItem('weft:identity:weft.test', 'broken');
  expect(rememberedIdentity('weft.test').read()).toBeNull();
});

const refused = (code: string) => ({ status: 422, body: { code, message: code } });

test('asking for a link does not reveal whether there is an account', async () => {
  const { account } = device('none');
  await vi.advanceTimersByTimeAsync(100);
  answers = [refused('otp_disabled')];
  expect(await account.sendLink('nobody@weft.example', null)).toEqual({ ok: true, value: undefined });
  answers = [{ status: 429, body: { code: 'over_email_send_rate_limit', message: 'later' } }];
  expect(await account.sendLink('nobody@weft.example', null)).toMatchObject({
    ok: false,
    error: { problem: 'tooMany' },
  });
  // A hosted project without an email service of its own sends to its team only.
  answers = [{ status: 400, body: { code: 'email_address_not_authorized', message: 'not authorized' } }];
  expect(await account.sendReset('nobody@weft.example')).toMatchObject({
    ok: false,
    error: { problem: 'cannotEmail' },
  });
  answers = null;
  expect(await account.sendReset('nobody@weft.example')).toMatchObject({
    ok: false,
    error: { problem: 'unreachable' },
  });
});

test('a code of another browser signs no one in, and does not take the signed-in person for its owner', async () => {
  history.replaceState(null, '', '/reset?code=made-elsewhere');
  answers = [];
  const { account } = device('valid');
  const done = account.finishLink();
  await vi.advanceTimersByTimeAsync(100);
  expect(await done).toMatchObject({ ok: false, error: { problem: 'otherBrowser' } });
  history.replaceState(null, '', '/');
});

test.each([
  ['?error=access_denied&error_code=otp_expired&error_description=expired', 'deadLink'],
  ['?code=made-elsewhere', 'otherBrowser'],
  ['', 'deadLink'],
])('a page whose address says %s reports a %s', async (search, problem) => {
  history.replaceState(null, '', `/auth/callback${search}`);
  answers = [];
  const { account } = device('none');
  const done = account.finishLink();
  await vi.advanceTimersByTimeAsync(100);
  expect(await done).toMatchObject({ ok: false, error: { problem } });
  history.replaceState(null, '', '/');
});

test('a guest who gets an address is an account at once, or after opening the link where addresses are confirmed', async () => {
  const become = async (user: Readonly<Record<string, unknown>>) => {
    answers = [
      { status: 200, body: { ...session(0).user, ...user } },
      { status: 200, body: session(now() + HOUR_S) },
    ];
    const { account } = device('valid');
    const done = account.becomeAccount('alice@example.com', 'correct horse');
    await vi.advanceTimersByTimeAsync(1_000);
    return done;
  };
  expect(await become({ is_anonymous: false })).toEqual({ ok: true, value: { needsConfirmation: false } });
  expect(answers).toEqual([]);
  expect(await become({ is_anonymous: true })).toEqual({ ok: true, value: { needsConfirmation: true } });
  answers = [{ status: 422, body: { code: 'email_exists', message: 'taken' } }];
  const { account } = device('valid');
  const refused = account.becomeAccount('taken@example.com', 'correct horse');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await refused).toMatchObject({ ok: false, error: { problem: 'taken' } });
});

test('an invitation is emailed to an address that may have no account, and leads to the screen for invitations', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: { readonly body: string }) => {
    sent.push(`${new URL(url).searchParams.get('redirect_to')} ${init.body}`);
    return Response.json({}, { headers: { 'x-supabase-api-version': '2024-01-01' } });
  });
  const { account } = device('valid');
  const done = account.sendInvite('bob@example.com');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await done).toEqual({ ok: true, value: undefined });
  expect(sent.at(-1)).toContain('http://weft.test/i {"email":"bob@example.com"');
  expect(sent.at(-1)).toContain('"create_user":true');
});

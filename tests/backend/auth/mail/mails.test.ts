// Links and codes from mails, followed and typed as people do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type Stage, follow, sessionOf, startStage } from '../auth-fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const CALLBACK = '/auth/callback?next=%2Fw%2Fone';
const callback = () => `${stage.backend.url}${CALLBACK}`;

describe('a link to sign in', () => {
  test('followed from the mail page signs in the client that asked (PKCE)', async () => {
    const { id, email } = await stage.backend.signUp();
    const client = stage.client({ flowType: 'pkce' });
    const asked = await client.auth.signInWithOtp({ email, options: { emailRedirectTo: callback() } });
    expect(asked.error).toBeNull();

    const page = await (await fetch(`${stage.backend.url}/__mail`)).text();
    const link = /<a href="([^"]+type=magiclink[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const arrived = await follow(link);
    expect(arrived.status).toBe(303);
    expect(arrived.page).toBe(`${stage.backend.url}/auth/callback`);
    expect(arrived.query.get('next')).toBe('/w/one');
    expect(arrived.fragment.size).toBe(0);

    const code = arrived.query.get('code') ?? '';
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect((await sessionOf(client)).claims['amr']).toEqual([{ method: 'magiclink', timestamp: expect.any(Number) }]);
    expect((await client.auth.exchangeCodeForSession(code)).error).not.toBeNull();
  });

  test('opened by somebody else gives them a code they cannot use (PKCE)', async () => {
    const { email } = await stage.backend.signUp();
    await stage.client({ flowType: 'pkce' }).auth.signInWithOtp({ email });
    const code = (await follow(stage.mailTo(email).link)).query.get('code');
    const reply = await stage.ask('/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'x'.repeat(60) },
    });
    expect(reply).toMatchObject({ status: 400, body: { error_code: 'bad_code_verifier' } });
  });

  test('gives a code for five minutes', async () => {
    const { email } = await stage.backend.signUp();
    const client = stage.client({ flowType: 'pkce' });
    await client.auth.signInWithOtp({ email });
    const code = (await follow(stage.mailTo(email).link)).query.get('code') ?? '';
    stage.wait(301);
    expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'flow_state_expired' });
  });

  test('carries a session behind # for clients that ask so (implicit)', async () => {
    const { id, email } = await stage.backend.signUp();
    await stage.client().auth.signInWithOtp({ email, options: { emailRedirectTo: callback() } });
    const arrived = await follow(stage.mailTo(email).link);
    expect(arrived.page + '?next=' + encodeURIComponent(arrived.query.get('next') ?? '')).toBe(callback());
    expect(Object.fromEntries(arrived.fragment)).toMatchObject({
      token_type: 'bearer',
      type: 'magiclink',
      expires_in: '3600',
    });
    const client = stage.client();
    const { data } = await client.auth.setSession({
      access_token: arrived.fragment.get('access_token') ?? '',
      refresh_token: arrived.fragment.get('refresh_token') ?? '',
    });
    expect(data.user?.id).toBe(id);
    expect((await sessionOf(client)).claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }], email });
  });

  test('works once, and for an hour', async () => {
    const { email } = await stage.backend.signUp();
    await stage.client().auth.signInWithOtp({ email, options: { emailRedirectTo: callback() } });
    const { link } = stage.mailTo(email);
    expect((await follow(link)).fragment.has('access_token')).toBe(true);
    const expired = { error: 'access_denied', error_code: 'otp_expired' };
    const again = await follow(link);
    expect(again.page).toBe(`${stage.backend.url}/auth/callback`);
    expect(Object.fromEntries(again.fragment)).toMatchObject(expired);

    stage.wait(61);
    await stage.client({ flowType: 'pkce' }).auth.signInWithOtp({ email });
    stage.wait(3601);
    const late = await follow(stage.mailTo(email).link);
    expect(Object.fromEntries(late.query)).toMatchObject(expired);
    expect(late.query.has('code')).toBe(false);
  });

  test('makes the account of somebody new, who has no password', async () => {
    const client = stage.client();
    const email = 'new-by-link@example.com';
    await client.auth.signInWithOtp({ email, options: { data: { display_name: 'New' } } });
    const { data, error } = await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'email' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, is_anonymous: false, user_metadata: { display_name: 'New' } });
    for (const password of ['', PASSWORD]) {
      const refused = await stage.client().auth.signInWithPassword({ email, password });
      expect(refused.error).toMatchObject({ code: 'invalid_credentials' });
    }
  });

  test('makes no account when it should not', async () => {
    const email = 'nobody-here@example.com';
    const { error } = await stage.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled' });
    expect(stage.countMailsTo(email)).toBe(0);
  });
});

describe('a code from a mail', () => {
  test('signs its reader in, once', async () => {
    const { id, email } = await stage.backend.signUp();
    const client = stage.client();
    await client.auth.signInWithOtp({ email });
    const { code: token } = stage.mailTo(email);
    const { data, error } = await client.auth.verifyOtp({ email: email.toUpperCase(), token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const again = await stage.client().auth.verifyOtp({ email, token, type: 'email' });
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  test('is good for no other address', async () => {
    const one = await stage.backend.signUp();
    const two = await stage.backend.signUp();
    await stage.client().auth.signInWithOtp({ email: one.email });
    const { code: token } = stage.mailTo(one.email);
    const wrong = await stage.client().auth.verifyOtp({ email: two.email, token, type: 'email' });
    expect(wrong.error).toMatchObject({ code: 'otp_expired' });
  });

  test('is typed also where the link was asked for by PKCE', async () => {
    const { id, email } = await stage.backend.signUp();
    const client = stage.client({ flowType: 'pkce' });
    await client.auth.signInWithOtp({ email });
    const { data } = await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'email' });
    expect(data.user?.id).toBe(id);
  });

  test('is replaced by the next one', async () => {
    const { email } = await stage.backend.signUp();
    await stage.client().auth.signInWithOtp({ email });
    const { code: first } = stage.mailTo(email);
    stage.wait(61);
    await stage.client().auth.signInWithOtp({ email });
    expect(stage.mailTo(email).code).not.toBe(first);
    const { error } = await stage.client().auth.verifyOtp({ email, token: first, type: 'email' });
    expect(error).toMatchObject({ code: 'otp_expired' });
  });

  test('as the hash of a link signs in too', async () => {
    const { id, email } = await stage.backend.signUp();
    await stage.client().auth.signInWithOtp({ email });
    const token_hash = new URL(stage.mailTo(email).link).searchParams.get('token') ?? '';
    const { data, error } = await stage.client().auth.verifyOtp({ token_hash, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
  });
});

describe('a forgotten password', () => {
  test('is replaced by who follows the link; everybody else is signed out', async () => {
    const { email, client: old } = await stage.backend.signUp();
    const client = stage.client({ flowType: 'pkce' });
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    expect((await client.auth.resetPasswordForEmail(email, { redirectTo: callback() })).error).toBeNull();
    const code = (await follow(stage.mailTo(email).link)).query.get('code') ?? '';
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull();
    expect(events).toContain('PASSWORD_RECOVERY');
    expect((await client.auth.updateUser({ password: 'quite another one' })).error).toBeNull();

    expect((await client.auth.getUser()).error).toBeNull();
    expect((await old.auth.getUser()).error).not.toBeNull();
    expect((await stage.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toMatchObject({
      code: 'invalid_credentials',
    });
    await stage.signIn(email, 'quite another one');
  });

  test('by the code of the mail', async () => {
    const { email } = await stage.backend.signUp();
    const client = stage.client();
    await client.auth.resetPasswordForEmail(email);
    const { error } = await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'recovery' });
    expect(error).toBeNull();
    expect((await client.auth.updateUser({ password: 'quite another one' })).error).toBeNull();
  });

  test('of nobody is answered like anybody’s', async () => {
    const { data, error } = await stage.client().auth.resetPasswordForEmail('nobody@example.com');
    expect({ data, error }).toEqual({ data: {}, error: null });
    expect(stage.countMailsTo('nobody@example.com')).toBe(0);
  });
});

describe('where a link leads', () => {
  const landing = async (redirectTo: string | undefined) => {
    const { email } = await stage.backend.signUp();
    await stage.client().auth.resetPasswordForEmail(email, redirectTo === undefined ? {} : { redirectTo });
    return (await follow(stage.mailTo(email).link)).page;
  };

  test('is where it was asked to, here and on this machine', async () => {
    expect(await landing(`${stage.backend.url}/reset`)).toBe(`${stage.backend.url}/reset`);
    expect(await landing('http://localhost:5173/reset')).toBe('http://localhost:5173/reset');
  });

  test.each([
    undefined,
    'https://evil.example/collect',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    'nonsense',
  ])('is the site’s own address instead of %s', async (redirectTo) => {
    expect(await landing(redirectTo)).toBe(`${stage.backend.url}/`);
  });

  test('is decided again when it is followed: the address in it can be changed', async () => {
    const { email } = await stage.backend.signUp();
    await stage.client().auth.resetPasswordForEmail(email);
    const link = new URL(stage.mailTo(email).link);
    link.searchParams.set('redirect_to', 'https://evil.example/collect');
    expect((await follow(link.href)).page).toBe(`${stage.backend.url}/`);
  });

  test('does not follow the Host that a request names', async () => {
    const { email } = await stage.backend.signUp();
    const request = new Request('http://evil.example/auth/v1/recover?redirect_to=http%3A%2F%2Fevil.example%2F', {
      method: 'POST',
      headers: { apikey: stage.backend.server.anonKey },
      body: JSON.stringify({ email }),
    });
    expect((await stage.backend.server.database.fetch(request, null)).status).toBe(200);
    const link = new URL(stage.mailTo(email).link);
    expect(link.origin).toBe(stage.backend.url);
    expect(link.searchParams.get('redirect_to')).toBe(stage.backend.url);
  });
});

// The codes and links of mails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type AuthFixture, follow, sessionOf, startAuthFixture } from '../auth-fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

/** A request for a link that signs in and creates no account, as the app's. */
const linkTo = (email: string, emailRedirectTo?: string) => ({
  email,
  options: { shouldCreateUser: false, ...(emailRedirectTo === undefined ? {} : { emailRedirectTo }) },
});

const CALLBACK = '/auth/callback?next=%2Fw%2Fone';
const callback = () => `${fixture.backend.url}${CALLBACK}`;

describe('a link to sign in', () => {
  test('on the mail page signs in the client that requested it (PKCE)', async () => {
    const { id, email } = await fixture.backend.signUp();
    const client = fixture.client({ flowType: 'pkce' });
    const asked = await client.auth.signInWithOtp(linkTo(email, callback()));
    expect(asked.error).toBeNull();

    const page = await (await fetch(`${fixture.backend.url}/__mail`)).text();
    const link = /<a href="([^"]+type=magiclink[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const arrived = await follow(link);
    expect(arrived.status).toBe(303);
    expect(arrived.page).toBe(`${fixture.backend.url}/auth/callback`);
    expect(arrived.query.get('next')).toBe('/w/one');
    expect(arrived.fragment.size).toBe(0);

    const code = arrived.query.get('code') ?? '';
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect((await sessionOf(client)).claims['amr']).toEqual([{ method: 'magiclink', timestamp: expect.any(Number) }]);
    expect((await client.auth.exchangeCodeForSession(code)).error).not.toBeNull();
  });

  test('gives another client a code that it cannot use (PKCE)', async () => {
    const { email } = await fixture.backend.signUp();
    await fixture.client({ flowType: 'pkce' }).auth.signInWithOtp(linkTo(email));
    const code = (await follow(fixture.mailTo(email).link)).query.get('code');
    const reply = await fixture.send('/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'x'.repeat(60) },
    });
    expect(reply).toMatchObject({ status: 400, body: { error_code: 'bad_code_verifier' } });
  });

  test('gives a code that expires after five minutes', async () => {
    const { email } = await fixture.backend.signUp();
    const client = fixture.client({ flowType: 'pkce' });
    await client.auth.signInWithOtp(linkTo(email));
    const code = (await follow(fixture.mailTo(email).link)).query.get('code') ?? '';
    fixture.wait(301);
    expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'flow_state_expired' });
  });

  test('leads to a session behind # for a client without PKCE', async () => {
    const { id, email } = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(email, callback()));
    const arrived = await follow(fixture.mailTo(email).link);
    expect(arrived.page + '?next=' + encodeURIComponent(arrived.query.get('next') ?? '')).toBe(callback());
    expect(Object.fromEntries(arrived.fragment)).toMatchObject({
      token_type: 'bearer',
      type: 'magiclink',
      expires_in: '3600',
    });
    const client = fixture.client();
    const { data } = await client.auth.setSession({
      access_token: arrived.fragment.get('access_token') ?? '',
      refresh_token: arrived.fragment.get('refresh_token') ?? '',
    });
    expect(data.user?.id).toBe(id);
    expect((await sessionOf(client)).claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }], email });
  });

  test('works once and expires after an hour', async () => {
    const { email } = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(email, callback()));
    const { link } = fixture.mailTo(email);
    expect((await follow(link)).fragment.has('access_token')).toBe(true);
    const expired = { error: 'access_denied', error_code: 'otp_expired' };
    const again = await follow(link);
    expect(again.page).toBe(`${fixture.backend.url}/auth/callback`);
    expect(Object.fromEntries(again.fragment)).toMatchObject(expired);

    fixture.wait(61);
    await fixture.client({ flowType: 'pkce' }).auth.signInWithOtp(linkTo(email, callback()));
    fixture.wait(3601);
    const late = await follow(fixture.mailTo(email).link);
    expect(Object.fromEntries(late.query)).toMatchObject({ ...expired, next: '/w/one' });
    expect(late.query.has('code')).toBe(false);
  });

  test('creates no account unless it was asked for, and only when its code is used', async () => {
    const email = 'nobody-here@example.com';
    const accounts = async () =>
      (await fixture.backend.pg.query('select from auth.users where email = $1', [email])).rows;
    expect((await fixture.client().auth.signInWithOtp(linkTo(email))).error).toBeNull();
    expect(fixture.countMailsTo(email)).toBe(0);
    fixture.wait(60);
    expect((await fixture.client().auth.signInWithOtp({ email })).error).toBeNull();
    expect(await accounts()).toHaveLength(0);
    const { code, subject } = fixture.mailTo(email);
    expect(subject).toBe('Confirm your signup');
    const { data, error } = await fixture.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect([error, data.user?.email, data.user?.is_anonymous]).toEqual([null, email, false]);
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String));
    expect(await accounts()).toHaveLength(1);
    const again = await fixture.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(again.error).toMatchObject({ status: 403 });
    // From now on it is a mail to someone with an account.
    fixture.wait(60);
    await fixture.client().auth.signInWithOtp({ email });
    expect(fixture.mailTo(email).subject).toBe('Your sign-in link');
  });

  test('works without the code, whose digits are in no address', async () => {
    const { email } = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(email));
    const { link, code } = fixture.mailTo(email);
    expect(code).toMatch(/^\d{6}$/);
    expect(link).not.toContain(code);
    expect(new URL(link).searchParams.get('token')).toMatch(/^[\w-]{43}$/);
  });
});

describe('a code from a mail', () => {
  test('signs in once', async () => {
    const { id, email } = await fixture.backend.signUp();
    const client = fixture.client();
    await client.auth.signInWithOtp(linkTo(email));
    const { code: token } = fixture.mailTo(email);
    const { data, error } = await client.auth.verifyOtp({ email: email.toUpperCase(), token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const again = await fixture.client().auth.verifyOtp({ email, token, type: 'email' });
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  test('works for no other address', async () => {
    const one = await fixture.backend.signUp();
    const two = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(one.email));
    const { code: token } = fixture.mailTo(one.email);
    const wrong = await fixture.client().auth.verifyOtp({ email: two.email, token, type: 'email' });
    expect(wrong.error).toMatchObject({ code: 'otp_expired' });
  });

  test('works too if the client uses PKCE', async () => {
    const { id, email } = await fixture.backend.signUp();
    const client = fixture.client({ flowType: 'pkce' });
    await client.auth.signInWithOtp(linkTo(email));
    const { data } = await client.auth.verifyOtp({ email, token: fixture.mailTo(email).code, type: 'email' });
    expect(data.user?.id).toBe(id);
  });

  test('is replaced by the code of the next mail', async () => {
    const { email } = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(email));
    const { code: first } = fixture.mailTo(email);
    fixture.wait(61);
    await fixture.client().auth.signInWithOtp(linkTo(email));
    expect(fixture.mailTo(email).code).not.toBe(first);
    const { error } = await fixture.client().auth.verifyOtp({ email, token: first, type: 'email' });
    expect(error).toMatchObject({ code: 'otp_expired' });
  });

  test('can be replaced by the token in the link', async () => {
    const { id, email } = await fixture.backend.signUp();
    await fixture.client().auth.signInWithOtp(linkTo(email));
    const token_hash = new URL(fixture.mailTo(email).link).searchParams.get('token') ?? '';
    const { data, error } = await fixture.client().auth.verifyOtp({ token_hash, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
  });
});

describe('a forgotten password', () => {
  test('is changed after following the link; all other sessions end', async () => {
    const { email, client: old } = await fixture.backend.signUp();
    const client = fixture.client({ flowType: 'pkce' });
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    expect((await client.auth.resetPasswordForEmail(email, { redirectTo: callback() })).error).toBeNull();
    const code = (await follow(fixture.mailTo(email).link)).query.get('code') ?? '';
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull();
    expect(events).toContain('PASSWORD_RECOVERY');
    expect((await client.auth.updateUser({ password: 'quite another one' })).error).toBeNull();

    expect((await client.auth.getUser()).error).toBeNull();
    expect((await old.auth.getUser()).error).not.toBeNull();
    expect((await fixture.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toMatchObject({
      code: 'invalid_credentials',
    });
    await fixture.signIn(email, 'quite another one');
  });

  test('is changed after entering the code', async () => {
    const { email } = await fixture.backend.signUp();
    const client = fixture.client();
    await client.auth.resetPasswordForEmail(email);
    const { error } = await client.auth.verifyOtp({ email, token: fixture.mailTo(email).code, type: 'recovery' });
    expect(error).toBeNull();
    expect((await client.auth.updateUser({ password: 'quite another one' })).error).toBeNull();
  });

  test('of an unknown address gets the same answer, and no mail', async () => {
    const { data, error } = await fixture.client().auth.resetPasswordForEmail('nobody@example.com');
    expect({ data, error }).toEqual({ data: {}, error: null });
    expect(fixture.countMailsTo('nobody@example.com')).toBe(0);
  });
});

describe('the target of a link', () => {
  const landing = async (redirectTo: string | undefined) => {
    const { email } = await fixture.backend.signUp();
    await fixture.client().auth.resetPasswordForEmail(email, redirectTo === undefined ? {} : { redirectTo });
    return (await follow(fixture.mailTo(email).link)).page;
  };

  test('is the requested address, on this backend and on this machine', async () => {
    expect(await landing(`${fixture.backend.url}/reset`)).toBe(`${fixture.backend.url}/reset`);
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
  ])('is this backend’s own address instead of %s', async (redirectTo) => {
    expect(await landing(redirectTo)).toBe(`${fixture.backend.url}/`);
  });

  test('is checked again when the link is followed, because the address in it can be changed', async () => {
    const { email } = await fixture.backend.signUp();
    await fixture.client().auth.resetPasswordForEmail(email);
    const link = new URL(fixture.mailTo(email).link);
    link.searchParams.set('redirect_to', 'https://evil.example/collect');
    expect((await follow(link.href)).page).toBe(`${fixture.backend.url}/`);
  });

  test('does not follow a forged Host header', async () => {
    const { email } = await fixture.backend.signUp();
    const request = new Request('http://evil.example/auth/v1/recover?redirect_to=http%3A%2F%2Fevil.example%2F', {
      method: 'POST',
      headers: { apikey: fixture.backend.server.anonKey },
      body: JSON.stringify({ email }),
    });
    expect((await fixture.backend.server.database.fetch(request, null)).status).toBe(200);
    const link = new URL(fixture.mailTo(email).link);
    expect(link.origin).toBe(fixture.backend.url);
    expect(link.searchParams.get('redirect_to')).toBe(fixture.backend.url);
  });
});

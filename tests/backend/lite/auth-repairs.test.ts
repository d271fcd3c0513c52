// Tokens, guests, codes and links of mails. Each gap beside its repair; what people see of it is in sign-in.test.ts.
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PASSWORD, type TestBackend, startTestBackend } from '../../support/backend.ts';
import { type StockLite, call, openStockLite } from './stock-lite.ts';

let backend: TestBackend;
let stock: StockLite;
beforeAll(async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
  [backend, stock] = await Promise.all([startTestBackend(), openStockLite()]);
});
afterAll(async () => {
  await Promise.all([backend.close(), stock.close()]);
  vi.restoreAllMocks();
});

const sessionForm = v.looseObject({ access_token: v.string(), user: v.looseObject({ is_anonymous: v.boolean() }) });
const mailTo = (email: string): string =>
  backend.server.database.mailbox.mails.find(({ to }) => to === email)?.text ?? '';
const codeIn = (mail: string): string => /\b\d{6}\b/.exec(mail)?.[0] ?? '';
const linkIn = (mail: string): string => /https?:\/\/\S+/.exec(mail)?.[0] ?? '';

describe('claims', () => {
  test('gap: lite’s tokens carry seven', async () => {
    const { body } = await call(stock.fetch, '/auth/v1/signup', {
      body: { email: 's@example.com', password: PASSWORD },
    });
    const claims = decodeJwt(v.parse(sessionForm, body).access_token);
    expect(Object.keys(claims).toSorted()).toEqual(['aud', 'email', 'exp', 'iat', 'role', 'session_id', 'sub']);
  });

  test('gap: lite calls nobody a guest', async () => {
    await stock.pg.exec(`update auth.users set is_anonymous = true where email = 's@example.com'`);
    const { body } = await call(stock.fetch, '/auth/v1/token?grant_type=password', {
      body: { email: 's@example.com', password: PASSWORD },
    });
    expect(v.parse(sessionForm, body).user.is_anonymous).toBe(false);
  });
});

describe('guests', () => {
  test('gap: lite refuses them although they are switched on', async () => {
    const { status, body } = await call(stock.fetch, '/auth/v1/signup', { body: { data: {} } });
    expect({ status, body }).toMatchObject({ status: 422, body: { error_code: 'anonymous_provider_disabled' } });
  });

  test('a sign-up with a password but no address is no guest', async () => {
    const response = await fetch(`${backend.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: backend.server.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });
});

describe('codes from mails', () => {
  test('gap: lite does not know the type that supabase-js sends', async () => {
    const { status, body } = await call(stock.fetch, '/auth/v1/verify', {
      body: { email: 's@example.com', token: '123456', type: 'email' },
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { msg: 'Invalid email verification type' } });
  });

  test('sign their reader in, once', async () => {
    const { id } = await backend.signUp('code@example.com');
    const client = backend.anonClient();
    expect((await client.auth.signInWithOtp({ email: 'code@example.com' })).error).toBeNull();
    const token = codeIn(mailTo('code@example.com'));
    const { data, error } = await client.auth.verifyOtp({ email: 'code@example.com', token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'otp' }], sub: id });
    const again = await backend.anonClient().auth.verifyOtp({ email: 'code@example.com', token, type: 'email' });
    expect(again.error).toMatchObject({ code: 'otp_expired' });
  });
});

describe('links in mails', () => {
  test('gap: lite sends everybody to the site’s address', async () => {
    await call(stock.fetch, '/auth/v1/recover?redirect_to=http%3A%2F%2F127.0.0.1%3A4400%2Freset', {
      body: { email: 's@example.com' },
    });
    expect(stock.mails.at(-1)?.text).not.toContain('reset');
  });

  test('lead where the caller asked, and sign in with a whole token', async () => {
    await backend.signUp('link@example.com');
    const redirectTo = `${backend.url}/auth/callback?next=%2Fw%2Fone`;
    await backend.anonClient().auth.resetPasswordForEmail('link@example.com', { redirectTo });
    const response = await fetch(linkIn(mailTo('link@example.com')), { redirect: 'manual' });
    expect(response.status).toBe(303);
    const [address, fragment] = (response.headers.get('location') ?? '').split('#');
    expect(address).toBe(redirectTo);
    const fields = new URLSearchParams(fragment);
    const token = fields.get('access_token') ?? '';
    expect(decodeJwt(token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }], email: 'link@example.com' });

    const client = backend.anonClient();
    await client.auth.setSession({ access_token: token, refresh_token: fields.get('refresh_token') ?? '' });
    expect((await client.auth.updateUser({ password: 'another password' })).error).toBeNull();
    const signIn = await backend
      .anonClient()
      .auth.signInWithPassword({ email: 'link@example.com', password: 'another password' });
    expect(signIn.error).toBeNull();
  });

  test('never lead to another site', async () => {
    await backend.signUp('lure@example.com');
    await backend
      .anonClient()
      .auth.resetPasswordForEmail('lure@example.com', { redirectTo: 'https://evil.example/collect' });
    const response = await fetch(linkIn(mailTo('lure@example.com')), { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(new RegExp(`^${backend.url}/?#`));
  });
});

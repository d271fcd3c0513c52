// Rate limits by account, by email address and by network address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateLimits } from '../../../backend/auth/rate-limits.ts';
import { DEFAULT_AUTH_SETTINGS } from '../../../backend/auth/settings.ts';
import { PASSWORD } from '../../support/server/backend.ts';
import { ROOT } from '../../support/sources.ts';
import { type AuthFixture, follow, startAuthFixture } from './auth-fixture.ts';

const few = { burst: 3, perSecond: 1 / 60 };

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({
    wrongPasswords: 5,
    wrongPasswordsTogether: 12,
    rates: { ...DEFAULT_AUTH_SETTINGS.rates, tokens: few, guests: few, signUps: few, mails: few },
  });
});
afterAll(() => fixture.close());

const requestLimit = { status: 429, code: 'over_request_rate_limit' };
const mailLimit = { status: 429, code: 'over_email_send_rate_limit' };

test('as many guests an hour as a hosted project lets in with supabase/config.toml', () => {
  const config = readFileSync(join(ROOT, 'supabase/config.toml'), 'utf8');
  const guests = Number(/^anonymous_users = (\d+)$/m.exec(config)?.[1]);
  expect(DEFAULT_AUTH_SETTINGS.rates.guests).toEqual({ burst: guests, perSecond: guests / 3600 });
});

test('a clock that is set back by an hour locks no account for longer than five minutes', () => {
  let now = 3_600_000;
  const limits = new RateLimits({ ...DEFAULT_AUTH_SETTINGS, wrongPasswords: 1, now: () => now });
  const guess = () => limits.attempt('ada@example.com', { peer: '192.0.2.7', device: null });
  guess();
  expect(guess).toThrow('Request rate limit reached');
  now = 0;
  expect(guess).not.toThrow();
});

describe('an account', () => {
  const guess = (email: string, password = 'wrong password') =>
    fixture.client().auth.signInWithPassword({ email, password });

  test('refuses even the right password for five minutes after five wrong ones, in capitals too', async () => {
    const { email } = await fixture.backend.signUp();
    for (let i = 0; i < 5; i++) {
      const { error } = await guess(i % 2 === 0 ? email : email.toUpperCase());
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    }
    expect((await guess(email)).error).toMatchObject(requestLimit);
    expect((await guess(email, PASSWORD)).error).toMatchObject(requestLimit);
    fixture.wait(5 * 60);
    expect((await guess(email, PASSWORD)).error).toBeNull();
  });

  test('that does not exist gets the same answers', async () => {
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) codes.push((await guess('nobody@example.com')).error?.code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'invalid_credentials'), 'over_request_rate_limit']);
  });

  test('counts attempts that run at the same time', async () => {
    const { email } = await fixture.backend.signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(email)));
    expect(answers.filter(({ error }) => error?.code === 'invalid_credentials')).toHaveLength(5);
  });

  test('forgets wrong passwords after the right one', async () => {
    const { email } = await fixture.backend.signUp();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) await guess(email);
      expect((await guess(email, PASSWORD)).error).toBeNull();
    }
  });

  test.each(['code', 'link', 'link of a client with PKCE'])(
    'whose owner used the %s of an email and chose a new password, may sign in with it at once',
    async (how) => {
      const { email } = await fixture.backend.signUp();
      for (let i = 0; i < 5; i++) await guess(email);
      expect((await guess(email, PASSWORD)).error).toMatchObject(requestLimit);
      const client = fixture.client({ flowType: how.endsWith('PKCE') ? 'pkce' : 'implicit' });
      await client.auth.resetPasswordForEmail(email);
      const mail = fixture.mailTo(email);
      if (how === 'code') await client.auth.verifyOtp({ email, token: mail.code, type: 'recovery' });
      else {
        const { query, fragment } = await follow(mail.link);
        const code = query.get('code');
        if (code === null) {
          const [access_token, refresh_token] = ['access_token', 'refresh_token'].map(
            (name) => fragment.get(name) ?? '',
          );
          await client.auth.setSession({ access_token: access_token ?? '', refresh_token: refresh_token ?? '' });
        } else await client.auth.exchangeCodeForSession(code);
      }
      expect((await client.auth.updateUser({ password: 'another password' })).error).toBeNull();
      expect((await guess(email, 'another password')).error).toBeNull();
      // What was wrong before does not count any more, what is wrong from now on does.
      for (let i = 0; i < 5; i++) expect((await guess(email)).error).toMatchObject({ code: 'invalid_credentials' });
      expect((await guess(email, 'another password')).error).toMatchObject(requestLimit);
    },
  );
});

describe('wrong passwords by someone else', () => {
  const signIn = (email: string, peer: string, headers: Readonly<Record<string, string>> = {}, password = PASSWORD) =>
    fixture.backend.server.database.fetch(
      new Request(`${fixture.backend.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: fixture.backend.server.anonKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email, password }),
      }),
      peer,
    );
  /** As many networks as this, so that none is held up by its limit of requests. */
  let networks = 0;
  const network = () => `198.51.${networks >> 8}.${networks++ & 0xff}`;
  const wrong = (email: string, peer: string) => signIn(email, peer, {}, 'wrong password');
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  test('do not keep out the right one from another network', async () => {
    const { email } = await fixture.backend.signUp();
    const attacker = '127.0.0.2';
    for (let i = 0; i < 5; i++) expect((await wrong(email, attacker)).status).toBe(400);
    expect((await wrong(email, attacker)).status).toBe(429);
    expect((await signIn(email, attacker)).status).toBe(429);
    expect((await signIn(email, network())).status).toBe(200);
  });

  test('do not keep out a device that was in before, whatever network they come from', async () => {
    const [mine, others] = [await fixture.backend.signUp(), await fixture.backend.signUp()];
    const first = await signIn(mine.email, network());
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^weft-device=[\w-]{22}\.[\w-]{43}; Path=\/auth\/v1\/token; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(first);
    const shared = '127.0.0.3';
    for (let i = 0; i < 6; i++) await wrong(mine.email, shared);
    for (let i = 0; i < 9; i++) await wrong(mine.email, network());
    expect((await signIn(mine.email, network())).status).toBe(429);
    const foreign = cookieOf(await signIn(others.email, network()));
    for (const forged of [foreign, cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A'), 'weft-device=x.y'])
      expect((await signIn(mine.email, network(), { cookie: forged })).status).toBe(429);
    const again = await signIn(mine.email, shared, { cookie: `theme=dark; ${cookie}` });
    expect(again.status).toBe(200);

    // It does not guess without end either.
    for (let i = 0; i < 5; i++) expect((await signIn(mine.email, shared, { cookie }, 'wrong')).status).toBe(400);
    expect((await signIn(mine.email, shared, { cookie })).status).toBe(429);
  });

  test('count on where they came from after the owner proved the address elsewhere, and not on the owner’s devices', async () => {
    const { email } = await fixture.backend.signUp();
    const cookie = cookieOf(await signIn(email, network()));
    for (let i = 0; i < 6; i++) await signIn(email, network(), { cookie }, 'wrong');
    const attacker = '127.0.0.4';
    for (let i = 0; i < 13; i++) await wrong(email, i < 6 ? attacker : network());
    expect((await signIn(email, network())).status).toBe(429);
    expect((await signIn(email, network(), { cookie })).status).toBe(429);
    const client = fixture.client({ peer: network() });
    await client.auth.resetPasswordForEmail(email);
    expect(
      (await client.auth.verifyOtp({ email, token: fixture.mailTo(email).code, type: 'recovery' })).error,
    ).toBeNull();
    // The first proof of an address ends the password.
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    expect((await signIn(email, attacker)).status).toBe(429);
    expect((await signIn(email, network())).status).toBe(200);
    expect((await signIn(email, network(), { cookie })).status).toBe(200);
  });

  test('a guest’s device gets no cookie', async () => {
    expect((await fixture.send('/signup', { body: {} })).headers.getSetCookie()).toEqual([]);
  });
});

describe('an email address', () => {
  test('gets one mail a minute, and unknown addresses get the same answers', async () => {
    const { email } = await fixture.backend.signUp();
    for (const to of [email, 'nobody@example.com']) {
      expect((await fixture.client().auth.resetPasswordForEmail(to)).error).toBeNull();
      const { error } = await fixture.client().auth.resetPasswordForEmail(to);
      expect(error).toMatchObject({
        ...mailLimit,
        message: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
      });
      fixture.wait(60);
      expect((await fixture.client().auth.resetPasswordForEmail(to)).error).toBeNull();
    }
    expect(fixture.countMailsTo(email)).toBe(2);
  });
});

describe('a network address', () => {
  test('can sign up three guests, and then one a minute; other addresses are not affected', async () => {
    const guest = (peer: string) => fixture.client({ peer }).auth.signInAnonymously();
    for (let i = 0; i < 3; i++) expect((await guest('203.0.113.1')).error).toBeNull();
    expect((await guest('203.0.113.1')).error).toMatchObject(requestLimit);
    expect((await guest('203.0.113.2')).error).toBeNull();
    fixture.wait(60);
    expect((await guest('203.0.113.1')).error).toBeNull();
    expect((await guest('203.0.113.1')).error).toMatchObject(requestLimit);
  });

  test('can try three passwords, of any accounts', async () => {
    const guess = (i: number) =>
      fixture.client({ peer: '203.0.113.3' }).auth.signInWithPassword({ email: `a${i}@example.com`, password: 'x' });
    for (let i = 0; i < 3; i++) expect((await guess(i)).error).toMatchObject({ code: 'invalid_credentials' });
    expect((await guess(3)).error).toMatchObject(requestLimit);
  });

  test('can create three accounts and request three mails', async () => {
    const { auth } = fixture.client({ peer: '2001:db8::1' });
    for (let i = 0; i < 3; i++) {
      expect((await auth.signUp({ email: `six${i}@example.com`, password: PASSWORD })).error).toBeNull();
      expect((await auth.resetPasswordForEmail(`six${i}@example.com`)).error).toBeNull();
    }
    expect((await auth.signUp({ email: 'six3@example.com', password: PASSWORD })).error).toMatchObject(requestLimit);
    expect((await auth.resetPasswordForEmail('six3@example.com')).error).toMatchObject(mailLimit);
  });

  test('of this machine has no limit, because behind a proxy everyone has it', async () => {
    for (let i = 0; i < 6; i++) expect((await fixture.client().auth.signInAnonymously()).error).toBeNull();
  });
});

// Rate limits by account, by email address and by network address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from '../../../backend/auth/settings.ts';
import { PASSWORD } from '../../support/server/backend.ts';
import { type AuthFixture, startAuthFixture } from './auth-fixture.ts';

const few = { burst: 3, perSecond: 1 / 60 };

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture({
    wrongPasswords: 5,
    rates: { ...DEFAULT_AUTH_SETTINGS.rates, tokens: few, guests: few, signUps: few, mails: few },
  });
});
afterAll(() => fixture.close());

const requestLimit = { status: 429, code: 'over_request_rate_limit' };
const mailLimit = { status: 429, code: 'over_email_send_rate_limit' };

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

  test('of this machine has no limit, because behind a proxy everybody has it', async () => {
    for (let i = 0; i < 6; i++) expect((await fixture.client().auth.signInAnonymously()).error).toBeNull();
  });
});

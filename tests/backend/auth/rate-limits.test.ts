// How often somebody may ask, by account, by mailbox and by network address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from '../../../backend/auth/settings.ts';
import { PASSWORD } from '../../support/server/backend.ts';
import { type Stage, startStage } from './auth-fixture.ts';

const few = { burst: 3, perSecond: 1 / 60 };

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({
    attempts: 5,
    rates: { ...DEFAULT_AUTH_SETTINGS.rates, tokens: few, guests: few, signUps: few, mails: few },
  });
});
afterAll(() => stage.close());

const requestLimit = { status: 429, code: 'over_request_rate_limit' };
const mailLimit = { status: 429, code: 'over_email_send_rate_limit' };

describe('an account', () => {
  const guess = (email: string, password = 'wrong password') =>
    stage.client().auth.signInWithPassword({ email, password });

  test('is tried five times, however its address is written, then not for five minutes, not even rightly', async () => {
    const { email } = await stage.backend.signUp();
    for (let i = 0; i < 5; i++) {
      const { error } = await guess(i % 2 === 0 ? email : ` ${email.toUpperCase()}`);
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    }
    expect((await guess(email)).error).toMatchObject(requestLimit);
    expect((await guess(email, PASSWORD)).error).toMatchObject(requestLimit);
    stage.wait(5 * 60);
    expect((await guess(email, PASSWORD)).error).toBeNull();
  });

  test('of nobody is answered the same', async () => {
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) codes.push((await guess('nobody@example.com')).error?.code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'invalid_credentials'), 'over_request_rate_limit']);
  });

  test('tried many times at once counts them together', async () => {
    const { email } = await stage.backend.signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(email)));
    expect(answers.filter(({ error }) => error?.code === 'invalid_credentials')).toHaveLength(5);
  });

  test('forgives what failed when it is told right', async () => {
    const { email } = await stage.backend.signUp();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) await guess(email);
      expect((await guess(email, PASSWORD)).error).toBeNull();
    }
  });

  test('whose codes are guessed can still be signed in to with the password', async () => {
    const { email } = await stage.backend.signUp();
    const code = (token: string) => stage.client().auth.verifyOtp({ email, token, type: 'email' });
    for (let i = 0; i < 5; i++) expect((await code(String(100_000 + i))).error).toMatchObject({ code: 'otp_expired' });
    expect((await code('100005')).error).toMatchObject(requestLimit);
    expect((await guess(email, PASSWORD)).error).toBeNull();
  });
});

describe('a mailbox', () => {
  test('gets one mail of a kind a minute, whether somebody has it or not', async () => {
    const { email } = await stage.backend.signUp();
    for (const to of [email, 'nobody@example.com']) {
      expect((await stage.client().auth.resetPasswordForEmail(to)).error).toBeNull();
      const { error } = await stage.client().auth.resetPasswordForEmail(to);
      expect(error).toMatchObject({
        ...mailLimit,
        message: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
      });
      stage.wait(60);
      expect((await stage.client().auth.resetPasswordForEmail(to)).error).toBeNull();
    }
    expect(stage.countMailsTo(email)).toBe(2);
  });
});

describe('a network address', () => {
  test('signs three guests up at once, and one more a minute; others go on', async () => {
    const guest = (peer: string) => stage.client({ peer }).auth.signInAnonymously();
    for (let i = 0; i < 3; i++) expect((await guest('203.0.113.1')).error).toBeNull();
    expect((await guest('203.0.113.1')).error).toMatchObject(requestLimit);
    expect((await guest('203.0.113.2')).error).toBeNull();
    stage.wait(60);
    expect((await guest('203.0.113.1')).error).toBeNull();
    expect((await guest('203.0.113.1')).error).toMatchObject(requestLimit);
  });

  test('tries three passwords at once, of whichever accounts', async () => {
    const guess = (i: number) =>
      stage.client({ peer: '203.0.113.3' }).auth.signInWithPassword({ email: `a${i}@example.com`, password: 'x' });
    for (let i = 0; i < 3; i++) expect((await guess(i)).error).toMatchObject({ code: 'invalid_credentials' });
    expect((await guess(3)).error).toMatchObject(requestLimit);
  });

  test('makes three accounts and asks for three mails at once', async () => {
    const { auth } = stage.client({ peer: '2001:db8::1' });
    for (let i = 0; i < 3; i++) {
      expect((await auth.signUp({ email: `six${i}@example.com`, password: PASSWORD })).error).toBeNull();
      expect((await auth.resetPasswordForEmail(`six${i}@example.com`)).error).toBeNull();
    }
    expect((await auth.signUp({ email: 'six3@example.com', password: PASSWORD })).error).toMatchObject(requestLimit);
    expect((await auth.signInWithOtp({ email: 'six3@example.com' })).error).toMatchObject(mailLimit);
  });

  test('of this machine is not counted: behind a proxy on it everybody has that one', async () => {
    for (let i = 0; i < 6; i++) expect((await stage.client().auth.signInAnonymously()).error).toBeNull();
  });
});

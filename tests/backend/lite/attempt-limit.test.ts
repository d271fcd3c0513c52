// How often somebody may guess: the repair alone, with a clock of its own, and as supabase-js meets it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptLimit } from '../../../backend/lite/attempt-limit.ts';
import { PASSWORD, type TestBackend, startTestBackend } from '../../support/backend.ts';

const MINUTE_MS = 60_000;

function stage() {
  let time = 0;
  let answered = 0;
  let status = 400;
  const fetch = attemptLimit(() => time)(async () => {
    answered++;
    return new Response(null, { status });
  });
  const ask = (path: string, body: unknown) =>
    fetch(new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body) }), null);
  return {
    guess: async (email: string, kind: 'code' | 'password' = 'code') =>
      (await ask(kind === 'code' ? '/auth/v1/verify' : '/auth/v1/token?grant_type=password', { email })).status,
    ask,
    answered: () => answered,
    succeed: (yes: boolean) => (status = yes ? 200 : 400),
    wait: (ms: number) => (time += ms),
  };
}

describe('guesses', () => {
  test('end after thirty for one address, however it is written, and begin again after five minutes', async () => {
    const { guess, wait, answered } = stage();
    for (let i = 0; i < 30; i++) expect(await guess(i % 2 === 0 ? 'a@example.com' : ' A@Example.com')).toBe(400);
    expect(await guess('a@example.com')).toBe(429);
    expect(answered()).toBe(30);
    expect(await guess('b@example.com')).toBe(400);
    expect(await guess('a@example.com', 'password')).toBe(400);
    wait(5 * MINUTE_MS);
    expect(await guess('a@example.com')).toBe(400);
  });

  test('that are under way together count together', async () => {
    const { guess } = stage();
    const statuses = await Promise.all(Array.from({ length: 100 }, () => guess('a@example.com')));
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
  });

  test('are forgiven by the right one', async () => {
    const { guess, succeed } = stage();
    for (let i = 0; i < 29; i++) await guess('a@example.com', 'password');
    succeed(true);
    expect(await guess('a@example.com', 'password')).toBe(200);
    succeed(false);
    for (let i = 0; i < 30; i++) expect(await guess('a@example.com', 'password')).toBe(400);
    expect(await guess('a@example.com', 'password')).toBe(429);
  });

  test('are not what renewing a token or signing up is', async () => {
    const { ask } = stage();
    for (let i = 0; i < 40; i++) {
      const renewed = await ask('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'r' });
      const signedUp = await ask('/auth/v1/signup', { email: 'a@example.com' });
      expect([renewed.status, signedUp.status]).toEqual([400, 400]);
    }
  });
});

describe('somebody who guesses codes', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend();
  });
  afterAll(() => backend.close());

  test('is told to wait, and its owner still gets in with the password', async () => {
    const email = 'guessed@example.com';
    await backend.signUp(email);
    const client = backend.anonClient();
    const guess = (token: string) => client.auth.verifyOtp({ email, token, type: 'email' });
    for (let i = 0; i < 30; i++) expect((await guess(String(100_000 + i))).error?.code).toBe('otp_expired');
    expect((await guess('100030')).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });
});

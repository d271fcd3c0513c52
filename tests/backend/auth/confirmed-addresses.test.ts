// A project that wants addresses proved before anybody is let in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../support/server/backend.ts';
import { type Stage, follow, startStage } from './auth-fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ confirmEmails: true });
});
afterAll(() => stage.close());

const signUp = (email: string, flowType: 'pkce' | 'implicit' = 'implicit') => {
  const client = stage.client({ flowType });
  return client.auth.signUp({ email, password: PASSWORD }).then(({ data, error }) => ({ client, data, error }));
};

describe('a new account', () => {
  test('waits for its mail, then signs in', async () => {
    const { client, data, error } = await signUp('one@example.com', 'pkce');
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email_confirmed_at).toBeUndefined();
    const early = await stage.client().auth.signInWithPassword({ email: 'one@example.com', password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed' });

    const code = (await follow(stage.mailTo('one@example.com').link)).query.get('code') ?? '';
    const exchanged = await client.auth.exchangeCodeForSession(code);
    expect(exchanged.data.user).toMatchObject({ id: data.user?.id, user_metadata: { email_verified: true } });
    await stage.signIn('one@example.com');
  });

  test('by code, with either type', async () => {
    for (const type of ['email', 'signup'] as const) {
      const email = `by-${type}@example.com`;
      const { client } = await signUp(email);
      const { error } = await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type });
      expect(error).toBeNull();
    }
  });

  test('of an address that has one is answered as if it were new, and no mail is sent', async () => {
    const email = 'known@example.com';
    const { client, data: first } = await signUp(email);
    await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'email' });
    stage.wait(61);
    const { data, error } = await signUp(email);
    expect(error).toBeNull();
    expect(data.user?.id).not.toBe(first.user?.id);
    expect(data.user?.identities).toEqual([]);
    expect(Object.keys(data.user ?? {}).toSorted()).toEqual(Object.keys(first.user ?? {}).toSorted());
    expect(stage.countMailsTo(email)).toBe(1);
  });

  test('that nobody confirmed keeps the password it began with', async () => {
    const email = 'twice@example.com';
    await signUp(email);
    stage.wait(61);
    await stage.client().auth.signUp({ email, password: 'another password' });
    await stage.client().auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'email' });
    const { error } = await stage.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toBeNull();
  });

  test('asked for by a link to sign in is confirmed by it', async () => {
    const email = 'linked@example.com';
    await stage.client().auth.signInWithOtp({ email });
    const arrived = await follow(stage.mailTo(email).link);
    expect(arrived.fragment.get('type')).toBe('signup');
    expect(arrived.fragment.has('access_token')).toBe(true);
  });
});

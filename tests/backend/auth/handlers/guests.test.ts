import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type AuthFixture, sessionOf, startAuthFixture } from '../auth-fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

describe('a guest', () => {
  test('cannot set a password, and stays a guest', async () => {
    const { client } = await fixture.backend.guest();
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
    expect((await client.auth.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' });
  });

  test('becomes an account with an email address and a password: the same person, with what they stored', async () => {
    const { client, id } = await fixture.backend.guest('Gale');
    const { data, error } = await client.auth.updateUser({ email: 'Gale@example.com', password: PASSWORD });
    expect(error).toBe(null);
    // The app metadata stays empty, as in the hosted service.
    expect(data.user).toMatchObject({
      id,
      email: 'gale@example.com',
      is_anonymous: false,
      app_metadata: {},
      user_metadata: { display_name: 'Gale', email_verified: true },
      identities: [{ provider: 'email', identity_data: { email: 'gale@example.com', email_verified: true } }],
    });
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String));
    await client.auth.refreshSession();
    expect((await sessionOf(client)).claims).toMatchObject({ sub: id, is_anonymous: false, email: 'gale@example.com' });
    const again = await fixture.signIn('gale@example.com');
    expect((await sessionOf(again)).user.id).toBe(id);
  });

  test('may add the address first and the password later', async () => {
    const { client } = await fixture.backend.guest();
    expect((await client.auth.updateUser({ email: 'later@example.com' })).error).toBe(null);
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBe(null);
    await fixture.signIn('later@example.com');
  });

  test('does not get an address that someone has, or a bad one, and stays a guest', async () => {
    const taken = await fixture.backend.signUp();
    const { client } = await fixture.backend.guest();
    const become = async (email: string, password = PASSWORD) =>
      (await client.auth.updateUser({ email, password })).error;
    expect(await become(taken.email.toUpperCase())).toMatchObject({ status: 422, code: 'email_exists' });
    expect(await become('no address')).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await become('short@example.com', 'short')).toMatchObject({ status: 422, code: 'weak_password' });
    expect((await client.auth.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' });
  });

  test('gets an address once, when two want it at the same moment', async () => {
    const guests = await Promise.all([fixture.backend.guest(), fixture.backend.guest()]);
    const answers = await Promise.all(
      guests.map(({ client }) => client.auth.updateUser({ email: 'both@example.com', password: PASSWORD })),
    );
    expect(answers.map(({ error }) => error?.code ?? 'ok').toSorted()).toEqual(['email_exists', 'ok']);
  });
});

test('an account cannot change its address on this backend', async () => {
  const { client, email } = await fixture.backend.signUp();
  expect((await client.auth.updateUser({ email })).error).toBe(null);
  expect((await client.auth.updateUser({ email: 'other@example.com' })).error).toMatchObject({
    status: 501,
    message: 'The embedded backend does not support changing an email address.',
  });
});

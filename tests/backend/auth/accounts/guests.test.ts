// Guests who become members: the same person, with an address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type Stage, follow, sessionOf, startStage } from '../auth-fixture.ts';

let stage: Stage;
let confirming: Stage;
beforeAll(async () => {
  [stage, confirming] = await Promise.all([startStage(), startStage({ confirmEmails: true })]);
});
afterAll(() => Promise.all([stage.close(), confirming.close()]));

describe('a guest', () => {
  test('who adds address and password is a member at once, as a new account is; the next token says so', async () => {
    const { client, id } = await stage.backend.guest('Gu');
    const before = await sessionOf(client);
    const { data, error } = await client.auth.updateUser({ email: 'gu@example.com', password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email: 'gu@example.com', is_anonymous: false });
    expect(stage.countMailsTo('gu@example.com')).toBe(0);

    expect(before.claims['is_anonymous']).toBe(true);
    await client.auth.refreshSession();
    const after = await sessionOf(client);
    expect(after.claims).toMatchObject({
      sub: id,
      is_anonymous: false,
      email: 'gu@example.com',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { display_name: 'Gu' },
      session_id: before.claims['session_id'],
    });
    expect(after.user.identities).toMatchObject([{ provider: 'email', identity_data: { email: 'gu@example.com' } }]);
    const elsewhere = await stage.signIn('gu@example.com');
    expect((await elsewhere.auth.getUser()).data.user?.id).toBe(id);
  });

  test('keeps being one with an address that is taken, or a password alone', async () => {
    const { email } = await stage.backend.signUp();
    const { client } = await stage.backend.guest();
    expect((await client.auth.updateUser({ email, password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    });
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
    expect((await client.auth.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' });
  });

  test('who adds an address that another guest adds in the same moment: one of them gets it', async () => {
    const guests = await Promise.all([stage.backend.guest(), stage.backend.guest(), stage.backend.guest()]);
    const answers = await Promise.all(
      guests.map(({ client }) => client.auth.updateUser({ email: 'race@example.com' })),
    );
    expect(answers.map(({ error }) => error?.code ?? 'ok').toSorted()).toEqual(['email_exists', 'email_exists', 'ok']);
  });

  test('where addresses must be proved becomes a member by the mail’s code', async () => {
    const { client, id } = await confirming.backend.guest();
    await client.auth.updateUser({ email: 'later@example.com', password: PASSWORD });
    expect((await client.auth.getUser()).data.user).toMatchObject({
      is_anonymous: true,
      new_email: 'later@example.com',
    });
    const { code: token } = confirming.mailTo('later@example.com');
    const { data, error } = await client.auth.verifyOtp({ email: 'later@example.com', token, type: 'email_change' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, is_anonymous: false, email: 'later@example.com' });
    expect((await sessionOf(client)).claims['is_anonymous']).toBe(false);
    await confirming.signIn('later@example.com');
  });

  test('where addresses must be proved becomes a member by the mail’s link', async () => {
    const { client, id } = await confirming.backend.guest();
    await client.auth.updateUser({ email: 'linked@example.com' });
    const arrived = await follow(confirming.mailTo('linked@example.com').link);
    expect(arrived.fragment.has('access_token')).toBe(true);
    await client.auth.refreshSession();
    expect((await sessionOf(client)).claims).toMatchObject({
      sub: id,
      is_anonymous: false,
      email: 'linked@example.com',
    });
  });
});

// Another address: both mailboxes have a say, as in a hosted project by default.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../support/server/backend.ts';
import { type Stage, follow, startStage } from './auth-fixture.ts';

let stage: Stage;
let trusting: Stage;
beforeAll(async () => {
  [stage, trusting] = await Promise.all([startStage(), startStage({ secureEmailChange: false })]);
});
afterAll(() => Promise.all([stage.close(), trusting.close()]));

async function ask(at: Stage, flowType: 'pkce' | 'implicit' = 'implicit') {
  const { email, id } = await at.backend.signUp();
  const client = at.client({ flowType });
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  const next = `next-${email}`;
  const { data, error } = await client.auth.updateUser({ email: next });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email, new_email: next });
  return { client, id, email, next };
}

describe('a change of address', () => {
  test('counts when both mails were answered, in either order', async () => {
    for (const newFirst of [true, false]) {
      const { client, id, email, next } = await ask(stage);
      const [one, two] = newFirst ? [next, email] : [email, next];
      const half = await client.auth.verifyOtp({ email: one, token: stage.mailTo(one).code, type: 'email_change' });
      expect(half.error).toBeNull();
      expect(half.data.session).toBeNull();
      expect((await client.auth.getUser()).data.user?.email).toBe(email);
      const whole = await client.auth.verifyOtp({ email: two, token: stage.mailTo(two).code, type: 'email_change' });
      expect(whole.data.user).toMatchObject({ id, email: next });
      expect(whole.data.user?.new_email).toBeUndefined();
      await stage.signIn(next);
      const old = await stage.client().auth.signInWithPassword({ email, password: PASSWORD });
      expect(old.error).toMatchObject({ code: 'invalid_credentials' });
    }
  });

  test('does not count for one mailbox that answers twice', async () => {
    const { client, email, next } = await ask(stage);
    const { code: token } = stage.mailTo(next);
    await client.auth.verifyOtp({ email: next, token, type: 'email_change' });
    const again = await client.auth.verifyOtp({ email: next, token, type: 'email_change' });
    expect(again.error).toMatchObject({ code: 'otp_expired' });
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
  });

  test('by links: the first says that the other is awaited, the second signs in', async () => {
    const { email, next } = await ask(stage);
    const half = await follow(stage.mailTo(email).link);
    expect(half.fragment.get('message')).toBe(
      'Confirmation link accepted. Please proceed to confirm link sent to the other email',
    );
    const whole = await follow(stage.mailTo(next).link);
    expect(whole.fragment.get('type')).toBe('email_change');
    expect(whole.fragment.has('access_token')).toBe(true);
  });

  test('by links of a PKCE client: the second brings its code', async () => {
    const { client, email, next, id } = await ask(stage, 'pkce');
    const half = await follow(stage.mailTo(next).link);
    expect([half.query.has('message'), half.query.has('code')]).toEqual([true, false]);
    const whole = await follow(stage.mailTo(email).link);
    const { data, error } = await client.auth.exchangeCodeForSession(whole.query.get('code') ?? '');
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email: next });
  });

  test('to an address of somebody else is refused, also when they come first meanwhile', async () => {
    const { email: taken } = await stage.backend.signUp();
    const { client, email } = await stage.backend.signUp();
    expect((await client.auth.updateUser({ email: taken })).error).toMatchObject({ status: 422, code: 'email_exists' });
    await client.auth.updateUser({ email: 'soon@example.com' });
    await client.auth.verifyOtp({ email, token: stage.mailTo(email).code, type: 'email_change' });
    const { code: token } = stage.mailTo('soon@example.com');
    await stage.backend.signUp('soon@example.com');
    const late = await client.auth.verifyOtp({ email: 'soon@example.com', token, type: 'email_change' });
    expect(late.error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  test('asks the new mailbox alone where the project says so', async () => {
    const { client, email, next, id } = await ask(trusting);
    expect(trusting.countMailsTo(email)).toBe(0);
    const { data } = await client.auth.verifyOtp({
      email: next,
      token: trusting.mailTo(next).code,
      type: 'email_change',
    });
    expect(data.user).toMatchObject({ id, email: next });
  });
});

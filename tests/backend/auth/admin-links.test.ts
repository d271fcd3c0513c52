// The links of mails for who sends mails of their own, invitations, and what supabase-js can ask of a hosted project only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../support/server/backend.ts';
import { type Stage, follow, sessionOf, startStage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ confirmEmails: true });
});
afterAll(() => stage.close());

const admin = () => stage.backend.serviceClient().auth.admin;
type LinkOf = Parameters<ReturnType<typeof admin>['generateLink']>[0];

/** A link, and no mail. */
async function linkFor(asked: LinkOf) {
  const { data, error } = await admin().generateLink(asked);
  if (error !== null) throw error;
  expect(stage.countMailsTo(asked.email)).toBe(0);
  return { user: data.user, ...data.properties };
}
const refusalOf = async (asked: LinkOf) => (await admin().generateLink(asked)).error;

async function made(email: string): Promise<string> {
  const { data, error } = await admin().createUser({ email, password: PASSWORD, email_confirm: true });
  if (error !== null) throw error;
  return data.user.id;
}

describe('a link to sign up', () => {
  test('makes an account that is proved when it is followed, and leads where was asked', async () => {
    const redirectTo = `${stage.backend.url}/welcome`;
    const link = await linkFor({
      type: 'signup',
      email: 'New@example.com',
      password: PASSWORD,
      options: { data: { display_name: 'New' }, redirectTo },
    });
    expect(link).toMatchObject({
      verification_type: 'signup',
      redirect_to: redirectTo,
      email_otp: expect.stringMatching(/^\d{6}$/),
      user: { email: 'new@example.com', user_metadata: { display_name: 'New' } },
    });
    expect(link.user).not.toHaveProperty('email_confirmed_at');
    expect(new URL(link.action_link).searchParams.get('token')).toBe(link.hashed_token);
    const unproved = await stage.client().auth.signInWithPassword({ email: 'new@example.com', password: PASSWORD });
    expect(unproved.error).toMatchObject({ code: 'email_not_confirmed' });
    const { status, page, fragment } = await follow(link.action_link);
    expect({ status, page, type: fragment.get('type') }).toEqual({ status: 303, page: redirectTo, type: 'signup' });
    await stage.signIn('new@example.com');
  });

  test('needs a password that is one, and an address that is free', async () => {
    await made('proved@example.com');
    const asked = { type: 'signup', password: PASSWORD } as const;
    expect(await refusalOf({ ...asked, email: 'proved@example.com' })).toMatchObject({
      status: 422,
      code: 'email_exists',
    });
    expect(await refusalOf({ ...asked, email: 'a@example.com', password: 'short' })).toMatchObject({
      code: 'weak_password',
    });
    expect(await refusalOf({ ...asked, email: 'a@example.com', password: '' })).toMatchObject({ status: 422 });
    expect(await refusalOf({ ...asked, email: 'none' })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('a link to sign in', () => {
  test('works once, by address or by code', async () => {
    const id = await made('magic@example.com');
    const byLink = await linkFor({ type: 'magiclink', email: 'magic@example.com' });
    expect(byLink).toMatchObject({ verification_type: 'magiclink', user: { id } });
    expect((await follow(byLink.action_link)).fragment.get('access_token')).not.toBeNull();
    expect((await follow(byLink.action_link)).fragment.get('error_code')).toBe('otp_expired');
    const { email_otp: token } = await linkFor({ type: 'magiclink', email: 'magic@example.com' });
    const client = stage.client();
    const { error } = await client.auth.verifyOtp({ email: 'magic@example.com', token, type: 'email' });
    expect(error).toBeNull();
    expect((await sessionOf(client)).user.id).toBe(id);
  });

  test('signs up who has no account yet', async () => {
    const link = await linkFor({ type: 'magiclink', email: 'nobody@example.com' });
    expect(link.verification_type).toBe('signup');
    const { hashed_token: token_hash } = link;
    const { data } = await stage.client().auth.verifyOtp({ token_hash, type: 'signup' });
    expect(data.user?.email).toBe('nobody@example.com');
  });

  test('leads to no stranger’s site', async () => {
    const link = await linkFor({
      type: 'magiclink',
      email: 'magic@example.com',
      options: { redirectTo: 'https://stranger.example/' },
    });
    expect(new URL(link.redirect_to).origin).toBe(stage.backend.url);
  });
});

test('a link to reset a password lets choose another', async () => {
  await made('forgot@example.com');
  const { hashed_token: token_hash } = await linkFor({ type: 'recovery', email: 'forgot@example.com' });
  const client = stage.client();
  expect((await client.auth.verifyOtp({ token_hash, type: 'recovery' })).error).toBeNull();
  expect((await client.auth.updateUser({ password: 'another password' })).error).toBeNull();
  await stage.signIn('forgot@example.com', 'another password');
  expect(await refusalOf({ type: 'recovery', email: 'unknown@example.com' })).toMatchObject({
    status: 404,
    code: 'user_not_found',
  });
});

test('two links change an address when both were followed', async () => {
  const id = await made('old@example.com');
  const change = { email: 'old@example.com', newEmail: 'renewed@example.com' };
  const current = await linkFor({ type: 'email_change_current', ...change });
  const next = await linkFor({ type: 'email_change_new', ...change });
  await follow(current.action_link);
  expect((await admin().getUserById(id)).data.user?.email).toBe('old@example.com');
  await follow(next.action_link);
  expect((await admin().getUserById(id)).data.user?.email).toBe('renewed@example.com');
  await made('other@example.com');
  const taken = { email: 'renewed@example.com', newEmail: 'other@example.com' };
  expect(await refusalOf({ type: 'email_change_new', ...taken })).toMatchObject({ code: 'email_exists' });
});

describe('an invitation', () => {
  test('is a mail whose link makes the account theirs', async () => {
    const { data, error } = await admin().inviteUserByEmail('guest@example.com', { data: { display_name: 'Guest' } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ invited_at: expect.any(String), user_metadata: { display_name: 'Guest' } });
    const { subject, link } = stage.mailTo('guest@example.com');
    expect(subject).toBe('You have been invited');
    const { fragment } = await follow(link);
    expect([fragment.get('type'), fragment.get('access_token')]).toEqual(['invite', expect.any(String)]);
    expect((await admin().inviteUserByEmail('guest@example.com')).error).toMatchObject({ code: 'email_exists' });
  });

  test('may be a link too', async () => {
    const link = await linkFor({ type: 'invite', email: 'asked@example.com' });
    expect(link.user).toMatchObject({ invited_at: expect.any(String) });
    expect((await follow(link.action_link)).fragment.get('access_token')).not.toBeNull();
  });

  test('is nobody’s to give but the secret key’s', async () => {
    const mine = stage.client().auth.admin;
    expect((await mine.inviteUserByEmail('x@example.com')).error).toMatchObject({ status: 403, code: 'not_admin' });
    expect((await mine.generateLink({ type: 'magiclink', email: 'magic@example.com' })).error).toMatchObject({
      status: 403,
      code: 'not_admin',
    });
    expect(stage.countMailsTo('x@example.com')).toBe(0);
  });
});

test('a kind of link that there is not is named', async () => {
  const headers = { apikey: stage.backend.server.serviceRoleKey };
  const body = { type: 'carrier_pigeon', email: 'magic@example.com' };
  expect(await stage.ask('/admin/generate_link', { headers, body })).toMatchObject({
    status: 400,
    body: { error_code: 'validation_failed', msg: 'Invalid email action link type requested: carrier_pigeon' },
  });
});

describe('what only a hosted project has', () => {
  const missing = (what: string) => ({
    status: 404,
    code: 'feature_disabled',
    message: `The embedded backend has no ${what}; a Supabase project has.`,
  });

  test('is said so to the secret key', async () => {
    const userId = await made('factors@example.com');
    expect((await admin().mfa.listFactors({ userId })).error).toMatchObject(missing('second factors'));
    expect((await admin().oauth.listClients()).error).toMatchObject(missing('OAuth server'));
  });

  test('and to everybody else', async () => {
    await made('plain@example.com');
    const { auth } = await stage.signIn('plain@example.com');
    expect((await auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(missing('second factors'));
    expect((await auth.signInWithSSO({ domain: 'example.com' })).error).toMatchObject(missing('single sign-on'));
    expect((await auth.linkIdentity({ provider: 'github' })).error).toMatchObject(missing('linking of identities'));
  });
});

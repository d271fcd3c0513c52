// Sessions: renewal, reuse of refresh tokens, and sign-out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type AuthFixture, sessionOf, startAuthFixture } from '../auth-fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

const renew = (refresh_token: string) => fixture.client().auth.refreshSession({ refresh_token });

async function signUp() {
  const { client, email } = await fixture.backend.signUp();
  return { client, email, first: await sessionOf(client) };
}

describe('a refresh token', () => {
  test('is replaced when it is used; the session stays the same', async () => {
    const { first } = await signUp();
    const { data, error } = await renew(first.refresh_token);
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(first.refresh_token);
    const again = await renew(data.session?.refresh_token ?? '');
    expect(again.data.session?.user.id).toBe(first.user.id);
    const client = fixture.client();
    await client.auth.setSession({
      access_token: again.data.session?.access_token ?? '',
      refresh_token: again.data.session?.refresh_token ?? '',
    });
    const { claims } = await sessionOf(client);
    expect(claims).toMatchObject({ session_id: first.claims['session_id'], amr: first.claims['amr'] });
  });

  test('gives the same successor again if the answer was lost, however late', async () => {
    const { first } = await signUp();
    const successor = (await renew(first.refresh_token)).data.session?.refresh_token;
    fixture.wait(60);
    const again = await renew(first.refresh_token);
    expect(again.error).toBeNull();
    expect(again.data.session?.refresh_token).toBe(successor);
  });

  test('has one successor if several requests use it at the same time', async () => {
    const { first } = await signUp();
    const answers = await Promise.all(Array.from({ length: 8 }, () => renew(first.refresh_token)));
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 8 }, () => null));
    expect(new Set(answers.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
  });

  test('that was replaced twice is accepted for ten seconds', async () => {
    const { first } = await signUp();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    await renew(second);
    fixture.wait(9);
    expect((await renew(first.refresh_token)).error).toBeNull();
  });

  test('that was replaced twice ends the session after ten seconds: it was stolen', async () => {
    const { first } = await signUp();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    const third = (await renew(second)).data.session?.refresh_token ?? '';
    fixture.wait(11);
    const refused = { status: 400, code: 'refresh_token_already_used' };
    expect((await renew(first.refresh_token)).error).toMatchObject(refused);
    // No one can tell the thief's token from the owner's, so both end, within the interval too.
    expect((await renew(third)).error).toMatchObject(refused);
    expect((await renew(second)).error).toMatchObject(refused);
  });

  test('that was replaced is stored for a day', async () => {
    const { first } = await signUp();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    fixture.wait(25 * 3600);
    await renew(second);
    const { rows } = await fixture.backend.pg.query(
      'select revoked from auth.refresh_tokens where session_id = $1 order by revoked',
      [first.claims['session_id']],
    );
    expect(rows).toEqual([{ revoked: false }, { revoked: true }]);
    expect((await renew(first.refresh_token)).error).toMatchObject({ code: 'refresh_token_not_found' });
  });

  test('that was never issued is not found', async () => {
    expect((await renew('never-issued')).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });

  test('gives an access token with the account’s current data', async () => {
    const { client, first } = await signUp();
    await fixture.backend.pg.query(`update auth.users set raw_app_meta_data = '{"plan":"free"}' where id = $1`, [
      first.user.id,
    ]);
    await client.auth.refreshSession();
    expect((await sessionOf(client)).claims['app_metadata']).toEqual({ plan: 'free' });
  });
});

describe('a sign-out', () => {
  const isSignedIn = async (client: Awaited<ReturnType<typeof fixture.signIn>>) =>
    (await client.auth.getUser()).error === null;

  async function threeSessions() {
    const { email } = await fixture.backend.signUp();
    return [await fixture.signIn(email), await fixture.signIn(email), await fixture.signIn(email)] as const;
  }

  test('with scope local ends only this session', async () => {
    const [one, two, three] = await threeSessions();
    const { access_token, refresh_token } = await sessionOf(one);
    expect((await one.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect([await isSignedIn(two), await isSignedIn(three)]).toEqual([true, true]);
    expect((await renew(refresh_token)).error).toMatchObject({ code: 'refresh_token_not_found' });
    const reply = await fixture.send('/user', { method: 'GET', headers: { authorization: `Bearer ${access_token}` } });
    expect(reply).toMatchObject({ status: 403, body: { code: 403, error_code: 'session_not_found' } });
  });

  test('with scope others ends all other sessions', async () => {
    const [one, two, three] = await threeSessions();
    expect((await one.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(three)]).toEqual([true, false, false]);
  });

  test('with scope global, the default, ends all sessions', async () => {
    const [one, two, three] = await threeSessions();
    expect((await one.auth.signOut()).error).toBeNull();
    expect([await isSignedIn(two), await isSignedIn(three)]).toEqual([false, false]);
  });

  test('ends no session of another account', async () => {
    const { client, email } = await fixture.backend.signUp();
    const stranger = await fixture.backend.signUp();
    await stranger.client.auth.signOut({ scope: 'global' });
    expect(await isSignedIn(client)).toBe(true);
    expect((await fixture.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test('with an unknown scope, or without a session, is refused', async () => {
    const { client } = await signUp();
    const { access_token } = await sessionOf(client);
    const authorization = `Bearer ${access_token}`;
    expect(await fixture.send('/logout?scope=everyone', { headers: { authorization } })).toMatchObject({
      status: 400,
      body: { error_code: 'validation_failed' },
    });
    expect(await fixture.send('/logout')).toMatchObject({ status: 401, body: { error_code: 'no_authorization' } });
  });
});

// Sessions: how they are renewed, what happens to a refresh token that comes twice, whom a sign-out reaches.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type Stage, sessionOf, startStage } from '../auth-fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const renew = (refresh_token: string) => stage.client().auth.refreshSession({ refresh_token });

async function begin() {
  const { client, email } = await stage.backend.signUp();
  return { client, email, first: await sessionOf(client) };
}

describe('a refresh token', () => {
  test('is replaced when it is used; the session and how it began stay', async () => {
    const { first } = await begin();
    const { data, error } = await renew(first.refresh_token);
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(first.refresh_token);
    const again = await renew(data.session?.refresh_token ?? '');
    expect(again.data.session?.user.id).toBe(first.user.id);
    const client = stage.client();
    await client.auth.setSession({
      access_token: again.data.session?.access_token ?? '',
      refresh_token: again.data.session?.refresh_token ?? '',
    });
    const { claims } = await sessionOf(client);
    expect(claims).toMatchObject({ session_id: first.claims['session_id'], amr: first.claims['amr'] });
  });

  test('whose answer got lost brings the same successor, however late', async () => {
    const { first } = await begin();
    const successor = (await renew(first.refresh_token)).data.session?.refresh_token;
    stage.wait(60);
    const again = await renew(first.refresh_token);
    expect(again.error).toBeNull();
    expect(again.data.session?.refresh_token).toBe(successor);
  });

  test('that many ask with at once has one successor', async () => {
    const { first } = await begin();
    const answers = await Promise.all(Array.from({ length: 8 }, () => renew(first.refresh_token)));
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 8 }, () => null));
    expect(new Set(answers.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
  });

  test('of two generations ago is taken for ten seconds', async () => {
    const { first } = await begin();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    await renew(second);
    stage.wait(9);
    expect((await renew(first.refresh_token)).error).toBeNull();
  });

  test('of two generations ago ends the whole session after that: somebody else has it', async () => {
    const { first } = await begin();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    const third = (await renew(second)).data.session?.refresh_token ?? '';
    stage.wait(11);
    const refused = { status: 400, code: 'refresh_token_already_used' };
    expect((await renew(first.refresh_token)).error).toMatchObject(refused);
    // The thief's token or the owner's: nobody can tell, so neither goes on. Not even within the interval.
    expect((await renew(third)).error).toMatchObject(refused);
    expect((await renew(second)).error).toMatchObject(refused);
  });

  test('that was replaced is kept for a day', async () => {
    const { first } = await begin();
    const second = (await renew(first.refresh_token)).data.session?.refresh_token ?? '';
    stage.wait(25 * 3600);
    await renew(second);
    const { rows } = await stage.backend.pg.query(
      'select revoked from auth.refresh_tokens where session_id = $1 order by revoked',
      [first.claims['session_id']],
    );
    expect(rows).toEqual([{ revoked: false }, { revoked: true }]);
    expect((await renew(first.refresh_token)).error).toMatchObject({ code: 'refresh_token_not_found' });
  });

  test('that nobody ever had is not found', async () => {
    expect((await renew('never-issued')).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });

  test('reads what the account is now, not what it was', async () => {
    const { client, first } = await begin();
    await stage.backend.pg.query(`update auth.users set raw_app_meta_data = '{"plan":"loom"}' where id = $1`, [
      first.user.id,
    ]);
    await client.auth.refreshSession();
    expect((await sessionOf(client)).claims['app_metadata']).toEqual({ plan: 'loom' });
  });
});

describe('a sign-out', () => {
  const alive = async (client: Awaited<ReturnType<typeof stage.signIn>>) =>
    (await client.auth.getUser()).error === null;

  async function thrice() {
    const { email } = await stage.backend.signUp();
    return [await stage.signIn(email), await stage.signIn(email), await stage.signIn(email)] as const;
  }

  test('with scope local ends this session alone', async () => {
    const [one, two, three] = await thrice();
    const { access_token, refresh_token } = await sessionOf(one);
    expect((await one.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect([await alive(two), await alive(three)]).toEqual([true, true]);
    expect((await renew(refresh_token)).error).toMatchObject({ code: 'refresh_token_not_found' });
    const reply = await stage.ask('/user', { method: 'GET', headers: { authorization: `Bearer ${access_token}` } });
    expect(reply).toMatchObject({ status: 403, body: { code: 403, error_code: 'session_not_found' } });
  });

  test('with scope others ends all but this one', async () => {
    const [one, two, three] = await thrice();
    expect((await one.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect([await alive(one), await alive(two), await alive(three)]).toEqual([true, false, false]);
  });

  test('with scope global, which is the default, ends all of them', async () => {
    const [one, two, three] = await thrice();
    expect((await one.auth.signOut()).error).toBeNull();
    expect([await alive(two), await alive(three)]).toEqual([false, false]);
  });

  test('of somebody else’s session reaches nobody but them', async () => {
    const { client, email } = await stage.backend.signUp();
    const stranger = await stage.backend.signUp();
    await stranger.client.auth.signOut({ scope: 'global' });
    expect(await alive(client)).toBe(true);
    expect((await stage.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test('with an unknown scope, or without a session, is refused', async () => {
    const { client } = await begin();
    const { access_token } = await sessionOf(client);
    const authorization = `Bearer ${access_token}`;
    expect(await stage.ask('/logout?scope=everyone', { headers: { authorization } })).toMatchObject({
      status: 400,
      body: { error_code: 'validation_failed' },
    });
    expect(await stage.ask('/logout')).toMatchObject({ status: 401, body: { error_code: 'no_authorization' } });
  });
});

// Accounts, guests, access tokens and API keys, through supabase-js.
import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type TestBackend, startTestBackend } from '../../../support/server/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

const tokenOf = async (client: ReturnType<TestBackend['anonClient']>) => {
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('no one is signed in');
  return { claims: decodeJwt(data.session.access_token), session: data.session };
};

describe('an account', () => {
  test('is usable at once, without confirming the address', async () => {
    const alice = await backend.signUp('alice@example.com', 'Alice');
    const { data } = await alice.client.auth.getUser();
    expect(data.user).toMatchObject({ id: alice.id, email: 'alice@example.com', is_anonymous: false });
    expect(data.user?.user_metadata).toMatchObject({ display_name: 'Alice' });
    expect(backend.server.database.mailbox.mails).toEqual([]);
  });

  test('gets an access token with the claims of a hosted project', async () => {
    const bob = await backend.signUp('bob@example.com', 'Bob');
    const { claims, session } = await tokenOf(bob.client);
    expect(claims).toEqual({
      iss: `${backend.url}/auth/v1`,
      aud: 'authenticated',
      sub: bob.id,
      role: 'authenticated',
      email: 'bob@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: expect.objectContaining({ display_name: 'Bob', email: 'bob@example.com', sub: bob.id }),
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
      iat: expect.any(Number),
      exp: session.expires_at,
    });
  });

  test('is refused with a taken address or a short password', async () => {
    await backend.signUp('carol@example.com');
    const again = await backend.anonClient().auth.signUp({ email: 'carol@example.com', password: PASSWORD });
    expect(again.error).toMatchObject({ code: 'user_already_exists', status: 422 });
    const short = await backend.anonClient().auth.signUp({ email: 'dave@example.com', password: '1234567' });
    expect(short.error).toMatchObject({ code: 'weak_password', status: 422 });
  });

  test('signs in with its password only, and signs out', async () => {
    const { email, id } = await backend.signUp();
    const client = backend.anonClient();
    expect((await client.auth.signInWithPassword({ email, password: 'wrong password' })).error).toMatchObject({
      code: 'invalid_credentials',
    });
    const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(data.user?.id).toBe(id);
    const { session } = await tokenOf(client);
    await client.auth.signOut();
    const late = await backend.anonClient().auth.getUser(session.access_token);
    expect(late.error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  test('keeps its session when the token is renewed, and the new token has its current data', async () => {
    const { client } = await backend.signUp();
    const before = await tokenOf(client);
    await client.auth.updateUser({ data: { display_name: 'Renamed' } });
    const { error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    const after = await tokenOf(client);
    expect(after.session.refresh_token).not.toBe(before.session.refresh_token);
    expect(after.claims['amr']).toEqual(before.claims['amr']);
    expect(after.claims['session_id']).toBe(before.claims['session_id']);
    expect(after.claims['user_metadata']).toMatchObject({ display_name: 'Renamed' });
  });

  test('is not created if a trigger of the migrations refuses it', async () => {
    await backend.pg.exec(`
      create function public.refuse_person() returns trigger language plpgsql as $$
      begin
        if new.email = 'refused@example.com' then raise exception 'no'; end if;
        return new;
      end $$;
      create trigger refuse_person after insert on auth.users for each row execute function public.refuse_person();
    `);
    const refused = await backend.anonClient().auth.signUp({ email: 'refused@example.com', password: PASSWORD });
    expect(refused.error).not.toBeNull();
    const { rows } = await backend.pg.query(`select id from auth.users where email = 'refused@example.com'`);
    expect(rows).toEqual([]);
  });
});

describe('a guest', () => {
  test('is signed in without credentials, with `is_anonymous` in the token and an id in the database', async () => {
    const guest = await backend.guest('Gu');
    const { claims } = await tokenOf(guest.client);
    expect(claims).toMatchObject({
      sub: guest.id,
      role: 'authenticated',
      is_anonymous: true,
      email: '',
      app_metadata: {},
      user_metadata: { display_name: 'Gu' },
      amr: [{ method: 'anonymous' }],
    });
    const { data } = await guest.client.auth.getUser();
    expect(data.user).toMatchObject({ id: guest.id, is_anonymous: true, user_metadata: { display_name: 'Gu' } });
  });

  test('renews the token, changes the name and signs out', async () => {
    const guest = await backend.guest();
    expect((await guest.client.auth.refreshSession()).error).toBeNull();
    expect((await tokenOf(guest.client)).claims).toMatchObject({ is_anonymous: true, amr: [{ method: 'anonymous' }] });
    expect((await guest.client.auth.updateUser({ data: { display_name: 'Gus' } })).data.user).toMatchObject({
      is_anonymous: true,
      user_metadata: { display_name: 'Gus' },
    });
    const { session } = await tokenOf(guest.client);
    expect((await guest.client.auth.signOut()).error).toBeNull();
    const late = await backend.anonClient().auth.refreshSession({ refresh_token: session.refresh_token });
    expect(late.error).not.toBeNull();
  });
});

describe('API keys', () => {
  const refusals = [
    ['no key', {}],
    ['a wrong key', { apikey: 'sb_publishable_wrong' }],
    ['only an access token', { authorization: 'Bearer x' }],
  ] as const;

  test.each(refusals)('a request with %s is refused by sign-up, guest sign-in and REST', async (_, headers) => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const account = JSON.stringify({ email: 'keyless@example.com', password: PASSWORD });
    const statuses = await Promise.all([
      fetch(`${backend.url}/auth/v1/signup`, { ...post, body: account }),
      fetch(`${backend.url}/auth/v1/signup`, { ...post, body: '{}' }),
      fetch(`${backend.url}/rest/v1/workspaces`, { headers }),
    ]).then((answers) => answers.map(({ status }) => status));
    expect(statuses).toEqual([401, 401, 401]);
    const { rows } = await backend.pg.query(`select id from auth.users where email = 'keyless@example.com'`);
    expect(rows).toEqual([]);
  });

  test('only the secret key bypasses row level security', async () => {
    await backend.pg.exec(`
      create table public.vault (word text);
      alter table public.vault enable row level security;
      insert into public.vault values ('open');
    `);
    backend.server.database.reloadSchema();
    expect((await backend.serviceClient().from('vault').select()).data).toEqual([{ word: 'open' }]);
    expect((await backend.anonClient().from('vault').select()).data).toEqual([]);
    expect((await (await backend.signUp()).client.from('vault').select()).data).toEqual([]);
  });

  test.each(['auth', 'realtime', 'storage', 'weft', 'pg_catalog'])(
    'even the secret key does not reach the schema %s',
    async (schema) => {
      const headers = { apikey: backend.server.serviceRoleKey, 'accept-profile': schema };
      expect((await fetch(`${backend.url}/rest/v1/users`, { headers })).status).toBe(406);
    },
  );

  test('the secret key is refused in a browser', async () => {
    const inBrowser = createClient(backend.url, backend.server.serviceRoleKey, {
      global: { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' } },
    });
    expect((await inBrowser.from('vault').select()).error).not.toBeNull();
  });

  test('a token of another project is refused', async () => {
    const stranger = await backend.signUp();
    const { session } = await tokenOf(stranger.client);
    const [head, body] = session.access_token.split('.');
    const response = await fetch(`${backend.url}/rest/v1/vault`, {
      headers: { apikey: backend.server.anonKey, authorization: `Bearer ${head}.${body}.${'A'.repeat(43)}` },
    });
    expect(response.status).toBe(401);
  });
});

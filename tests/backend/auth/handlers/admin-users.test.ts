// /admin/users: accounts managed with the secret key.
import { createClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type AuthFixture, sessionOf, startAuthFixture } from '../auth-fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

const admin = () => fixture.backend.serviceClient().auth.admin;

describe('the secret key', () => {
  test('creates an account that can sign in', async () => {
    const { data, error } = await admin().createUser({
      email: 'Made@Example.com',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { display_name: 'Made' },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'made@example.com',
      user_metadata: { display_name: 'Made' },
      app_metadata: { provider: 'email', providers: ['email'] },
    });
    const client = await fixture.signIn('made@example.com');
    expect((await sessionOf(client)).claims).toMatchObject({ sub: data.user?.id });
    const { rows } = await fixture.backend.pg.query('select display_name from public.profiles where id = $1', [
      data.user?.id,
    ]);
    expect(rows).toEqual([{ display_name: 'Made' }]);
  });

  test('cannot create an account with a taken address, an invalid address or a short password', async () => {
    const make = (email: string, password = PASSWORD) => admin().createUser({ email, password });
    await make('double@example.com');
    expect((await make('DOUBLE@example.com')).error).toMatchObject({ status: 422, code: 'email_exists' });
    expect((await make('none')).error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await make('short@example.com', 'short')).error).toMatchObject({ status: 422, code: 'weak_password' });
  });

  test('deletes an account with its sessions', async () => {
    const { client, id, email } = await fixture.backend.signUp();
    const { refresh_token } = await sessionOf(client);
    expect((await admin().deleteUser(id)).error).toBeNull();
    expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: 'user_not_found' });
    const renewed = await fixture.client().auth.refreshSession({ refresh_token });
    expect(renewed.error).toMatchObject({ code: 'refresh_token_not_found' });
    expect((await admin().deleteUser(id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
    await fixture.backend.signUp(email);
  });
});

describe('any other caller', () => {
  test('is refused: the publishable key, a person’s token, a forged token', async () => {
    const { client } = await fixture.backend.signUp();
    const { access_token } = await sessionOf(client);
    const forged = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('another secret of at least 32 characters'));
    const refused = async (key: string, bearer: string) => {
      const asked = createClient(fixture.backend.url, key, {
        global: { headers: { Authorization: `Bearer ${bearer}` } },
      });
      return (await asked.auth.admin.createUser({ email: 'new@example.com', password: PASSWORD })).error;
    };
    const { anonKey, serviceRoleKey } = fixture.backend.server;
    expect(await refused(anonKey, anonKey)).toMatchObject({ status: 403, code: 'not_admin' });
    expect(await refused(anonKey, access_token)).toMatchObject({ status: 403, code: 'not_admin' });
    expect(await refused(serviceRoleKey, access_token)).toMatchObject({ status: 403, code: 'not_admin' });
    expect(await refused(anonKey, forged)).toMatchObject({ status: 403, code: 'bad_jwt' });
  });
});

// Invalid requests get an error in the hosted service's words, never a 500.
import { createClient } from '@supabase/supabase-js';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../support/server/backend.ts';
import { type AuthFixture, sessionOf, startAuthFixture } from './auth-fixture.ts';

let fixture: AuthFixture;
let token: string;
beforeAll(async () => {
  fixture = await startAuthFixture();
  token = (await sessionOf((await fixture.backend.signUp()).client)).access_token;
});
afterAll(() => fixture.close());

const POSTS = [
  '/signup',
  '/token?grant_type=password',
  '/token?grant_type=refresh_token',
  '/token?grant_type=pkce',
  '/verify',
  '/otp',
  '/recover',
  '/admin/users',
];
const headersFor = (path: string): Record<string, string> =>
  path.startsWith('/admin')
    ? { apikey: fixture.backend.server.serviceRoleKey }
    : path === '/user'
      ? { authorization: `Bearer ${token}` }
      : {};
const CALLS = [...POSTS.map((path) => ['POST', path] as const), ['PUT', '/user'] as const];

// This leaves out /signup, where an empty object signs a guest up, and /user, where it changes nothing.
test.each(POSTS.filter((path) => path !== '/signup'))('POST %s refuses an empty object', async (path) => {
  expect(await fixture.send(path, { method: 'POST', headers: headersFor(path), body: {} })).toMatchObject({
    status: 400,
  });
});

describe.each(CALLS)('%s %s', (method, path) => {
  const send = (body: unknown) => fixture.send(path, { method, headers: headersFor(path), body });

  test.each([
    ['no body', undefined],
    ['invalid JSON', '{"email": '],
    ['a list', '[1]'],
    ['null', 'null'],
    ['numbers instead of texts', { email: 5, password: 5, token: 5, refresh_token: 5, auth_code: 5, type: 5 }],
    ['objects instead of texts', { email: {}, password: {}, token: {}, refresh_token: {}, auth_code: {}, type: {} }],
  ])('%s is refused as bad JSON', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 400, error_code: 'bad_json' } });
  });

  test.each([
    ['a long address', { email: `${'a'.repeat(400)}@example.com`, password: PASSWORD, type: 'email', token: '1' }],
    [
      'U+0000',
      {
        email: 'a\0@example.com',
        password: 'a\0b',
        token: '\0',
        refresh_token: '\0',
        auth_code: '\0',
        code_verifier: '\0',
        type: 'email',
        data: { a: '\0' },
      },
    ],
    [
      'half a surrogate pair',
      {
        email: '\ud800@example.com',
        password: '\ud800',
        token: '\ud800',
        refresh_token: '\ud800',
        auth_code: '\ud800',
        code_verifier: '\ud800',
        type: 'signup',
        data: { a: '\ud800' },
      },
    ],
    [
      'a password of 900 kB',
      {
        email: 'a@example.com',
        password: 'x'.repeat(900_000),
        token: 'x'.repeat(900_000),
        type: 'recovery',
        refresh_token: 'y',
      },
    ],
  ])('%s is refused', async (_, body) => {
    const reply = await send(body);
    expect([400, 403, 404, 413, 422, 501]).toContain(reply.status);
  });

  test('a body of more than one megabyte is too large', async () => {
    expect(await send({ email: 'x'.repeat(2 * 1024 * 1024) })).toMatchObject({ status: 413 });
    expect(await send({ email: '🦢'.repeat(300 * 1024) }), 'in bytes').toMatchObject({ status: 413 });
  });

  test('another method is not supported', async () => {
    expect((await fixture.send(path, { method: 'PATCH', headers: headersFor(path), body: {} })).status).toBe(501);
  });
});

describe('metadata', () => {
  const change = (data: unknown) =>
    fixture.send('/user', { method: 'PUT', headers: { authorization: `Bearer ${token}` }, body: { data } });

  test.each([
    ['U+0000', { a: 'b\0' }, 'validation_failed'],
    ['half a surrogate pair', { a: '\udfff' }, 'validation_failed'],
    ['a list', [1], 'bad_json'],
  ])('with %s is refused', async (_, data, code) => {
    expect(await change(data)).toMatchObject({ status: 400, body: { error_code: code } });
  });

  test('nested ten thousand deep is refused', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fixture.send('/user', { method: 'PUT', headers, body: `{"data":{"a":${deep}}}` });
    expect(reply).toMatchObject({ status: 413, body: { error_code: 'validation_failed' } });
  });

  test('may have a field called __proto__', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const body = '{"data":{"__proto__":{"polluted":true},"constructor":"c"}}';
    expect((await fixture.send('/user', { method: 'PUT', headers, body })).status).toBe(200);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('is merged field by field; null removes a field', async () => {
    await change({ one: 1, two: { a: 1 } });
    await change({ two: null, three: 3 });
    const { body } = await fixture.send('/user', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect(body).toMatchObject({ user_metadata: { one: 1, three: 3 } });
    expect(body).not.toHaveProperty('user_metadata.two');
  });

  test('of the app cannot be changed by its owner', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fixture.send('/user', { method: 'PUT', headers, body: { app_metadata: { admin: true } } });
    expect(reply).toMatchObject({ status: 403, body: { error_code: 'not_admin' } });
  });
});

describe('addresses and passwords', () => {
  const signUp = (email: string, password: string = PASSWORD) => fixture.client().auth.signUp({ email, password });

  test.each(['plain', '@example.com', 'a@', 'a b@example.com', 'a@b@example.com', 'a@exa mple.com', 'a@-', 'a@b..c'])(
    '%s is not a valid address',
    async (email) => {
      expect((await signUp(email)).error).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  // Recorded from supabase/auth 2.196.0.
  test.each([
    'jürgen@bücher.example',
    'o’neil@mail.example',
    ' a@example.com',
    'a@example.com ',
    '\tt@example.com',
    '\u212a@example.com',
  ])('%j is refused: blanks and characters that are not ASCII', async (email) => {
    const answer = { status: 400, body: { msg: 'Unable to validate email address: invalid format' } };
    expect(await fixture.send('/signup', { body: { email, password: PASSWORD } })).toMatchObject(answer);
    expect(await fixture.send('/recover', { body: { email } })).toMatchObject(answer);
  });

  test('an address with blanks round it signs no one in', async () => {
    const { email } = await fixture.backend.signUp();
    const { error } = await fixture.client().auth.signInWithPassword({ email: `${email} `, password: PASSWORD });
    expect(error).toMatchObject({ status: 400, code: 'invalid_credentials' });
  });

  test('addresses in odd but valid forms are accepted', async () => {
    for (const email of ["o'neil+weft@mail.example", 'me@server', 'a@somewhere.invalid', '{x}|y@a-b.example'])
      expect((await signUp(email)).error).toBeNull();
  });

  test('a password has at least 8 characters, and at most the 72 bytes that bcrypt reads', async () => {
    expect((await signUp('p7@example.com', '🧵🧵🧵🧵🧵🧵🧵')).error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons: ['length'],
    });
    expect((await signUp('p8@example.com', '🧵🧵🧵🧵🧵🧵🧵🧵')).error).toBeNull();
    expect((await signUp('p73@example.com', 'x'.repeat(73))).error).toMatchObject({ status: 400 });
    await signUp('p72@example.com', 'x'.repeat(72));
    const longer = await fixture
      .client()
      .auth.signInWithPassword({ email: 'p72@example.com', password: 'x'.repeat(73) });
    expect(longer.error).toMatchObject({ code: 'invalid_credentials' });
  });

  test('the current password is refused as a new one', async () => {
    const { client } = await fixture.backend.signUp();
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'same_password',
    });
  });
});

describe('an access token', () => {
  const read = (authorization: string | null) =>
    fixture.send('/user', { method: 'GET', headers: authorization === null ? {} : { authorization } });
  const key = () => new TextEncoder().encode('some other secret of 32 characters!!');
  const sub = '00000000-0000-4000-8000-000000000000';

  test('is required', async () => {
    for (const header of [null, 'Bearer', 'Basic abc'])
      expect(await read(header)).toMatchObject({ status: 401, body: { code: 401, error_code: 'no_authorization' } });
  });

  test('is refused if it is malformed, unsigned or signed with another key', async () => {
    const signed = await new SignJWT({ sub }).setProtectedHeader({ alg: 'HS256' }).sign(key());
    const none = new UnsecuredJWT({ sub, role: 'service_role' }).encode();
    for (const bad of ['x', 'a.b.c', signed, none, `${token}x`])
      expect(await read(`Bearer ${bad}`)).toMatchObject({ status: 403, body: { error_code: 'bad_jwt' } });
  });

  test('expires after an hour', async () => {
    const later = await startAuthFixture();
    const { client } = await later.backend.signUp();
    const { access_token } = await sessionOf(client);
    later.wait(3601);
    const headers = { authorization: `Bearer ${access_token}` };
    expect(await later.send('/user', { method: 'GET', headers })).toMatchObject({
      status: 403,
      body: { error_code: 'bad_jwt' },
    });
    await later.close();
  });
});

describe('errors', () => {
  test('have the form of the API version in the request', async () => {
    const versioned = await fixture.send('/token?grant_type=password', {
      headers: { 'x-supabase-api-version': '2024-01-01' },
      body: { email: 'nobody@example.com', password: 'x' },
    });
    expect(versioned.body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' });
    expect(versioned.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    const plain = await fixture.send('/token?grant_type=password', {
      body: { email: 'nobody@example.com', password: 'x' },
    });
    expect(plain.body).toEqual({ code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' });
  });

  test('are returned for unknown grants, codes, links and types', async () => {
    const codeOf = async (path: string, body: unknown) => {
      const { status, body: answer } = await fixture.send(path, { body });
      return [status, answer] as const;
    };
    expect(await codeOf('/token', {})).toMatchObject([400, { msg: 'unsupported_grant_type' }]);
    expect(await codeOf('/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' })).toMatchObject([
      404,
      { error_code: 'flow_state_not_found' },
    ]);
    for (const type of ['sms', 'constructor'])
      expect(await codeOf('/verify', { type, token: '1', email: 'a@example.com' })).toMatchObject([
        403,
        { error_code: 'otp_expired' },
      ]);
    expect(
      await codeOf('/recover', { email: 'a@example.com', code_challenge: 'short', code_challenge_method: 's256' }),
    ).toMatchObject([400, { error_code: 'validation_failed' }]);
    expect(await codeOf('/signup', { phone: '123456', password: PASSWORD })).toMatchObject([
      400,
      { error_code: 'phone_provider_disabled' },
    ]);
    expect((await fixture.send('/verify', { method: 'GET' })).status).toBe(400);
  });

  test('are returned to all but one of several sign-ups with the same address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => fixture.client().auth.signUp({ email: 'same@example.com', password: PASSWORD })),
    );
    expect(answers.map(({ error }) => error?.code ?? 'ok').toSorted()).toEqual([
      'ok',
      'user_already_exists',
      'user_already_exists',
      'user_already_exists',
    ]);
  });

  test('are returned for unknown paths, however they are encoded', async () => {
    for (const path of ['/s%69gnup', '/token%2F?grant_type=password', '/admin/nothing', '/SIGNUP', '/nothing']) {
      const reply = await fixture.send(path, { body: { email: 'a@example.com', password: PASSWORD } });
      expect(reply).toMatchObject({ status: 501, body: { error_code: 'not_implemented' } });
    }
  });

  test('are the same for a wrong password and for a stored hash in an unknown form', async () => {
    const { email, id } = await fixture.backend.signUp();
    for (const hash of ['$argon2id$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo', `$2b$99$${'x'.repeat(53)}`]) {
      await fixture.backend.pg.query('update auth.users set encrypted_password = $2 where id = $1', [id, hash]);
      const { error } = await fixture.client().auth.signInWithPassword({ email, password: PASSWORD });
      expect(error).toMatchObject({ code: 'invalid_credentials' });
    }
  });

  test('about API keys come before all others', async () => {
    for (const key of ['', 'sb_publishable_wrong']) {
      const { error } = await createClient(fixture.backend.url, key || 'x').auth.signInAnonymously();
      expect(error).toMatchObject({ status: 401 });
    }
    const keyless = await fixture.send('/admin/users', { method: 'GET', headers: { apikey: '' } });
    expect(keyless).toMatchObject({ status: 401, body: { message: 'No API key found in request' } });
  });
});

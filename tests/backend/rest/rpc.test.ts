// `/rest/v1/rpc` by the short path: the same answers as by @supabase/lite with our repairs, and PostgREST's where lite differs.
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { FUNCTIONS } from './rpc-fixture.ts';
import { callEverything } from './weft-calls.ts';

type Call = {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};
type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

let backend: TestBackend;
let callers: Record<'anon' | 'person' | 'service', Record<string, string>>;
beforeAll(async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  backend = await startTestBackend();
  const { pg, connection, keys } = backend.server.database;
  await pg.exec(FUNCTIONS);
  await connection.clearSchemaCache();
  const { client } = await backend.signUp('ada@example.com');
  const { data } = await client.auth.getSession();
  callers = {
    anon: { apikey: keys.anonKey },
    person: { apikey: keys.anonKey, authorization: `Bearer ${data.session?.access_token}` },
    service: { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` },
  };
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});

function requestOf({ path, body, headers, method = 'POST' }: Call): Request {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`http://127.0.0.1/rest/v1/rpc/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
}

/** Who may read it is said for all answers alike, further out; the database writes JSON with more spaces than lite. */
const isCompared = ([name]: readonly [string, string]) =>
  !name.startsWith('access-control-') && name !== 'content-length';

async function read(response: Response): Promise<Answer> {
  const headers = [...response.headers].filter(isCompared);
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}

const parsed = (answer: Answer) => ({ ...answer, body: answer.body === '' ? '' : JSON.parse(answer.body) });

const whole = async (call: Call): Promise<Answer> => read(await backend.server.database.fetch(requestOf(call), null));
const lite = async (call: Call): Promise<Answer> =>
  read(await backend.server.database.app.fetch(requestOf(call), { peerAddress: null }));

/** Fails when lite had to be asked. */
async function short(call: Call): Promise<Answer> {
  const asked = vi.spyOn(backend.server.database.app, 'fetch');
  try {
    return await whole(call);
  } finally {
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  }
}

const STATES = [
  ...[
    'WF001',
    'P0001',
    'P0002',
    'PT418',
    'PT999',
    'PTabc',
    '42501',
    '42P01',
    '42883',
    '42P17',
    '23505',
    '23503',
    '23514',
  ],
  ...[
    '22023',
    '21000',
    '25006',
    '57014',
    '57P01',
    'XX000',
    '08006',
    '28000',
    '40001',
    '0L000',
    '54000',
    '53400',
    '53300',
  ],
];

/** Answered by both alike. */
const PLAIN: readonly Call[] = [
  { path: 'f_void', body: { a: 1 } },
  ...[{ a: 1 }, { a: 1, b: 2 }, { a: null }, { a: '5' }, { a: 'x' }, { a: 1.5 }, { a: true }].map((body) => ({
    path: 'f_int',
    body,
  })),
  { path: 'f_big' },
  { path: 'f_big', body: {} },
  ...['x', 5, true, { b: 1 }, ['x', null], null, 'ü€😀 "quoted" \\ \n'].map((a) => ({ path: 'f_text', body: { a } })),
  { path: 'f_null', body: {} },
  ...[{ z: [1, 2.5, { b: null }], y: 'ü' }, [], 5, null].map((a) => ({ path: 'f_json', body: { a } })),
  { path: 'f_bytes', body: { a: '\\xff00' } },
  { path: 'f_bytes', body: { a: 'zz\\' } },
  { path: 'f_time', body: { a: '2026-11-21T00:00:00.5+01:00' } },
  { path: 'f_time', body: { a: 'nonsense' } },
  { path: 'f_array', body: { a: [1, 2] } },
  { path: 'f_array', body: { a: '{1,2}' } },
  { path: 'f_bool', body: { a: true } },
  { path: 'f_uuid', body: { a: '01a1fc1e-6041-74c6-a190-2ab3c384e453' } },
  { path: 'f_uuid', body: { a: 'x' } },
  { path: 'f_point', body: { a: '(1,2)' } },
  { path: 'f_out', body: { a: 1 } },
  { path: 'f_one_out', body: {} },
  { path: 'f_ints', body: { a: 3 } },
  { path: 'f_ints', body: { a: 0 } },
  { path: 'f_rows', body: { a: 5 } },
  { path: 'f_rows', body: { a: 0 } },
  { path: 'f_table', body: { a: 1 } },
  { path: 'f_over', body: { a: 1 } },
  { path: 'f_over', body: { a: 1, b: 2 } },
  { path: 'f_divide', body: { a: 0 } },
  ...STATES.map((state) => ({ path: 'f_raise', body: { state } })),
  { path: 'f_say', body: { status: '201', headers: '[{"x-a":"b"},{"set-cookie":"a=1"}]' } },
  { path: 'f_say', body: { status: '204', headers: '' } },
  { path: 'f_say', body: { status: 'x', headers: '' } },
  { path: 'f_say', body: { status: '', headers: '{"a":"b"}' } },
  { path: 'f_say', body: { status: '', headers: '[{"a b":"c"}]' } },
  { path: 'f_say_rows', body: { status: '203' } },
  { path: 'f_pgrst', body: { message: '{"code":"A","message":"m"}', detail: '{"status":402,"headers":{"x-b":"c"}}' } },
  { path: 'f_pgrst', body: { message: 'x', detail: '{}' } },
  { path: 'f_pgrst', body: { message: '{"code":"A","message":"m"}', detail: '' } },
  { path: 'f_asked', body: {}, headers: { 'x-test': 'ü' } },
  { path: 'f_secret', body: {} },
  {
    path: 'f_int',
    body: { a: 1 },
    headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
  },
  { path: 'f_int', body: { a: 1 }, headers: { 'content-profile': 'public', accept: '*/*' } },
  { path: 'f_int?a=1', method: 'GET' },
  { path: 'f_int?a=x&b=2', method: 'GET' },
  { path: 'f_bool?a=false', method: 'GET' },
  { path: 'f_rows?a=2', method: 'GET', headers: { 'accept-profile': 'public' } },
  { path: 'f_write', method: 'GET' },
  { path: 'f_asked', method: 'GET' },
];

/** Not plain: lite's words, whatever they are. */
const LEFT: readonly Call[] = [
  { path: 'f_nothing', body: {} },
  { path: 'f_hidden', body: {} },
  { path: 'f_int', body: { c: 1 } },
  { path: 'f_over', body: {} },
  { path: 'f_twin', body: { a: 1 } },
  { path: 'f_unnamed', body: { q: 1 } },
  { path: 'f_many', body: { a: [1, 2] } },
  { path: 'f_any', body: { a: 1 } },
  { path: 'f_int', body: '{' },
  { path: 'f_int', body: '5' },
  { path: 'f_int', body: { a: 1 }, headers: { 'content-type': 'text/plain' } },
  { path: 'f_int', body: { a: 1 }, headers: { accept: 'image/png' } },
  { path: 'f_int', body: { a: 1 }, headers: { 'content-profile': 'hidden' } },
  { path: 'f_int', body: { a: 1 }, headers: { apikey: '' } },
  { path: 'f_int', body: { a: 1 }, headers: { apikey: 'sb_publishable_other' } },
  { path: 'f_rows', body: { a: 2 }, headers: { accept: 'text/csv' } },
  { path: 'f_rows', body: { a: 2 }, headers: { accept: 'application/vnd.pgrst.object+json' } },
  { path: 'f_rows', body: { a: 2 }, headers: { prefer: 'count=exact' } },
  { path: 'f_rows?select=id&order=id.desc', body: { a: 2 } },
  { path: 'f_rows?a=2&id=eq.1', method: 'GET' },
  { path: 'f_rows?a=2', method: 'GET', headers: { range: '0-0' } },
  { path: 'f_int?a=1', method: 'PUT' },
];

const titleOf = ({ path, body, method = 'POST', headers = {} }: Call): string =>
  [method, path, JSON.stringify(body) ?? '', ...Object.entries(headers).flat()].join(' ').trim();

describe.each(['anon', 'person', 'service'] as const)('called by %s', (who) => {
  const as = (call: Call): Call => ({ ...call, headers: { ...callers[who], ...call.headers } });

  test.each(PLAIN.map((call) => [titleOf(call), call] as const))(
    '%s is answered alike by the short path',
    async (_, call) => {
      expect(parsed(await short(as(call)))).toEqual(parsed(await lite(as(call))));
    },
  );

  test.each(LEFT.map((call) => [titleOf(call), call] as const))('%s is left to lite', async (_, call) => {
    expect(await whole(as(call))).toEqual(await lite(as(call)));
  });
});

describe('every function that Weft calls', () => {
  test('takes the short path and answers as lite does, to everybody', async () => {
    const viaShort = await callEverything(backend, (path, body, headers) => short({ path, body, headers }));
    const viaLite = await callEverything(backend, (path, body, headers) => lite({ path, body, headers }));
    expect(viaShort).toEqual(viaLite);
    const names: string[] = [];
    for await (const file of glob('src/**/*.ts*', { cwd: ROOT })) {
      const text = await readFile(join(ROOT, file), 'utf8');
      names.push(...Array.from(text.matchAll(/(?:\brpc\(|postKeepalive\(client, )'(\w+)'/g), ([, name = '']) => name));
    }
    expect(names.length).toBeGreaterThan(10);
    const called = new Set(viaShort.map(({ name }) => name));
    expect(names.filter((name) => !called.has(name))).toEqual([]);
  });
});

/** PostgREST's answers where lite has others; each was a failure before. */
const BETTER: readonly (readonly [string, Call, number, unknown])[] = [
  [
    'a zero character in a text',
    { path: 'f_text', body: { a: 'a\u0000b' } },
    400,
    {
      code: '22P05',
      message: 'unsupported Unicode escape sequence',
      details: String.raw`\u0000 cannot be converted to text.`,
      hint: null,
    },
  ],
  ['half a character', { path: 'f_text', body: { a: '\ud800' } }, 400, expect.objectContaining({ code: '22P02' })],
  ['a JSON text', { path: 'f_json', body: { a: 'text' } }, 200, 'text'],
  ['a JSON text that looks like JSON', { path: 'f_json', body: { a: '[1]' } }, 200, '[1]'],
  ['a truth value as text', { path: 'f_bool', body: { a: 'false' } }, 200, true],
  ['a row as an object', { path: 'f_point', body: { a: { x: 1, y: 2 } } }, 200, { x: 2, y: 1 }],
  ['a list for a number', { path: 'f_int', body: { a: [1] } }, 400, expect.objectContaining({ code: '22P02' })],
  ['names that need quotes', { path: 'f_named', body: { limit: 1, 'User Name': 'u' } }, 200, 'u1'],
  ['of a list the first one', { path: 'f_int', body: '[{"a":1,"b":2},{"b":5,"a":5}]' }, 200, 3],
  ...['5', 'null', '"x"', '[]'].map(
    (body) => [`${body} as no arguments`, { path: 'f_null', body }, 200, null] as const,
  ),
  ['the word null in an address', { path: 'f_text?a=null', method: 'GET' }, 200, 'null'],
];

test.each(BETTER)('%s', async (_, call, status, body) => {
  const answer = await short({ ...call, headers: callers.anon });
  expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({ status, body });
});

test('numbers keep all their digits', async () => {
  const { body } = await short({ path: 'f_big', headers: callers.anon });
  expect(body).toBe('9007199254740993');
  const row = await short({ path: 'f_price', body: { a: 1 }, headers: callers.anon });
  expect(row.body).toBe('{"price":12.50,"total":9007199254740993.10}');
});

test('HEAD answers with what GET would have, without its body', async () => {
  const asked = { path: 'f_text?a=hi', headers: callers.anon };
  const got = await short({ ...asked, method: 'GET' });
  expect(await short({ ...asked, method: 'HEAD' })).toEqual({ ...got, body: '' });
});

describe('who calls', () => {
  const role = async (headers: Record<string, string>) => {
    const { status, body } = await whole({ path: 'f_asked', body: {}, headers });
    return { status, role: JSON.parse(body).role ?? JSON.parse(body).code };
  };
  const signed = (claims: Record<string, unknown>, secret = backend.server.database.keys.jwtSecret) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
  const bearer = (token: string) => ({ ...callers.anon, authorization: `Bearer ${token}` });
  const now = () => Math.floor(Date.now() / 1000);

  test('a token’s role and claims are the transaction’s', async () => {
    const sub = crypto.randomUUID();
    const token = await signed({ role: 'authenticated', sub, extra: [1] });
    const { body } = await short({ path: 'f_asked', body: {}, headers: { ...bearer(token), 'x-test': 'here' } });
    expect(JSON.parse(body)).toEqual({
      role: 'authenticated',
      uid: sub,
      sub,
      claims: { role: 'authenticated', sub, extra: [1] },
      claim_role: 'authenticated',
      method: 'POST',
      path: '/rpc/f_asked',
      header: 'here',
    });
  });

  test('nothing of one call is left for the next', async () => {
    await short({ path: 'f_asked', body: {}, headers: callers.person });
    const { rows } = await backend.pg.query(
      `select current_user = session_user as own, coalesce(current_setting('request.jwt.claims', true), '') as claims`,
    );
    expect(rows).toEqual([{ own: true, claims: '' }]);
  });

  test('a token that another project signed, is over or not yet begun, or has another role is refused', async () => {
    const exp = now() + 60;
    const other = await signed({ role: 'service_role', exp }, 'another secret of more than 32 characters');
    expect(await role(bearer(other))).toEqual({ status: 401, role: 'PGRST301' });
    expect(await role(bearer(await signed({ role: 'service_role', exp: now() - 1 })))).toEqual({
      status: 401,
      role: 'PGRST303',
    });
    expect(await role(bearer(await signed({ role: 'service_role', iat: now() + 60 })))).toEqual({
      status: 401,
      role: 'PGRST303',
    });
    for (const token of ['header.payload.signature', 'garbage', 'aGVhZA.e30.']) {
      expect(await role(bearer(token))).toEqual({ status: 401, role: 'PGRST301' });
    }
  });

  test('a token is refused once it is over, although it was known', async () => {
    const headers = bearer(await signed({ role: 'authenticated', exp: now() + 1 }));
    expect(await role(headers)).toEqual({ status: 200, role: 'authenticated' });
    await vi.waitFor(async () => expect(await role(headers)).toEqual({ status: 401, role: 'PGRST303' }), {
      timeout: 5_000,
    });
  });

  test('callers at once never run as each other', async () => {
    const expected = { anon: 'anon', person: 'authenticated', service: 'service_role' } as const;
    const names = Array.from({ length: 60 }, (_, i) => (['anon', 'person', 'service'] as const)[i % 3] ?? 'anon');
    const found = await Promise.all(names.map(async (name) => (await role(callers[name])).role));
    expect(found).toEqual(names.map((name) => expected[name]));
  });
});

describe('the functions known', () => {
  const call = () => whole({ path: 'f_later', body: {}, headers: callers.anon });

  test('are read anew when lite’s knowledge is cleared, and when the database says so', async () => {
    expect(await call()).toMatchObject({ status: 404, body: expect.stringContaining('PGRST202') });
    await backend.pg.exec(`create function public.f_later() returns text language sql as $$ select 'first' $$`);
    await backend.server.database.connection.clearSchemaCache();
    expect(await call()).toMatchObject({ status: 200, body: '"first"' });
    await backend.pg.exec(`
      drop function public.f_later;
      create function public.f_later() returns int language sql as $$ select 2 $$;
      notify pgrst, 'reload schema';
    `);
    await vi.waitFor(async () => expect(await call()).toMatchObject({ status: 200, body: '2' }));
  });

  test('are called by the catalogue’s names only', async () => {
    const attacks = ['f_int(1)--', 'f_int"', 'public.f_int', 'pg_sleep', '%66_int', 'f_int;drop'];
    for (const path of attacks) {
      const answer = await whole({ path, body: { a: 1 }, headers: callers.anon });
      expect([path, answer.status]).toEqual([path, path === '%66_int' ? 200 : 404]);
    }
    const named = await whole({ path: 'f_int', body: { 'a := 1, b': 2 }, headers: callers.anon });
    expect(named.status).toBe(404);
    const proto = await whole({ path: 'f_int', body: '{"__proto__": 1}', headers: callers.anon });
    expect(proto.status).toBe(404);
  });
});

test('a database that is in trouble says so to the operator', async () => {
  vi.mocked(process.stderr.write).mockClear();
  await short({ path: 'f_raise', body: { state: 'XX000' }, headers: callers.anon });
  await short({ path: 'f_raise', body: { state: 'WF001' }, headers: callers.anon });
  expect(vi.mocked(process.stderr.write).mock.calls).toEqual([['XX000: the message\n']]);
});

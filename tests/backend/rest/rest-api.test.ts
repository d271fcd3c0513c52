// REST besides the recorded requests: the caller's role, the names in a request, changes of the schema, and the log.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { type CallerName, RestCallers, signToken } from './rest-callers.ts';

let backend: TestBackend;
let callers: RestCallers;
const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeAll(async () => {
  backend = await startTestBackend();
  await backend.pg.exec(`
    create function public.who_calls() returns jsonb language sql volatile as $$
      select jsonb_build_object(
        'role', current_user, 'claims', current_setting('request.jwt.claims', true)::jsonb, 'uid', auth.uid(),
        'sub', current_setting('request.jwt.claim.sub', true), 'method', current_setting('request.method', true),
        'path', current_setting('request.path', true), 'header', current_setting('request.headers', true)::jsonb ->> 'x-test'
      )
    $$;
    create function public.refuse(state text) returns void language plpgsql as $$
    begin
      raise exception using errcode = state, message = 'the message';
    end $$;
    create function public.wait() returns void language sql as $$ select pg_sleep(60) $$;
    create function public.first_of("limit" int, "user" text) returns text language sql as $$ select "user" || "limit" $$;
    create table public.things (id int primary key, bytes bytea, size int check (size > 0));
    create function public.add_thing() returns int language sql volatile as $$
      insert into public.things values (99) returning id
    $$;
    create function public.seem_stable() returns int language plpgsql stable as $$ begin return public.add_thing(); end $$;
    create function public.many() returns setof int language sql as $$ select generate_series(1, 1500) $$;
    insert into public.things values (1, '\\x00ff10', 1);
  `);
  backend.server.database.reloadSchema();
  callers = await RestCallers.of(backend);
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});
beforeEach(() => log.mockClear());

type Answer = { readonly status: number; readonly body: unknown };

const read = async (response: Response): Promise<Answer> => ({ status: response.status, body: await response.json() });
const field = (body: unknown, name: string): unknown => Reflect.get(Object(body), name);
const call = async (as: CallerName, name: string, args: unknown = {}): Promise<Answer> =>
  read(await callers.send(as, 'POST', `/rpc/${name}`, JSON.stringify(args)));

describe('the caller', () => {
  const withToken = (token: string) => ({
    apikey: backend.server.database.keys.anonKey,
    authorization: `Bearer ${token}`,
  });
  const callWith = async (headers: Record<string, string>) => {
    const { status, body } = await read(await callers.sendWith(headers, 'POST', '/rpc/who_calls', '{}'));
    return { status, role: field(body, 'role') ?? field(body, 'code') };
  };
  const now = () => Math.floor(Date.now() / 1000);

  test('of a token has its role and claims, and the function sees the request', async () => {
    const sub = randomUUID();
    const token = await signToken(backend, { role: 'authenticated', sub, extra: [1] });
    const response = await callers.sendWith({ ...withToken(token), 'x-test': 'here' }, 'POST', '/rpc/who_calls', '{}');
    expect(await response.json()).toEqual({
      role: 'authenticated',
      claims: { role: 'authenticated', sub, extra: [1] },
      uid: sub,
      sub,
      method: 'POST',
      path: '/rpc/who_calls',
      header: 'here',
    });
  });

  test('leaves no settings behind', async () => {
    await call('user', 'who_calls');
    const { rows } = await backend.pg.query(
      `select current_user = session_user as own, coalesce(current_setting('request.jwt.claims', true), '') as claims`,
    );
    expect(rows).toEqual([{ own: true, claims: '' }]);
  });

  test('is refused with a token that is forged, expired or of another role; caller.test.ts has the details', async () => {
    const forged = await signToken(backend, { role: 'service_role' }, 'another secret of more than 32 characters');
    expect(await callWith(withToken(forged))).toEqual({ status: 401, role: 'PGRST301' });
    const expired = await signToken(backend, { role: 'service_role', exp: now() - 60 });
    expect(await callWith(withToken(expired))).toEqual({ status: 401, role: 'PGRST303' });
    const internal = await signToken(backend, { role: 'supabase_auth_admin' });
    expect(await callWith(withToken(internal))).toEqual({ status: 403, role: '42501' });
    const nobody = await signToken(backend, { role: 'nobody' });
    expect(await callWith(withToken(nobody))).toEqual({ status: 401, role: '22023' });
  });

  test('never runs as another one at the same time', async () => {
    const roles = { anon: 'anon', user: 'authenticated', service: 'service_role' } as const;
    const names = Array.from({ length: 60 }, (_, at) => (['anon', 'user', 'service'] as const)[at % 3] ?? 'anon');
    const found = await Promise.all(names.map(async (name) => field((await call(name, 'who_calls')).body, 'role')));
    expect(found).toEqual(names.map((name) => roles[name]));
  });

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['a wrong key', { apikey: 'sb_publishable_wrong' }],
  ])('is refused with %s', async (_, headers) => {
    const response = await callers.sendWith(headers, 'GET', '/things');
    expect({ status: response.status, code: response.headers.get('sb-error-code') }).toEqual({
      status: 401,
      code: expect.stringMatching(/^UNAUTHORIZED_/),
    });
  });
});

describe('a name', () => {
  test.each(['who_calls(1)--', 'who_calls"', 'public.who_calls', 'pg_sleep', 'who_calls;drop', '%zz'])(
    'of a function is only ever looked up: %s',
    async (name) => {
      const { status, body } = await read(await callers.send('anon', 'POST', `/rpc/${name}`, '{}'));
      expect({ status, code: field(body, 'code') }).toEqual({ status: 404, code: 'PGRST202' });
    },
  );

  test.each(['%zz', '%', '%c0%ae', 'things"', 'auth.users'])('of a table is only ever looked up: %s', async (name) => {
    const { status, body } = await read(await callers.send('service', 'GET', `/${name}`));
    expect({ status, code: field(body, 'code') }).toEqual({ status: 404, code: 'PGRST205' });
  });

  test.each([{ 'a := 1, b': 2 }, JSON.parse('{"__proto__": 1}')])('of an argument too: %j', async (args) => {
    expect((await call('anon', 'who_calls', args)).status).toBe(404);
  });

  test('of an argument may be a keyword', async () => {
    expect((await call('anon', 'first_of', { limit: 3, user: "(limit := 1, 'x" })).body).toBe("(limit := 1, 'x3");
  });
});

test('supabase-js writes, counts and reads rows', async () => {
  const client = backend.serviceClient();
  expect((await client.from('things').insert({ id: 2, bytes: '\\xabcd', size: 2 })).error).toBeNull();
  expect((await client.from('things').insert({ id: 3, size: 0 })).error).toMatchObject({
    code: '23514',
    message: expect.stringContaining('things_size_check'),
  });
  expect((await client.from('things').select('id').eq('bytes', '\\xabcd')).data).toEqual([{ id: 2 }]);
  expect((await client.from('things').update({ size: 9 }).eq('id', 2)).error).toBeNull();
  expect((await client.from('things').select('*', { count: 'exact', head: true })).count).toBe(2);
  expect((await client.from('things').delete().in('id', [2, 3])).error).toBeNull();
  expect((await client.from('things').select('bytes, amount:size').order('id').range(0, 9)).data).toEqual([
    { bytes: '\\x00ff10', amount: 1 },
  ]);
});

test('changes of the schema take effect after `reloadSchema`, or when the database sends `notify pgrst`', async () => {
  expect(await call('anon', 'later')).toMatchObject({ status: 404, body: { code: 'PGRST202' } });
  await backend.pg.exec(`create function public.later() returns text language sql as $$ select 'first' $$`);
  backend.server.database.reloadSchema();
  expect(await call('anon', 'later')).toEqual({ status: 200, body: 'first' });
  await backend.pg.exec(`
    drop function public.later;
    create function public.later() returns int language sql as $$ select 2 $$;
    notify pgrst, 'reload schema';
  `);
  await vi.waitFor(async () => expect(await call('anon', 'later')).toEqual({ status: 200, body: 2 }));
});

test('a STABLE function runs read-only, although what it calls would write', async () => {
  expect(await call('service', 'seem_stable')).toMatchObject({ status: 405, body: { code: '25006' } });
  expect((await backend.pg.query('select from public.things where id = 99')).rows).toEqual([]);
});

test('a function returns at most 1,000 rows', async () => {
  const response = await callers.send('anon', 'POST', '/rpc/many', '{}');
  expect(response.headers.get('content-range')).toBe('0-999/*');
  expect(await response.json()).toHaveLength(1_000);
});

test('a database that goes away is 503 with the time after which to try again', async () => {
  const asked = callers.send('service', 'POST', '/rpc/wait', '{}');
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where state = 'active' and query like '%"weft: value"%' and pid <> pg_backend_pid() and datname = current_database()`;
  await vi.waitFor(async () => expect((await backend.pg.query(end)).rows).toHaveLength(1));
  const response = await asked;
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await read(response)).toMatchObject({ status: 503, body: { code: '57P01' } });
});

test.each(['53300', '57P01', '57P03', 'PT503'])('%s raised by a function is not taken for that', async (state) => {
  const response = await callers.send('anon', 'POST', '/rpc/refuse', JSON.stringify({ state }));
  expect(response.headers.get('retry-after')).toBe(state === '57P03' ? null : '0');
  expect(await read(response)).toMatchObject({ status: state === '57P03' ? 500 : 503, body: { code: state } });
});

test('no answer lists names: the guesses of PostgreSQL are left out', async () => {
  const { status, body } = await read(await callers.send('service', 'GET', '/things?siz=eq.1'));
  expect({ status, body }).toMatchObject({ status: 400, body: { code: '42703', hint: null } });
  expect(await call('anon', 'who_call')).toMatchObject({ status: 404, body: { code: 'PGRST202', hint: null } });
});

test('an error repeats at most 8 kB of what the caller sent', async () => {
  for (const args of [{ state: 'x'.repeat(30_000) }, { ['x'.repeat(30_000)]: 1 }]) {
    const { body } = await call('anon', 'refuse', args);
    expect(String(field(body, 'message')).length).toBeLessThan(8_200);
    expect(JSON.stringify(body).length).toBeLessThan(17_000);
  }
});

test('the log has failures of the database, and no errors that callers cause', async () => {
  await call('anon', 'refuse', { state: 'XX000' });
  await call('anon', 'refuse', { state: 'WF001' });
  await call('anon', 'refuse', { state: '42501' });
  await callers.send('anon', 'GET', '/nowhere');
  expect(log.mock.calls).toEqual([['XX000: the message\n']]);
});

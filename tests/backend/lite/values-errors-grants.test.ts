// What REST says: bytes, times, errors; and what the database allows behind it.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../../backend/engine.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';

const FIXTURE = `
  create table public.things (id int primary key, bytes bytea, made timestamptz, plain timestamp, size int check (size > 0));
  alter table public.things enable row level security;
  create policy all_of_it on public.things to anon, authenticated using (true) with check (true);
  insert into public.things values (1, '\\x00ff10', '2026-11-21 00:09:07.006+00', '2026-11-21 00:09:07', 1);
  create table public.secrets (word text);
  alter table public.secrets enable row level security;
  create policy all_of_it on public.secrets to anon, authenticated using (true) with check (true);
  revoke all on public.secrets from anon, authenticated;
  create function public.refuse(state text) returns void language plpgsql as $$
  begin
    raise exception using errcode = state, message = 'the message', detail = 'the detail', hint = 'the hint';
  end $$;
  create function public.plain_of("time" timestamptz) returns timestamptz language sql as $$ select "time" $$;
  create function public.first_of("limit" int, "user" text) returns text language sql as $$ select "user" || "limit" $$;
  create function public.claims() returns jsonb language sql stable as $$
    select jsonb_build_object('uid', auth.uid(), 'role', auth.role(), 'email', auth.email(), 'name', auth.jwt() ->> 'name')
  $$;
`;

let backend: TestBackend;
beforeAll(async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
  backend = await startTestBackend();
  await backend.pg.exec(FIXTURE);
  await backend.server.database.connection.clearSchemaCache();
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});

describe('bytea', () => {
  test('comes in and goes out as hex, also through a filter', async () => {
    const client = backend.anonClient();
    expect((await client.from('things').insert({ id: 2, bytes: '\\xabcd' })).error).toBeNull();
    expect((await client.from('things').select('bytes').order('id')).data).toEqual([
      { bytes: '\\x00ff10' },
      { bytes: '\\xabcd' },
    ]);
    expect((await client.from('things').select('id').eq('bytes', '\\xabcd')).data).toEqual([{ id: 2 }]);
  });

  test('is written from bytes by our own queries', async () => {
    await backend.pg.query('insert into public.things (id, bytes) values (3, $1)', [new Uint8Array([1, 2, 255])]);
    const { rows } = await backend.pg.query('select bytes from public.things where id = 3');
    expect(rows).toEqual([{ bytes: '\\x0102ff' }]);
  });
});

describe('arguments named like keywords', () => {
  test('can be passed, values that look like names included', async () => {
    const user = "(limit := 1, 'x";
    expect((await backend.anonClient().rpc('first_of', { limit: 3, user })).data).toBe(`${user}3`);
  });
});

describe('texts and times', () => {
  const first = (user: unknown) => backend.anonClient().rpc('first_of', { limit: 7, user });

  test.each([true, 5, ['a', null], { a: { b: 1 } }])('take %j for its JSON instead of failing', async (value) => {
    expect(await first(value)).toMatchObject({ status: 200, data: `${JSON.stringify(value)}7` });
  });

  test('refuse what is no time as the caller’s mistake', async () => {
    const { status } = await backend.anonClient().rpc('plain_of', { time: [true] });
    expect(status).toBe(400);
    const good = await backend.anonClient().rpc('plain_of', { time: '2026-11-21T00:00:00Z' });
    expect(good.data).toBe('2026-11-21T00:00:00+00:00');
  });
});

describe('times', () => {
  test('are ISO 8601', async () => {
    const { data } = await backend.anonClient().from('things').select('made, plain').eq('id', 1);
    expect(data).toEqual([{ made: '2026-11-21T00:09:07.006+00:00', plain: '2026-11-21T00:09:07' }]);
  });
});

/** PostgREST's statuses, for an anonymous caller. */
const STATUSES: readonly (readonly [state: string, status: number])[] = [
  ['WF001', 400],
  ['WF002', 400],
  ['P0001', 400],
  ['23502', 400],
  ['23503', 409],
  ['23505', 409],
  ['23514', 400],
  ['22023', 400],
  ['25006', 405],
  ['28000', 403],
  ['40001', 500],
  ['42501', 401],
  ['42883', 404],
  ['53300', 503],
  ['53400', 500],
  ['54000', 413],
  ['57014', 500],
  ['P0002', 500],
  ['PT418', 418],
  ['XX000', 500],
];
describe('a refusal raised in SQL', () => {
  test.each(STATUSES)('%s arrives whole with status %i', async (state, status) => {
    const answer = await backend.anonClient().rpc('refuse', { state });
    expect(answer.status).toBe(status);
    expect(answer.error).toMatchObject({
      code: state,
      message: 'the message',
      details: 'the detail',
      hint: 'the hint',
    });
  });

  test('42501 is 403 for somebody who is signed in', async () => {
    const { client } = await backend.guest();
    expect((await client.rpc('refuse', { state: '42501' })).status).toBe(403);
  });

  test('a violated check names itself', async () => {
    const { status, error } = await backend.anonClient().from('things').insert({ id: 9, size: 0 });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: '23514', message: expect.stringContaining('things_size_check') });
  });
});

describe('a revoked right', () => {
  test('stays revoked', async () => {
    const { status, error } = await backend.anonClient().from('secrets').select();
    expect({ status, code: error?.code }).toEqual({ status: 401, code: '42501' });
    const { client } = await backend.guest();
    expect((await client.from('secrets').select()).status).toBe(403);
    expect((await backend.serviceClient().from('secrets').select()).error).toBeNull();
  });
});

describe('auth.uid() and its sisters', () => {
  const setClaims = `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`;
  const claims = {
    sub: '01a1fc1e-6041-74c6-a190-2ab3c384e453',
    role: 'authenticated',
    email: 'a@example.com',
    name: 'A',
  };
  const readClaims = (pg: Pick<Engine, 'transaction'>) =>
    pg.transaction(async (tx) => {
      await tx.query(setClaims, [JSON.stringify(claims)]);
      return (await tx.query<{ claims: unknown }>('select public.claims()')).rows[0]?.claims;
    });

  test('read request.jwt.claims as on a hosted project', async () => {
    expect(await readClaims(backend.pg)).toEqual({
      uid: claims.sub,
      role: 'authenticated',
      email: 'a@example.com',
      name: 'A',
    });
  });

  test('know who calls through REST', async () => {
    const { client, id } = await backend.signUp('claims@example.com');
    expect((await client.rpc('claims')).data).toMatchObject({
      uid: id,
      role: 'authenticated',
      email: 'claims@example.com',
    });
    expect((await backend.anonClient().rpc('claims')).data).toMatchObject({ uid: null, role: 'anon', email: null });
  });
});

describe('what a hosted project has before the first migration', () => {
  test('pgcrypto stands in the schema extensions', async () => {
    const { rows } = await backend.pg.query(
      `select encode(extensions.digest('a', 'sha256'), 'hex') as hash, length(extensions.gen_random_bytes(16)) as random`,
    );
    expect(rows).toEqual([{ hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', random: 16 }]);
  });

  test('new objects in public belong to the API roles until a migration says otherwise', async () => {
    const { rows } = await backend.pg.query(`
      select role, has_table_privilege(role, 'public.things', 'insert') as inserts,
        has_function_privilege(role, 'public.claims()', 'execute') as calls
      from unnest(array['anon', 'authenticated', 'service_role']) as role
    `);
    expect(rows).toEqual(
      ['anon', 'authenticated', 'service_role'].map((role) => ({ role, inserts: true, calls: true })),
    );
  });

  test('only service_role passes row level security', async () => {
    const { rows } = await backend.pg.query(
      `select rolname, rolbypassrls, rolcanlogin, rolsuper from pg_roles where rolname in ('anon', 'authenticated', 'service_role') order by 1`,
    );
    expect(rows).toEqual([
      { rolname: 'anon', rolbypassrls: false, rolcanlogin: false, rolsuper: false },
      { rolname: 'authenticated', rolbypassrls: false, rolcanlogin: false, rolsuper: false },
      { rolname: 'service_role', rolbypassrls: true, rolcanlogin: false, rolsuper: false },
    ]);
  });
});

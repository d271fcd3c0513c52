// Encoding values for PostgreSQL and decoding its values, errors, transactions and notifications.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExactNumber } from '../../../backend/engine/exact-number.ts';
import { RowDecoder, encodeValue, parseArray } from '../../../backend/engine/values.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

const ask = async (sql: string, params?: unknown[]) =>
  (await backend.pg.query<{ value: unknown }>(`select ${sql} as value`, params)).rows[0]?.value;

describe('values from the database', () => {
  test.each<[string, unknown]>([
    ['true', true],
    ['3::int2', 3],
    ['9007199254740991::int8', 9007199254740991],
    ['9007199254740993::int8', new ExactNumber('9007199254740993')],
    ['-9007199254740993::int8', new ExactNumber('-9007199254740993')],
    ['1.5::numeric', 1.5],
    ['1.50::numeric', 1.5],
    ['-120.00::numeric', -120],
    ['1200::numeric', 1200],
    ['0.00::numeric', 0],
    ['0.10000000000000000001::numeric', new ExactNumber('0.10000000000000000001')],
    [`'NaN'::numeric`, 'NaN'],
    [`'-Infinity'::float8`, '-Infinity'],
    ['0.5::float8', 0.5],
    [`'x'::text`, 'x'],
    [`''::text`, ''],
    ['null::text', null],
    [`'\\x00ff'::bytea`, '\\x00ff'],
    [`'{"a":[1,null]}'::jsonb`, { a: [1, null] }],
    [`'null'::jsonb`, null],
    [
      `'{"a":[9007199254740993,1.5],"b":"1234567890123456"}'::json`,
      { a: [new ExactNumber('9007199254740993'), 1.5], b: '1234567890123456' },
    ],
    [`'2026-11-21 00:09:07.006+00'::timestamptz`, '2026-11-21T00:09:07.006+00:00'],
    [`'2026-11-21 00:09:07'::timestamp`, '2026-11-21T00:09:07'],
    [`'infinity'::timestamptz`, 'infinity'],
    [`'2026-11-21'::date`, '2026-11-21'],
    [`'{1,null,3}'::int[]`, [1, null, 3]],
    [`'{}'::text[]`, []],
    [`array['a,b', 'c"d', 'e\\f', 'NULL', '', null]`, ['a,b', 'c"d', 'e\\f', 'NULL', '', null]],
    [
      `'{{1,2},{3,4}}'::int[]`,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [`array['{"a":1}'::jsonb]`, [{ a: 1 }]],
    [`'[0:1]={5,6}'::int[]`, [5, 6]],
  ])('%s', async (sql, value) => {
    expect(await ask(sql)).toEqual(value);
  });
});

describe('parameters', () => {
  test.each<[string, unknown, unknown]>([
    ['$1::int', 5, 5],
    ['$1::int8', 9007199254740993n, new ExactNumber('9007199254740993')],
    ['$1::bool', false, false],
    ['$1::text', null, null],
    ['$1::text', undefined, null],
    ['$1::bytea', Uint8Array.of(0, 255), '\\x00ff'],
    ['$1::bytea', Buffer.from('abc').subarray(1), '\\x6263'],
    ['$1::bytea', '\\x01', '\\x01'],
    ['$1::jsonb', { a: [1] }, { a: [1] }],
    ['$1::jsonb', [1, 'x', null], [1, 'x', null]],
    ['$1::jsonb', '"x"', 'x'],
    ['$1::text', [1, 'x'], '[1,"x"]'],
    ['$1::int[]', [1, null, 3], [1, null, 3]],
    ['$1::text[]', ['a,b', 'c"d', '\\', '', null], ['a,b', 'c"d', '\\', '', null]],
    [
      '$1::int[]',
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['$1::timestamptz', new Date(0), '1970-01-01T00:00:00+00:00'],
    ['$1::text', 'ünïcödé 🧵', 'ünïcödé 🧵'],
  ])('%s', async (sql, given, value) => {
    expect(await ask(sql, [given])).toEqual(value);
  });

  test('most values are encoded alike for every type', () => {
    expect([true, 1, 'x', null, Uint8Array.of(1)].map((value) => encodeValue(value))).toEqual([
      'true',
      '1',
      'x',
      null,
      '\\x01',
    ]);
  });
});

test('two columns with the same name become one, as in every driver', () => {
  const columns = [
    { name: 'a', type: 23 },
    { name: 'a', type: 25 },
  ];
  expect(new RowDecoder().rows(columns, [['1', 'x']])).toEqual([{ a: 'x' }]);
});

test('an array of strings is parsed with quotes, escapes and NULL', () => {
  expect(parseArray('{a,"b c",NULL,"\\"q\\""}', (text) => text)).toEqual(['a', 'b c', null, '"q"']);
});

describe('errors', () => {
  test('have the fields of PostgreSQL’s message', async () => {
    const raising = backend.pg.query(
      `do $$ begin raise exception using errcode = 'WF001', message = 'm', detail = 'd', hint = 'h'; end $$`,
    );
    await expect(raising).rejects.toMatchObject({ name: 'Error', code: 'WF001', message: 'm', detail: 'd', hint: 'h' });
    await backend.pg.exec('create table public.one (n int constraint positive check (n > 0))');
    const violating = backend.pg.query('insert into public.one values (-1)');
    await expect(violating).rejects.toMatchObject({
      code: '23514',
      constraint: 'positive',
      table: 'one',
      severity: 'ERROR',
    });
  });

  test('leave the connection usable, also if a parameter cannot be encoded', async () => {
    await expect(backend.pg.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await expect(backend.pg.query('selec 1')).rejects.toMatchObject({ code: '42601' });
    await expect(backend.pg.query('select $1::jsonb', [() => {}])).rejects.toThrow();
    expect(await ask('1')).toBe(1);
  });
});

describe('transactions', () => {
  test('are isolated from other queries', async () => {
    await backend.pg.exec('create table public.steps (n int)');
    const first = backend.pg.transaction(async (tx) => {
      await tx.query('insert into public.steps values (1)');
      await new Promise((resolve) => setTimeout(resolve, 30));
      await tx.query('insert into public.steps values (2)');
      throw new Error('no');
    });
    const second = backend.pg.query('select count(*) as value from public.steps');
    await expect(first).rejects.toThrow('no');
    expect((await second).rows).toEqual([{ value: 0 }]);
  });

  test('roll back on request, and refuse later statements', async () => {
    const value = await backend.pg.transaction(async (tx) => {
      await tx.query('create table public.never (n int)');
      await tx.rollback();
      await expect(tx.query('select 1')).rejects.toThrow();
      return 7;
    });
    expect(value).toBe(7);
    expect(await ask(`to_regclass('public.never')::text`)).toBeNull();
  });

  test('queryAs leaves neither role nor settings behind', async () => {
    const { rows } = await backend.pg.queryAs<{ who: string; sub: string }>(
      { role: 'anon', 'request.jwt.claims': '{"sub":"s"}' },
      `select current_user::text as who, current_setting('request.jwt.claims')::json ->> 'sub' as sub`,
    );
    expect(rows).toEqual([{ who: 'anon', sub: 's' }]);
    expect(await ask('current_user::text')).not.toBe('anon');
    expect(await ask(`coalesce(current_setting('request.jwt.claims', true), '')`)).toBe('');
    await expect(backend.pg.queryAs({ role: 'anon' }, 'select * from auth.users')).rejects.toMatchObject({
      code: '42501',
    });
    expect(await ask('current_user::text')).not.toBe('anon');
  });
});

test('notifications come after the commit, in order, and not after a rollback', async () => {
  const received: string[] = [];
  const unlisten = await backend.pg.listen('Two Words', (payload) => received.push(payload));
  const notify = (text: string) => `select pg_notify('Two Words', '${text}')`;
  await backend.pg.query(notify('one'));
  await backend.pg.transaction(async (tx) => {
    await tx.query(notify('never'));
    await tx.rollback();
  });
  await backend.pg.transaction(async (tx) => {
    await tx.query(notify('two'));
    await tx.query(notify('three'));
  });
  await expect.poll(() => received).toEqual(['one', 'two', 'three']);
  await unlisten();
  await backend.pg.query(notify('four'));
  expect(received).toHaveLength(3);
});

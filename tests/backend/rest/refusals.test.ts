// What REST says to requests that cannot be answered: PostgREST's statuses and bodies, and never a 500 for the caller's mistake.
import { afterAll, afterEach, assert, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';

let backend: TestBackend;
const printed = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
beforeAll(async () => {
  backend = await startTestBackend();
  await backend.pg.exec(`
    create table public.things (id int primary key, name text, at timestamptz, flag boolean, list int[], mark uuid, data jsonb);
    insert into public.things values (1, 'a', '2026-11-21 00:09:07+00', true, '{1,2}', null, '{"x": 1}');
    create table public.parts (id int primary key, thing int references public.things);
    create function public.echo(a text) returns text language sql as $$ select a $$;
  `);
  await backend.server.database.connection.clearSchemaCache();
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});

// Nor a line in the operator's log for it.
afterEach(() => assert.deepEqual(printed.mock.calls, []));

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: { apikey: backend.server.serviceRoleKey, 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    range: response.headers.get('content-range'),
    body: text === '' ? null : JSON.parse(text),
  };
}

const refusalOf = async (...call: Parameters<typeof ask>) => {
  const { status, body } = await ask(...call);
  expect(Object.keys(body)).toEqual(['code', 'details', 'hint', 'message']);
  return `${status} ${body.code}`;
};

describe('a path', () => {
  test.each(['%zz', '%', '%c0%ae'])('%s names no table', async (path) => {
    expect(await refusalOf('GET', path)).toBe('404 PGRST205');
  });

  test('that is unreadable names itself, in a function’s place too', async () => {
    expect((await ask('GET', '%zz')).body.message).toBe(`Could not find the table 'public.%zz' in the schema cache`);
    expect(await refusalOf('POST', 'rpc/%zz', {})).toBe('404 PGRST202');
  });

  test.each([
    ['GET', 'nowhere'],
    ['HEAD', 'nowhere'],
    ['POST', 'nowhere'],
    ['PATCH', 'nowhere?id=eq.1'],
    ['PUT', 'nowhere?id=eq.1'],
    ['DELETE', 'nowhere?id=eq.1'],
    ['GET', 'nowhere?select=id,things(*)'],
  ])('%s of a table that is not there says so', async (method, path) => {
    const { status, body } = await ask(method, path, method.startsWith('P') ? { id: 1 } : undefined);
    expect(status).toBe(404);
    if (method === 'HEAD') return;
    expect(body).toEqual({
      code: 'PGRST205',
      details: null,
      hint: null,
      message: `Could not find the table 'public.nowhere' in the schema cache`,
    });
  });

  test('that is nearly a table’s name is told which', async () => {
    expect((await ask('GET', 'thing')).body).toMatchObject({
      code: 'PGRST205',
      hint: `Perhaps you meant the table 'public.things'`,
    });
  });

  test('with another schema, or deeper than tables are, is refused', async () => {
    expect(await refusalOf('GET', 'things', undefined, { 'accept-profile': 'auth' })).toBe('406 PGRST106');
    expect(await refusalOf('GET', 'things/1')).toBe('404 PGRST125');
  });
});

describe('a body', () => {
  test.each([
    ['{', '400 PGRST102'],
    ['', '400 PGRST102'],
    [[1], '400 PGRST102'],
    [{ nope: 1 }, '400 PGRST204'],
    [{ id: 'x' }, '400 22P02'],
    [{ id: 1.5 }, '400 22P02'],
    [{ id: {} }, '400 22P02'],
    [{ id: 2, name: 'a\u0000b' }, '400 22P05'],
    [{ id: 2, data: { a: 'x\u0000y' } }, '400 22P05'],
    [{ id: 2, at: 'nonsense' }, '400 22007'],
    [{ id: 2, list: 'x' }, '400 22P02'],
    [{ id: 1 }, '409 23505'],
  ] as const)('%j is refused with %s', async (body, expected) => {
    expect(await refusalOf('POST', 'things', body)).toBe(expected);
  });

  test('with a zero character is refused in calls of functions, plain or not', async () => {
    expect(await refusalOf('POST', 'rpc/echo', { a: 'a\u0000b' })).toBe('400 22P05');
    expect(await refusalOf('POST', 'rpc/echo?select=echo', { a: 'a\u0000b' })).toBe('400 22021');
  });

  test('that names a row which is not there is a conflict, with all that the database says', async () => {
    expect(await ask('POST', 'parts', { id: 1, thing: 99 })).toMatchObject({
      status: 409,
      body: { code: '23503', details: 'Key (thing)=(99) is not present in table "things".' },
    });
  });
});

describe('a filter', () => {
  test.each([
    ['id=eq.x', '400 22P02'],
    ['id=1', '400 PGRST100'],
    ['nope=eq.1', '400 42703'],
    ['name=eq.%00', '400 22021'],
    ['select=nope(*)', '400 PGRST200'],
    ['select=id(', '400 PGRST100'],
    ['order=id.sideways', '400 PGRST100'],
    ['or=(id.eq.1', '400 PGRST100'],
    ['limit=-1', '416 PGRST103'],
  ])('%s is refused with %s', async (query, expected) => {
    expect(await refusalOf('GET', `things?${query}`)).toBe(expected);
  });
});

describe('rows', () => {
  test('are counted, also without being sent, and beyond the last there are none', async () => {
    const counting = { prefer: 'count=exact' };
    expect(await ask('GET', 'things?select=id', undefined, { ...counting, range: '0-0' })).toEqual({
      status: 200,
      range: '0-0/1',
      body: [{ id: 1 }],
    });
    expect(await ask('HEAD', 'things', undefined, counting)).toEqual({ status: 200, range: '0-0/1', body: null });
    expect(await ask('GET', 'things?offset=9', undefined, counting)).toMatchObject({
      status: 416,
      range: '*/1',
      body: { code: 'PGRST103' },
    });
  });

  test('are one when one is asked for', async () => {
    const one = { accept: 'application/vnd.pgrst.object+json' };
    expect(await ask('GET', 'things?select=id', undefined, one)).toMatchObject({ status: 200, body: { id: 1 } });
    expect(await refusalOf('GET', 'things?id=eq.99', undefined, one)).toBe('406 PGRST116');
  });

  test('come in known media types only', async () => {
    expect(await refusalOf('GET', 'things', undefined, { accept: 'application/xml' })).toBe('406 PGRST107');
    expect(await refusalOf('POST', 'things', 'x', { 'content-type': 'application/octet-stream' })).toBe('400 PGRST102');
  });
});

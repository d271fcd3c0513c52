// Requests that PostgREST supports and this backend does not: they get 501 with a sentence and change nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { RestCallers } from './rest-callers.ts';

let backend: TestBackend;
let callers: RestCallers;
beforeAll(async () => {
  backend = await startTestBackend();
  await backend.pg.exec(`
    create table public.things (id int primary key, name text, data jsonb);
    insert into public.things values (1, 'one', '{"a": 1}'), (2, 'two', null);
    create function public.add_up(a int, b int default 2) returns int language sql as $$ select a + b $$;
    create function public.twin(a int) returns text language sql as $$ select 'int' $$;
    create function public.twin(a text) returns text language sql as $$ select 'text' $$;
    create function public.whole_body(json) returns json language sql as $$ select $1 $$;
    create function public.sum_of(variadic a int[]) returns int language sql as $$ select cardinality(a) $$;
    create function public.undeclared() returns record language sql as $$ select 1, 'x' $$;
  `);
  backend.server.database.reloadSchema();
  callers = await RestCallers.of(backend);
});
afterAll(() => backend.close());

type Headers = Record<string, string>;
const ONE_OBJECT = { accept: 'application/vnd.pgrst.object+json' };

const rowsOf = async () => (await backend.pg.query('select * from public.things order by id')).rows;

async function outcomeOf(method: string, path: string, body: string | null = null, headers: Headers = {}) {
  const before = await rowsOf();
  const response = await callers.send('service', method, path, body, headers);
  const text = await response.text();
  const changesRows = JSON.stringify(await rowsOf()) !== JSON.stringify(before);
  return { status: response.status, error: text === '' ? null : JSON.parse(text), changesRows };
}

const SENTENCE = { code: 'not_implemented', message: expect.stringMatching(/^[A-Z].* supported.*\.$/) };
const REFUSED = { status: 501, error: { ...SENTENCE, details: null, hint: null }, changesRows: false };

describe('an unsupported read', () => {
  test.each([
    '?id=gt.1',
    '?id=neq.1',
    '?id=is.null',
    '?id=not.eq.1',
    '?id=not.in.(1,2)',
    '?name=ilike.O*',
    '?name=like(any).{o*,t*}',
    '?id=1',
    '?id=in.1,2',
    '?id=in.("1"2)',
    '?name=eq.%00',
    '?or=(id.eq.1,id.eq.2)',
    '?and=(id.eq.1)',
    '?not.or=(id.eq.1)',
    '?data->a=eq.1',
    '?id=eq.1;id=eq.2',
    '?select=id::text',
    '?select=count()',
    '?select=data->a',
    '?select=id,parts(*)',
    '?select=id,,name',
    '?select=',
    '?order=id.nullsfirst',
    '?order=id.sideways',
    '?order=',
    '?order=data->a',
    '?limit=-1',
    '?limit=0',
    '?limit=x',
    '?offset=-1',
    '?limit=1&limit=2',
    '?columns=id',
    `?select=${'a('.repeat(3_000)}`,
    `?select=${'id,'.repeat(100)}id`,
    `?order=${'id,'.repeat(100)}id`,
    `?${'id=eq.1&'.repeat(100)}id=eq.1`,
  ])('with %s', async (query) => {
    expect(await outcomeOf('GET', `/things${query}`)).toEqual(REFUSED);
  });

  test.each<[string, Headers]>([
    ['one object', ONE_OBJECT],
    ['CSV', { accept: 'text/csv' }],
    ['a plan', { accept: 'application/vnd.pgrst.plan+json' }],
    ['a range', { range: '0-0', 'range-unit': 'items' }],
    ['an estimated count', { prefer: 'count=estimated' }],
    ['strict handling', { prefer: 'handling=strict' }],
  ])('that asks for %s', async (_, headers) => {
    expect(await outcomeOf('GET', '/things', null, headers)).toEqual(REFUSED);
  });

  test('that counts beyond an offset', async () => {
    expect(await outcomeOf('GET', '/things?offset=1', null, { prefer: 'count=exact' })).toEqual(REFUSED);
  });
});

describe('an unsupported write', () => {
  test.each<[string, string, string, string | null, Headers]>([
    ['several rows', 'POST', '/things', '[{"id":3},{"id":4}]', {}],
    ['no columns', 'POST', '/things', '{}', {}],
    ['a list of columns', 'POST', '/things?columns=id', '{"id":3}', {}],
    ['a CSV body', 'POST', '/things', 'id\n3', { 'content-type': 'text/csv' }],
    ['an upsert', 'POST', '/things', '{"id":1,"name":"x"}', { prefer: 'resolution=merge-duplicates' }],
    ['the row as the answer', 'POST', '/things', '{"id":3}', { prefer: 'return=representation' }],
    ['PUT', 'PUT', '/things?id=eq.1', '{"id":1,"name":"x"}', {}],
    ['an update of all rows', 'PATCH', '/things', '{"name":"x"}', {}],
    ['an update with a limit', 'PATCH', '/things?limit=1&id=eq.1', '{"name":"x"}', {}],
    [
      'an update whose answer is the row',
      'PATCH',
      '/things?id=eq.1',
      '{"name":"x"}',
      { prefer: 'return=representation' },
    ],
    [
      'an update that asks for one object',
      'PATCH',
      '/things?id=in.(1,2)',
      '{"name":"x"}',
      { ...ONE_OBJECT, prefer: 'return=representation' },
    ],
    [
      'an update that asks for one object, without its rows',
      'PATCH',
      '/things?id=in.(1,2)',
      '{"name":"x"}',
      ONE_OBJECT,
    ],
    ['a delete of all rows', 'DELETE', '/things', null, {}],
    ['a delete that rolls back', 'DELETE', '/things?id=eq.1', null, { prefer: 'tx=rollback' }],
  ])('with %s', async (_, method, path, body, headers) => {
    expect(await outcomeOf(method, path, body, headers)).toEqual(REFUSED);
  });
});

describe('an unsupported call of a function', () => {
  test.each<[string, string, string, string | null, Headers]>([
    ['by GET', 'GET', '/rpc/add_up?a=1', null, {}],
    ['with a query', 'POST', '/rpc/add_up?select=x', '{"a":1}', {}],
    ['with a preference', 'POST', '/rpc/add_up', '{"a":1}', { prefer: 'count=exact' }],
    ['that asks for one object', 'POST', '/rpc/add_up', '{"a":1}', ONE_OBJECT],
    ['with a list', 'POST', '/rpc/add_up', '[{"a":1}]', {}],
    ['with a number', 'POST', '/rpc/add_up', '5', {}],
    ['with a form', 'POST', '/rpc/add_up', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with two matching functions', 'POST', '/rpc/twin', '{"a":1}', {}],
    ['that takes the whole body', 'POST', '/rpc/whole_body', '{"q":1}', {}],
    ['that is variadic', 'POST', '/rpc/sum_of', '{"a":[1,2]}', {}],
    ['that returns undeclared columns', 'POST', '/rpc/undeclared', '{}', {}],
  ])('%s', async (_, method, path, body, headers) => {
    expect(await outcomeOf(method, path, body, headers)).toEqual(REFUSED);
  });
});

test.each(['', 'things/1', 'rpc/', 'rpc/add_up/1'])('the unsupported path /rest/v1/%s', async (path) => {
  expect(await outcomeOf('GET', `/${path}`)).toEqual(REFUSED);
});

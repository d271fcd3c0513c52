// `postgres_changes`: which clients receive a change of a table, with filters, columns and row level security.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
/** Unique to this file and this run, like the room. */
const NOTES = `notes_${room.slice(-8)}`;
const LINES = `lines_${room.slice(-8)}`;
const AN_ID: unknown = expect.any(Number);
const A_TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const COLUMNS = [
  { name: 'id', type: 'int8' },
  { name: 'owner', type: 'text' },
  { name: 'body', type: 'text' },
  { name: 'tags', type: '_text' },
  { name: 'done', type: 'bool' },
];

type Change = { readonly data: Readonly<Record<string, unknown>>; readonly ids: readonly number[] };

beforeAll(async () => {
  if (!HAS_DATABASE) return;
  await target.exec(`
    create table public.${NOTES} (id bigint primary key, owner text, body text, tags text[], done boolean, secret text);
    alter table public.${NOTES} enable row level security;
    revoke all on public.${NOTES} from anon, authenticated;
    grant select (id, owner, body, tags, done) on public.${NOTES} to anon, authenticated;
    create policy own on public.${NOTES} for select to authenticated
      using (owner = current_setting('request.jwt.claims', true)::jsonb ->> 'sub');
    create table public.${LINES} (id bigint primary key, n integer, text text);
    alter table public.${LINES} replica identity full;
    grant select on public.${LINES} to anon, authenticated;
    alter publication supabase_realtime add table public.${NOTES}, public.${LINES};
  `);
});
afterAll(async () => {
  if (HAS_DATABASE) await target.exec(`drop table public.${NOTES}, public.${LINES}`);
});
beforeEach(async () => {
  if (!HAS_DATABASE) return;
  await target.exec(`delete from public.${NOTES}; delete from public.${LINES}`);
  await target.settleChanges();
});

const on = (table: string, more: object = {}) => ({ event: '*', schema: 'public', table, ...more });

/** Joins and returns the client and the reply. The system message that follows stays unread. */
async function join(who: string | null, ...postgres_changes: readonly object[]) {
  const client = await target.connect();
  const token = who === null ? undefined : await target.tokenOf(who);
  const reply = await client.join(topic, { private: false, postgres_changes }, token);
  return { client, reply };
}

const isSystem = (frame: unknown): frame is [unknown, unknown, string, 'system', Record<string, unknown>] =>
  Array.isArray(frame) && frame[3] === 'system';

/** Joins and resolves when changes are captured. */
async function subscribe(who: string | null, ...changes: readonly object[]): Promise<RawClient> {
  const { client } = await join(who, ...changes);
  expect(await client.next()).toEqual(system('ok', 'Subscribed to PostgreSQL'));
  return client;
}
const system = (status: 'ok' | 'error', message: unknown) => [
  '1',
  null,
  topic,
  'system',
  { message, status, extension: 'postgres_changes', channel: room },
];

async function nextChange(client: RawClient): Promise<Change> {
  const frame = await client.next();
  expect(frame).toEqual([null, null, topic, 'postgres_changes', { data: expect.anything(), ids: expect.anything() }]);
  return (frame as [unknown, unknown, unknown, unknown, Change])[4];
}

/**
 * The ids of the inserted rows in the order of arrival, up to a last row that everybody sees. On a busy machine a
 * deletion from before the subscription can still arrive, since filters let deletions through.
 */
async function insertedIds(client: RawClient, last: number): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { data } = await nextChange(client);
    if (data['type'] === 'DELETE') continue;
    const { id } = data['record'] as { id: number };
    if (id === last) return ids;
    ids.push(id);
  }
}

describe.runIf(HAS_DATABASE)('a subscription', () => {
  test('gets its own id in the reply, the same for the same parameters', async () => {
    const [first, again] = [await join(null, on(LINES), on(LINES, { event: 'INSERT' })), await join(null, on(LINES))];
    expect(first.reply).toEqual({
      status: 'ok',
      response: {
        postgres_changes: [
          { ...on(LINES), id: AN_ID },
          { ...on(LINES, { event: 'INSERT' }), id: AN_ID },
        ],
      },
    });
    const [one, other] = (first.reply as { response: { postgres_changes: { id: number }[] } }).response
      .postgres_changes;
    expect(one?.id).not.toBe(other?.id);
    expect(again.reply).toMatchObject({ response: { postgres_changes: [{ id: one?.id }] } });
  });

  test('delivers inserts, updates and deletes', async () => {
    const client = await subscribe('alice', on(NOTES));
    const common = { schema: 'public', table: NOTES, commit_timestamp: A_TIME, columns: COLUMNS, errors: null };
    const record = { id: 1, owner: 'alice', body: 'a', tags: ['x', 'y'], done: null };
    await target.exec(`insert into public.${NOTES} values (1, 'alice', 'a', '{x,y}', null, 'hidden')`);
    expect((await nextChange(client)).data).toEqual({ ...common, type: 'INSERT', record });
    await target.exec(`update public.${NOTES} set body = 'b'`);
    expect((await nextChange(client)).data).toEqual({
      ...common,
      type: 'UPDATE',
      record: { ...record, body: 'b' },
      old_record: { id: 1 },
    });
    await target.exec(`delete from public.${NOTES}`);
    expect((await nextChange(client)).data).toEqual({ ...common, type: 'DELETE', old_record: { id: 1 } });
  });

  test('to a table with replica identity full delivers the complete old row', async () => {
    const client = await subscribe(null, on(LINES));
    await target.exec(`insert into public.${LINES} values (1, 7, 'a')`);
    await nextChange(client);
    await target.exec(`update public.${LINES} set text = 'b'`);
    expect((await nextChange(client)).data['old_record']).toEqual({ id: 1, n: 7, text: 'a' });
    await target.exec(`delete from public.${LINES}`);
    expect((await nextChange(client)).data).toMatchObject({ type: 'DELETE', old_record: { id: 1, n: 7, text: 'b' } });
  });

  test('delivers all ids that match a change, and no events that were not requested', async () => {
    const { client, reply } = await join(
      null,
      on(LINES),
      on(LINES, { event: 'UPDATE' }),
      on(LINES, { event: 'DELETE' }),
    );
    await client.next();
    const ids = (reply as { response: { postgres_changes: { id: number }[] } }).response.postgres_changes.map(
      ({ id }) => id,
    );
    await target.exec(`insert into public.${LINES} values (1, 1, 'a')`);
    expect((await nextChange(client)).ids).toEqual([ids[0]]);
    await target.exec(`update public.${LINES} set n = 2`);
    expect((await nextChange(client)).ids.toSorted()).toEqual([ids[0], ids[1]].toSorted());
    await target.exec(`delete from public.${LINES}`);
    expect((await nextChange(client)).ids.toSorted()).toEqual([ids[0], ids[2]].toSorted());
  });

  test('to a schema covers all its published tables', async () => {
    const client = await subscribe(null, { event: 'INSERT', schema: 'public' });
    await target.exec(`insert into public.${LINES} values (1, 1, 'a')`);
    expect((await nextChange(client)).data).toMatchObject({ table: LINES, record: { id: 1 } });
  });

  test('delivers committed changes in the order of the transaction, and nothing that is rolled back', async () => {
    const client = await subscribe(null, on(LINES));
    await target.exec(`
      do $$ begin
        begin
          insert into public.${LINES} values (1, 1, 'undone');
          raise exception 'undone';
        exception when others then null;
        end;
        insert into public.${LINES} select n, n, 'kept' from generate_series(2, 6) n;
      end $$
    `);
    expect(await insertedIds(client, 6)).toEqual([2, 3, 4, 5]);
  });

  test('works in protocol 1.0.0', async () => {
    const client = await target.connect(undefined, '1.0.0');
    const payload = { config: { private: false, postgres_changes: [on(LINES)] } };
    client.send({ topic, event: 'phx_join', payload, ref: '1', join_ref: '1' });
    await client.next();
    expect(await client.next()).toMatchObject({ event: 'system', payload: { message: 'Subscribed to PostgreSQL' } });
    await target.exec(`insert into public.${LINES} values (1, 1, 'a')`);
    expect(await client.next()).toMatchObject({
      topic,
      event: 'postgres_changes',
      payload: { ids: [AN_ID], data: { type: 'INSERT', record: { id: 1, n: 1, text: 'a' } } },
    });
  });

  test('ends with the channel', async () => {
    const [client, other] = [await subscribe(null, on(LINES)), await subscribe(null, on(LINES))];
    client.send(['1', '2', topic, 'phx_leave', {}]);
    await client.upTo('phx_close');
    await target.exec(`insert into public.${LINES} values (1, 1, 'a')`);
    await nextChange(other);
    expect(await client.rest()).toEqual([]);
  });
});

describe.runIf(HAS_DATABASE)('row level security', () => {
  test('delivers a row only to clients that may see it', async () => {
    const [alice, bob] = [await subscribe('alice', on(NOTES), on(LINES)), await subscribe('bob', on(NOTES), on(LINES))];
    await target.exec(`
      insert into public.${NOTES} (id, owner) values (1, 'alice'), (2, 'bob'), (3, 'alice');
      insert into public.${LINES} values (9, 9, 'the last');
    `);
    expect(await insertedIds(alice, 9)).toEqual([1, 3]);
    expect(await insertedIds(bob, 9)).toEqual([2]);
  });

  test('cannot be checked for a deleted row: everybody gets its key, and nothing else', async () => {
    await target.exec(`
      alter table public.${NOTES} replica identity full;
      insert into public.${NOTES} (id, owner, body) values (1, 'alice', 'a');
    `);
    try {
      const anon = await subscribe(null, on(NOTES, { event: 'DELETE' }));
      await target.exec(`delete from public.${NOTES}`);
      const { data } = await nextChange(anon);
      expect(data['old_record']).toEqual({ id: 1 });
    } finally {
      await target.exec(`alter table public.${NOTES} replica identity default`);
    }
  });

  test('is checked with the claims of a new token', async () => {
    const client = await subscribe('alice', on(NOTES), on(LINES));
    client.send(['1', '2', topic, 'access_token', { access_token: await target.tokenOf('bob') }]);
    expect(await client.next()).toEqual(system('ok', 'Subscribed to PostgreSQL'));
    await target.exec(`
      insert into public.${NOTES} (id, owner) values (1, 'alice'), (2, 'bob');
      insert into public.${LINES} values (9, 9, 'the last');
    `);
    expect(await insertedIds(client, 9)).toEqual([2]);
  });
});

describe.runIf(HAS_DATABASE)('a filter', () => {
  const ROWS = `(1, 1, 'apple'), (2, 2, 'banana'), (3, 3, 'a, b'), (4, null, null)`;

  test.each([
    ['n=eq.2', [2]],
    ['n=neq.2', [1, 3]],
    ['n=lt.2', [1]],
    ['n=lte.2', [1, 2]],
    ['n=gt.2', [3]],
    ['n=gte.2', [2, 3]],
    ['n=in.(1,3,7)', [1, 3]],
    ['text=in.("a, b",banana)', [2, 3]],
    ['text=eq.apple', [1]],
  ])('%s', async (filter, expected) => {
    const client = await subscribe(null, on(LINES, { filter }), on(LINES, { filter: 'n=eq.99' }));
    await target.exec(`insert into public.${LINES} values ${ROWS}, (99, 99, 'the last')`);
    expect((await insertedIds(client, 99)).filter((id) => id < 99)).toEqual(expected);
  });

  /** Only newer versions of Supabase Realtime have these. */
  test.each([
    ['text=like.%an%', [2]],
    ['text=ilike.APP%', [1]],
    ['text=match.^[ab]', [1, 2, 3]],
    ['text=imatch.^B', [2]],
    ['n=is.null', [4]],
    ['n=not.is.null', [1, 2, 3]],
    ['n=isdistinct.1', [2, 3, 4]],
    ['n=not.eq.2', [1, 3]],
    ['n=gt.1,n=lt.3', [2]],
    ['n=gt.0,text=like.%a%', [1, 2, 3]],
  ])('%s', async (filter, expected) => {
    const client = await subscribe(null, on(LINES, { filter }), on(LINES, { filter: 'id=eq.99' }));
    await target.exec(`insert into public.${LINES} values ${ROWS}, (99, 0, 'zero')`);
    expect(await insertedIds(client, 99)).toEqual(expected);
  });

  test('on a deleted row sees its key, or the complete row with replica identity full', async () => {
    await target.exec(`
      insert into public.${NOTES} (id, owner) values (1, 'alice'), (2, 'bob');
      insert into public.${LINES} values ${ROWS};
    `);
    const client = await subscribe(
      'alice',
      on(NOTES, { event: 'DELETE', filter: 'owner=eq.alice' }),
      on(NOTES, { event: 'DELETE', filter: 'owner=is.null' }),
      on(LINES, { event: 'DELETE', filter: 'n=gte.3' }),
    );
    await target.exec(`delete from public.${NOTES}; delete from public.${LINES}`);
    expect((await nextChange(client)).data).toMatchObject({ table: LINES, old_record: { id: 3 } });
    expect(await client.rest()).toEqual([]);
  });
});

test.runIf(HAS_DATABASE)('select limits a change to the named columns and the key', async () => {
  const client = await subscribe('alice', on(NOTES, { select: ['body'] }));
  await target.exec(`insert into public.${NOTES} (id, owner, body) values (1, 'alice', 'a')`);
  const { data } = await nextChange(client);
  expect(data['record']).toEqual({ id: 1, body: 'a' });
  expect(data['columns']).toEqual([
    { name: 'id', type: 'int8' },
    { name: 'body', type: 'text' },
  ]);
});

describe.runIf(HAS_DATABASE)('the join succeeds, and a system message reports the error, with', () => {
  const unable = (why: string) => expect.stringMatching(new RegExp(`^Unable to subscribe to changes .*${why}`, 's'));
  test.each<[string, object, unknown]>([
    ['a table that is not published', on('no_such_table'), unable('table: no_such_table')],
    ['a column that does not exist', on(LINES, { filter: 'nope=eq.1' }), unable('invalid column for filter nope')],
    ['a column one may not read', on(NOTES, { filter: 'secret=eq.1' }), unable('invalid column for filter secret')],
    ['a value of another type', on(LINES, { filter: 'n=eq.x' }), unable('invalid input syntax for type integer: "x"')],
    [
      'an operator that does not exist',
      on(LINES, { filter: 'n=foo.hey' }),
      'Error parsing `filter` params: ["foo", "hey"]',
    ],
    [
      'a list without parentheses',
      on(LINES, { filter: 'n=in.1' }),
      'Error parsing `filter` params: `in` filter value must be wrapped by parentheses',
    ],
    [
      'neither schema nor table',
      { event: '*' },
      expect.stringMatching(
        /^No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: /,
      ),
    ],
  ])('%s', async (_, params, message) => {
    const { client, reply } = await join('alice', params);
    expect(reply).toMatchObject({ status: 'ok' });
    const frame = await client.next();
    expect(isSystem(frame)).toBe(true);
    expect(frame).toEqual(system('error', message));
  });
});

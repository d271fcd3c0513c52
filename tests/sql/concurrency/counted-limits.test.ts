// Calls at the same time do not get past a limit that is counted.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Queries, become } from '../../support/database/sql.ts';
import { inviteArgs } from '../fixture/invite.ts';
import { useConnections } from './connections.ts';

const connections = useConnections(8);

/** Each number of 0 … count - 1, over the connections of the pool. */
async function atOnce(count: number, run: (connection: number, at: number) => Promise<unknown>): Promise<void> {
  const { pool } = connections();
  await Promise.all(Array.from({ length: count }, (_, at) => run(at % pool.length, at)));
}

async function countOf(text: string, params: readonly unknown[]): Promise<number> {
  const [row] = await connections().control.rows<{ count: string }>(text, [...params]);
  return Number(row?.count);
}

test('60 requests for access at once store 20', async () => {
  const { pool, fixture } = connections();
  const { stranger } = fixture.people;
  await atOnce(
    60,
    (on) =>
      pool[on]?.call(stranger, 'request_access', { document: randomUUID(), role: 'viewer', note: '' }) ??
      Promise.resolve(),
  );
  expect(await countOf('select count(*) from weft.request_attempts where user_id = $1', [stranger.id])).toBe(20);
});

test('a workspace has 500 open invitations, no matter who makes them', async () => {
  const { pool, control, fixture } = connections();
  const { admin, owner } = fixture.people;
  const { invite } = Object(await control.call(admin, 'create_invite', inviteArgs(fixture.workspace)));
  await control.rows(
    `insert into weft.invites (workspace_id, role, secret_hash, expires_at, created_by)
     select workspace_id, role, uuid_send(gen_random_uuid()), expires_at, created_by from weft.invites, generate_series(1, 495)
     where id = $1`,
    [Reflect.get(Object(invite), 'id')],
  );
  await atOnce(
    24,
    (on, at) =>
      pool[on]?.outcome(at % 2 === 0 ? admin : owner, 'create_invite', inviteArgs(fixture.workspace)) ??
      Promise.resolve(),
  );
  expect(await countOf('select count(*) from weft.invites where workspace_id = $1', [fixture.workspace])).toBe(500);
});

test('a page has 1,000 versions', async () => {
  const { pool, control, fixture, newPage } = connections();
  const document = await newPage();
  await control.rows(
    `insert into public.document_versions (id, document_id, seq, name, kind)
     select gen_random_uuid(), $1, 1, 'v' || n, 'named' from generate_series(1, 998) as n`,
    [document],
  );
  await atOnce(
    16,
    (on) =>
      pool[on]?.outcome(fixture.people.owner, 'name_version', {
        id: randomUUID(),
        document,
        seq: 1,
        name: 'One more',
      }) ?? Promise.resolve(),
  );
  expect(await countOf('select count(*) from public.document_versions where document_id = $1', [document])).toBe(1000);
});

test('at most 20 tabs of a person that watch a page are counted, and 1,000 of a link', async () => {
  const { pool, control, fixture, newPage } = connections();
  const document = await newPage();
  const count = (on: number, person: string | null, link: string | null) =>
    pool[on]?.rows('select weft.count_watcher($1, $2, $3, $4, $5, false)', [
      document,
      randomUUID(),
      'none',
      person,
      link,
    ]) ?? Promise.resolve();
  const { owner } = fixture.people;
  await atOnce(60, (on) => count(on, owner.id, null));
  expect(await countOf('select count(*) from weft.watchers where user_id = $1', [owner.id])).toBe(20);

  const { id } = fixture.links.viewer;
  await control.rows(
    `insert into weft.watchers (document_id, watcher, link_id, stance, seen_at)
     select $1, gen_random_uuid(), $2, 'none', clock_timestamp() from generate_series(1, 997)`,
    [document, id],
  );
  await atOnce(60, (on) => count(on, null, id));
  await count(0, null, id);
  await count(0, null, id);
  await count(0, null, id);
  expect(await countOf('select count(*) from weft.watchers where link_id = $1', [id])).toBe(1000);
});

test('a person keeps ten pictures of themselves', async () => {
  const { pool, control, fixture } = connections();
  const { member } = fixture.people;
  const headers = { 'content-type': 'image/png', 'content-length': '1', 'cache-control': 'private, no-store' };
  const upload = async (tx: Queries) => {
    await tx.query(
      `select set_config('storage.operation', 'object.upload', true), set_config('request.headers', $1, true)`,
      [JSON.stringify(headers)],
    );
    await become(tx, member);
    await tx.query(`insert into storage.objects (bucket_id, name) values ('avatars', $1)`, [
      `${member.id}/${randomUUID()}`,
    ]);
  };
  await control.transaction(upload);
  await atOnce(40, (on) => pool[on]?.transaction(upload).catch(() => undefined) ?? Promise.resolve());
  const stored = `select count(*) from storage.objects where bucket_id = 'avatars' and name like $1`;
  expect(await countOf(stored, [`${member.id}/%`])).toBe(10);
});

test('two people who make things at once get their quotas, a guest less', async () => {
  const { pool, control, fixture } = connections();
  const quotas = {
    workspaces_per_hour: [2, 3],
    pages_per_hour: [3, 4],
    pages_per_day: [100, 100],
    files_per_hour: [4, 5],
    file_bytes: [20, 45],
  };
  await control.rows('update weft.settings set quotas = $1', [JSON.stringify(quotas)]);
  const { redeemedEditor: guest, manager: account } = fixture.people;
  const kinds = {
    create_document: () => ({ id: randomUUID(), workspace: fixture.workspace, parent: fixture.page, rank: 'a0' }),
    // Each has a page, which counts.
    create_workspace: () => ({ id: randomUUID(), name: 'Mine', document: randomUUID() }),
    create_attachment: () => ({ id: randomUUID(), document: fixture.page, name: 'a', mime: 'a/b', bytes: 10 }),
  };
  const outcomes: Record<string, number> = {};
  for (const [name, args] of Object.entries(kinds)) {
    await atOnce(48, async (on, at) => {
      const who = at % 2 === 0 ? 'guest' : 'account';
      const outcome = await pool[on]?.outcome(at % 2 === 0 ? guest : account, name, args());
      const key = `${name} ${who} ${outcome}`;
      outcomes[key] = (outcomes[key] ?? 0) + 1;
    });
  }
  await control.rows(`update weft.settings set quotas = '{}'`);
  expect(outcomes).toEqual({
    'create_workspace guest ok': 2,
    'create_workspace guest WF008': 22,
    'create_workspace account ok': 3,
    'create_workspace account WF008': 21,
    'create_document guest ok': 3,
    'create_document guest WF008': 21,
    // The fixture's account made a page before.
    'create_document account ok': 3,
    'create_document account WF008': 21,
    // Their bytes first.
    'create_attachment guest ok': 2,
    'create_attachment guest WF017': 22,
    'create_attachment account ok': 4,
    'create_attachment account WF017': 20,
  });
});

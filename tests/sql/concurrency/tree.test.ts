// People who move, trash, restore, purge and create the same pages at the same time: after each round the tree is whole.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import type { Person } from '../../support/database/sql.ts';
import { type ApiConnection, callIn, useConnections } from './connections.ts';

const connections = useConnections(6);
const ROUNDS = 20;
const STEPS = 12;

const pick = <T>(random: () => number, of: readonly T[]): T => {
  const one = of[Math.floor(random() * of.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
};

/** Pages that no path of at most 12 pages leads to, live pages below one in the trash, and pages without a trash root. */
const faultsIn = (connection: ApiConnection, workspace: string) =>
  connection.rows(
    `with recursive down as (
       select d.id, 1 as level from public.documents as d where d.workspace_id = $1 and d.parent_id is null
       union all
       select c.id, down.level + 1 from down join public.documents as c on c.parent_id = down.id where down.level < 20
     )
     select d.id, 'not reachable within 12 levels' as fault from public.documents as d
     where d.workspace_id = $1 and not exists (select from down where down.id = d.id and down.level <= 12)
     union all
     select d.id, 'alive below the trash' from public.documents as d join public.documents as p on p.id = d.parent_id
     where d.workspace_id = $1 and d.trashed_at is null and p.trashed_at is not null
     union all
     select d.id, 'the trash root does not fit' from public.documents as d
     left join public.documents as r on r.id = d.trash_root
     where d.workspace_id = $1 and ((d.trashed_at is null) <> (d.trash_root is null) or r.trashed_at is null <> (d.trashed_at is null))`,
    [workspace],
  );

test(`after each of ${ROUNDS} rounds in which six connections move, trash, restore, purge and create pages of one subtree, every page is reachable and no live page lies in the trash`, async () => {
  const { pool, control, fixture } = connections();
  const { owner, member, admin } = fixture.people;
  const random = prng(20_261_123);
  const outcomes: Record<string, number> = {};
  let pages: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    while (pages.length < 14) {
      const id = randomUUID();
      const parent = pages.length === 0 || random() < 0.2 ? null : pick(random, pages);
      const made = await control.outcome(owner, 'create_document', {
        id,
        workspace: fixture.workspace,
        parent,
        rank: 'a1',
      });
      if (made === 'ok') pages.push(id);
      else if (parent === null) throw new Error(made);
    }
    const all = pages;
    await Promise.all(
      pool.map(async (connection) => {
        for (let step = 0; step < STEPS; step++) {
          const caller: Person = pick(random, [owner, member, admin]);
          const document = pick(random, all);
          const [name, args]: [string, Record<string, unknown>] = pick(random, [
            ['move_document', { document, parent: pick(random, all), rank: 'a2' }],
            ['move_document', { document, parent: pick(random, all), rank: 'a2' }],
            ['move_document', { document, parent: null, rank: 'a3' }],
            ['trash_document', { document }],
            ['restore_document', { document }],
            ['restore_document', { document }],
            ['purge_document', { document }],
            ['empty_trash', { workspace: fixture.workspace, documents: [document, pick(random, all)] }],
            ['create_document', { id: randomUUID(), workspace: fixture.workspace, parent: document, rank: 'a4' }],
            ['set_document_access', { document, access: pick(random, ['workspace', 'restricted']) }],
          ]);
          const outcome = `${name} ${await connection.outcome(caller, name, args)}`;
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
      }),
    );
    expect(await faultsIn(control, fixture.workspace)).toEqual([]);
    const rows = await control.rows<{ id: string }>(
      'select id from public.documents where workspace_id = $1 order by created_at, id',
      [fixture.workspace],
    );
    // A few at most, so that the calls meet.
    pages = rows.map(({ id }) => id).slice(-20);
  }
  const codes = new Set(Object.keys(outcomes).map((outcome) => outcome.split(' ')[1]));
  // Neither deadlocks (40P01) nor anything unforeseen.
  expect(Array.from(codes).toSorted()).toEqual(['WF001', 'WF002', 'WF010', 'ok']);
  for (const name of ['move', 'trash', 'restore', 'purge', 'create'])
    expect([name, (outcomes[`${name}_document ok`] ?? 0) > 10]).toEqual([name, true]);
  expect(outcomes['empty_trash ok']).toBeGreaterThan(10);
}, 120_000);

test('two moves that would make a cycle together: one is refused', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner } = fixture.people;
  const [first, second] = pool;
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await newPage(), await newPage()];
    const move = (connection: ApiConnection | undefined, document: string, parent: string) =>
      connection?.outcome(owner, 'move_document', { document, parent, rank: 'a' });
    const outcomes = await Promise.all([move(first, a, b), move(second, b, a)]);
    expect(outcomes.toSorted()).toEqual(['WF010', 'ok']);
    expect(await faultsIn(control, fixture.workspace)).toEqual([]);
  }
});

test('an append that waits while its page goes to the trash is refused, and nothing comes after it', async () => {
  const { pool, fixture, newPage, control } = connections();
  const { owner, member } = fixture.people;
  const [first, second] = pool;
  const page = await newPage();
  const session = await control.startSession(member, page, 7_000);
  let append: Promise<string> | undefined;
  await first?.transaction(async (tx) => {
    await callIn(tx, owner, 'trash_document', { document: page });
    append = second?.outcome(member, 'append_update', {
      ...{ document: page, session, n_from: 1, n_to: 1, update: 'AQID', dependencies: [] },
      ...{ known_seq: 0, schema_version: 1, live_peers: 0 },
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(await append).toBe('WF002');
});

test('a page that is moved below another while that one is restricted has its topics moved, whichever comes first', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner } = fixture.people;
  const [first, second] = pool;
  const epochOf = async (page: string) =>
    (await control.rows<{ epoch: string }>('select weft.topic_epoch($1) as epoch', [page]))[0]?.epoch;
  for (let round = 0; round < 10; round++) {
    const [parent, page] = [await newPage(), await newPage()];
    const before = await epochOf(page);
    const [moved, restricted] = await Promise.all([
      first?.outcome(owner, 'move_document', { document: page, parent, rank: 'a' }),
      second?.outcome(owner, 'set_document_access', { document: parent, access: 'restricted' }),
    ]);
    expect([moved, restricted]).toEqual(['ok', 'ok']);
    expect(await epochOf(page)).not.toBe(before);
  }
});

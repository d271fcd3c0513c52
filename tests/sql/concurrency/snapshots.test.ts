// Claiming and saving snapshots from several connections at once.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Person } from '../../support/database/sql.ts';
import { type ApiConnection, type Connections, useConnections } from './connections.ts';
import { findFaults } from './log-checks.ts';

const connections = useConnections(12);

const claimed = v.object({ granted: v.boolean(), head: v.number(), snapshotSeq: v.number() });
const claim = (connection: ApiConnection, person: Person, document: string) =>
  connection.ask(person, claimed, 'claim_snapshot', { document });

const save = (connection: ApiConnection, person: Person, document: string, seq: number, size = 9) => {
  const state = Buffer.alloc(size, seq);
  const sha256 = createHash('sha256').update(state).digest('hex');
  return connection.outcome(person, 'save_snapshot', { document, seq, state: state.toString('base64'), sha256 });
};

/** Each connection with one of the three people who may edit every page. */
function editors({ pool, fixture }: Connections) {
  const people = [fixture.people.owner, fixture.people.admin, fixture.people.member];
  return pool.map((connection, at) => ({ connection, person: people[at % 3] ?? fixture.people.owner }));
}

const expire = (connection: ApiConnection, document: string) =>
  connection.rows(`update public.document_heads set snapshot_claimed_until = now() where document_id = $1`, [document]);

test('if twelve connections claim the snapshot at once, one person gets it, and another may get it when the claim ends', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const all = editors(connected);
  const allHolders = new Set<Person>();
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(all.map(({ connection, person }) => claim(connection, person, page)));
    const holders = new Set(all.filter((_, at) => answers[at]?.granted === true).map(({ person }) => person));
    expect(holders.size).toBe(1);
    // That person's other tabs get it too.
    const [holder] = holders;
    if (holder === undefined) throw new Error('no one holds it');
    expect(answers.filter((answer) => answer.granted).length).toBe(4);
    allHolders.add(holder);
    await expire(connected.control, page);
  }
  expect(allHolders.size).toBeGreaterThan(0);
});

test('if many save a snapshot at once, one snapshot by the holder of the claim is stored', async () => {
  const connected = connections();
  const { control, fixture } = connected;
  const page = await connected.newPage();
  const session = await control.startSession(fixture.people.owner, page, 5000);
  for (let n = 1; n <= 30; n++)
    await control.append(fixture.people.owner, { document: page, session, nFrom: n, nTo: n });

  for (let round = 1; round <= 8; round++) {
    const seq = round * 3;
    expect((await claim(control, fixture.people.member, page)).granted).toBe(true);
    const all = editors(connected);
    const outcomes = await Promise.all(all.map(({ connection, person }) => save(connection, person, page, seq)));
    const ofMember = outcomes.filter((_, at) => all[at]?.person === fixture.people.member);
    const ofOthers = outcomes.filter((_, at) => all[at]?.person !== fixture.people.member);
    // Saving gives the claim back, so the same person's other snapshots come too late.
    expect(ofMember.toSorted()).toEqual(['WF005', 'WF005', 'WF005', 'ok']);
    expect(new Set(ofOthers)).toEqual(new Set(['WF005']));
    const stored = await control.rows<{ seq: number }>(
      'select seq from public.document_snapshots where document_id = $1 order by seq desc limit 1',
      [page],
    );
    expect(stored).toEqual([{ seq }]);
    expect(await findFaults(control, page)).toEqual([]);
  }
});

test('appends continue while a snapshot is saved, and tail_bytes stays exact', async () => {
  const connected = connections();
  const { control, fixture } = connected;
  const page = await connected.newPage();
  const [saver, ...writers] = editors(connected);
  if (saver === undefined) throw new Error('no connection');
  const stop = new AbortController();
  const writing = writers.map(async ({ connection, person }, at) => {
    const session = await connection.startSession(person, page, 10_000 + at);
    let n = 0;
    while (!stop.signal.aborted) {
      n += 1;
      await connection.append(person, { document: page, session, nFrom: n, nTo: n });
    }
    return n;
  });
  for (let round = 0; round < 10; round++) {
    const { granted, head } = await claim(saver.connection, saver.person, page);
    expect(granted).toBe(true);
    expect(await save(saver.connection, saver.person, page, head, 100_000)).toBe('ok');
  }
  stop.abort();
  const written = (await Promise.all(writing)).reduce((sum, n) => sum + n, 0);
  expect(written).toBeGreaterThan(20);
  expect(await findFaults(control, page)).toEqual([]);
  const snapshots = await control.rows('select from public.document_snapshots where document_id = $1', [page]);
  expect(snapshots.length).toBeGreaterThan(0);
  expect(snapshots.length).toBeLessThanOrEqual(3);
  const opened = await control.call(fixture.people.member, 'open_document', { document: page, since: 0 });
  expect(Reflect.get(Object(opened), 'head')).toBe(written + 1);
});

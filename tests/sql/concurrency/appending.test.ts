// Sixteen connections that append to one page at the same time (rules D1–D3, I2 and I11 of src/sync/SPEC.md).
import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startAnswer } from 'weft-sync/protocol/log-answers.ts';
import { prng } from '../../../src/lib/prng.ts';
import type { Person } from '../../support/database/sql.ts';
import { type ApiConnection, type Connections, useConnections } from './connections.ts';
import { findFaults, readLog } from './log-checks.ts';
import { Timings } from './timings.ts';

const connections = useConnections(16);

type Writer = {
  readonly connection: ApiConnection;
  readonly person: Person;
  readonly session: string;
  readonly clientId: number;
};

/** A session for each connection, of one of the three members who may edit every page of the workspace. */
async function writers({ pool, fixture }: Connections, page: string): Promise<Writer[]> {
  const { owner, admin, member } = fixture.people;
  const people = [owner, admin, member];
  return Promise.all(
    pool.map(async (connection, at) => {
      const person = people[at % people.length] ?? owner;
      const clientId = 10_000 + at;
      return { connection, person, clientId, session: await connection.startSession(person, page, clientId) };
    }),
  );
}

const bytesOf = (size: number) => Buffer.alloc(size, 7).toString('base64');

test('[D1] 16 connections append 640 times at once: no gaps, each session in order, and each answer has the rows its sender lacks', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const random = prng(1);
  const timings = new Timings();
  const seen = await Promise.all(
    (await writers(connected, page)).map(async ({ connection, person, session }) => {
      const rows = new Map<number, string>();
      const receipts: number[] = [];
      let n = 0;
      let known = 0;
      for (let round = 0; round < 40; round++) {
        const nTo = n + 1 + Math.floor(random() * 3);
        const send = { document: page, session, nFrom: n + 1, nTo, knownSeq: known, update: bytesOf(20) };
        const answer = await timings.of(() => connection.append(person, send));
        expect(answer.lastN).toBe(nTo);
        expect(answer.head).toBe(answer.seq);
        for (const row of answer.rows) rows.set(row.seq, `${row.session} ${row.nFrom}-${row.nTo}`);
        receipts.push(answer.seq ?? 0);
        // The answer has every row since the last one exactly once, and the caller's own is the newest.
        const missed = Math.min(answer.head - known, 500);
        expect(answer.rows.map((row) => row.seq)).toEqual(Array.from({ length: missed }, (_, at) => known + 1 + at));
        known += missed;
        n = nTo;
      }
      return { receipts, rows };
    }),
  );
  timings.print('append, 16 connections');

  expect(await findFaults(connected.control, page)).toEqual([]);
  const log = await readLog(connected.control, page);
  expect(log.length).toBe(1 + 640);
  const receipts = seen.flatMap((one) => one.receipts);
  expect(receipts.toSorted((a, b) => a - b)).toEqual(log.slice(1).map((row) => row.seq));
  // All answers have the same row at each seq.
  for (const { rows } of seen) {
    for (const [seq, row] of rows) {
      const stored = log[seq - 1];
      expect(row).toBe(`${stored?.session} ${stored?.nFrom}-${stored?.nTo}`);
    }
  }
});

test('one connection appends alone, for comparison', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const [writer] = await writers(connected, page);
  if (writer === undefined) throw new Error('no one writes');
  const timings = new Timings();
  for (let n = 1; n <= 200; n++) {
    const send = { document: page, session: writer.session, nFrom: n, nTo: n, knownSeq: n, update: bytesOf(20) };
    await timings.of(() => writer.connection.append(writer.person, send));
  }
  timings.print('append, 1 connection');
  expect(await findFaults(connected.control, page)).toEqual([]);
});

test('[D1] a range that several connections send at once is in the log once, and all get the same row as answer', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const random = prng(2);
  const { pool } = connected;
  // Four sessions, each sent by four connections: the tab, its last flush, and two tabs that recovered its outbox.
  const sessions = (await writers(connected, page)).slice(0, 4);
  let repeated = 0;
  await Promise.all(
    sessions.map(async ({ person, session }, at) => {
      const senders = pool.slice(4 * at, 4 * at + 4);
      for (let n = 0; n < 60;) {
        const nTo = n + 1 + Math.floor(random() * 4);
        const answers = await Promise.all(
          senders.map((sender) => sender.append(person, { document: page, session, nFrom: n + 1, nTo, knownSeq: 0 })),
        );
        expect(new Set(answers.map((answer) => answer.seq)).size).toBe(1);
        expect(answers.map((answer) => answer.lastN)).toEqual([nTo, nTo, nTo, nTo]);
        repeated += answers.length - 1;
        n = nTo;
      }
    }),
  );
  expect(repeated).toBeGreaterThan(200);
  expect(await findFaults(connected.control, page)).toEqual([]);
});

test('[D2] overlapping ranges from two connections leave no gap and lose no acknowledged edit', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const random = prng(3);
  const all = await writers(connected, page);
  await Promise.all(
    all.map(async ({ connection, person, session }, at) => {
      const other = all[(at + 8) % 16]?.connection;
      if (other === undefined) throw new Error('no other connection');
      await Promise.all(
        [connection, other].map(async (sender) => {
          let acked = 0;
          for (let round = 0; round < 15; round++) {
            const nFrom = acked + 1 + (random() < 0.2 ? 2 : 0); // Some leave a gap.
            const nTo = nFrom + Math.floor(random() * 6);
            const answer = await sender.append(person, { document: page, session, nFrom, nTo });
            expect(answer.lastN).toBeGreaterThanOrEqual(answer.seq === null ? acked : nTo);
            acked = answer.lastN;
          }
        }),
      );
    }),
  );
  expect(await findFaults(connected.control, page)).toEqual([]);
});

test('[D3] all append each other’s edits as dependencies at once: no deadlock, no dependency that the log had, no author’s number used up', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const random = prng(4);
  const all = await writers(connected, page);
  const timings = new Timings();
  await Promise.all(
    all.map(async ({ connection, person, session }) => {
      for (let n = 1; n <= 20; n++) {
        // The edits of a peer up to this round, as its live updates may have sent them. The log has some of them
        // already.
        const dependencies = all
          .filter((other) => other.session !== session && random() < 0.25)
          .map((other) => ({ session: other.session, nFrom: 1, nTo: n, update: bytesOf(8) }));
        const isRelay = random() < 0.2 && dependencies.length > 0;
        const numbers = isRelay ? { nFrom: 0, nTo: 0, update: '' } : { nFrom: n, nTo: n };
        const send = { document: page, session, dependencies, ...numbers };
        const answer = await timings.of(() => connection.append(person, send));
        expect(answer.seq).not.toBe(null);
        if (isRelay)
          await connection.append(person, { ...send, nFrom: n, nTo: n, update: bytesOf(4), dependencies: [] });
      }
    }),
  );
  timings.print('append with dependencies, 16 connections');
  expect(await findFaults(connected.control, page)).toEqual([]);
  const log = await readLog(connected.control, page);
  expect(log.filter((row) => row.dependencies.length > 0).length).toBeGreaterThan(100);
  // Each session's own edits are all there under its own name, whichever of them others sent as dependencies.
  for (const { session } of all) {
    const own = log.filter((row) => row.session === session && row.nTo > 0).map((row) => row.nTo);
    expect(own).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  }
});

test('if many register the same client id or session id at once, one person gets it', async () => {
  const connected = connections();
  const page = await connected.newPage();
  const { owner, admin, member } = connected.fixture.people;
  const people = [owner, admin, member];
  const start = (connection: ApiConnection, person: Person, session: string, clientId: number) =>
    connection.outcome(person, 'start_session', { document: page, session, client_id: clientId, schema_version: 1 });

  const clientId = randomInt(20_000, 30_000);
  const byClient = await Promise.all(
    connected.pool.map((connection, at) => start(connection, people[at % 3] ?? owner, randomUUID(), clientId)),
  );
  expect(byClient.toSorted()).toEqual([...Array.from({ length: 15 }, () => 'WF006'), 'ok']);

  // Presence shows a session's id before its owner registers it. The second to register it gets WF005 and chooses a new id.
  const session = randomUUID();
  const bySession = await Promise.all(
    connected.pool.map((connection, at) => start(connection, people[at % 2] ?? owner, session, 40_000 + (at % 2))),
  );
  const counts = new Set([0, 1].map((of) => bySession.filter((_, at) => at % 2 === of).join()));
  expect(counts).toEqual(new Set([Array(8).fill('ok').join(), Array(8).fill('WF005').join()]));

  const same = { document: page, session: randomUUID(), client_id: 50_000, schema_version: 1 };
  const repeated = await Promise.all(connected.pool.map((one) => one.ask(owner, startAnswer, 'start_session', same)));
  expect(new Set(repeated.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"clientId":50000,"lastN":0}']));
});

test('a page that 16 connections create at once is created once', async () => {
  const { pool, control, fixture } = connections();
  const id = randomUUID();
  const args = { id, workspace: fixture.workspace, parent: fixture.page, rank: 'a8' };
  const outcomes = await Promise.all(pool.map((one) => one.outcome(fixture.people.member, 'create_document', args)));
  expect(new Set(outcomes)).toEqual(new Set(['ok']));
  expect(await findFaults(control, id)).toEqual([]);
  expect((await readLog(control, id)).length).toBe(1);
});

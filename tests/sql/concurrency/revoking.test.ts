// Revoking rights while appends run (rule I8 of src/sync/SPEC.md). The call that revokes them holds the lock of the page's
// head until it commits, so no row of that person comes after the head that the call reads.
import { expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import { type Caller, type Person, type Queries, Refused } from '../../support/database/sql.ts';
import { type ApiConnection, type Connections, callIn, useConnections } from './connections.ts';
import { findFaults, readLog } from './log-checks.ts';

const connections = useConnections(8);
const random = prng(20_261_121);
const ROUNDS = 4;

type Revocation = {
  readonly page: string;
  /** The person who loses rights. */
  readonly person: Person;
  readonly takeAway: (tx: Queries) => Promise<unknown>;
  /** The error of their appends afterwards. */
  readonly refusal: 'WF001' | 'WF002';
};

type PrepareRevocation = (connected: Connections) => Promise<Revocation>;

const by = (caller: Caller, name: string, args: Record<string, unknown>) => (tx: Queries) =>
  callIn(tx, caller, name, args);

/** A new person in the workspace. */
async function addMember({ control, fixture }: Connections, role: 'member' | 'guest'): Promise<Person> {
  const [made] = await control.rows<{ id: string }>(
    `insert into auth.users (id, email) select id, id || '@example.org' from gen_random_uuid() as id returning id`,
  );
  const person = { id: made?.id ?? '', guest: false };
  const join = 'insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)';
  await control.rows(join, [fixture.workspace, person.id, role]);
  return person;
}

async function withRole(connected: Connections, role: string | null) {
  const { control, fixture, newPage } = connected;
  const [page, person] = [await newPage(), await addMember(connected, 'guest')];
  await control.call(fixture.people.owner, 'set_document_member', {
    document: page,
    person: person.id,
    role: 'editor',
  });
  const takeAway = by(fixture.people.owner, 'set_document_member', { document: page, person: person.id, role });
  return { page, person, takeAway, refusal: role === null ? 'WF001' : 'WF002' } as const;
}

const REVOCATIONS: Readonly<Record<string, PrepareRevocation>> = {
  'a role is taken away': (connected) => withRole(connected, null),
  'a role is lowered': (connected) => withRole(connected, 'viewer'),
  'a share link is revoked': async (connected) => {
    const { control, fixture, newPage } = connected;
    const [page, person] = [await newPage(), await addMember(connected, 'guest')];
    const args = { document: page, role: 'editor', expires_at: null };
    const made = await control.call(fixture.people.owner, 'create_share_link', args);
    await control.call(person, 'redeem_share_link', { secret: Reflect.get(Object(made), 'secret') });
    const link = Reflect.get(Object(Reflect.get(Object(made), 'link')), 'id');
    return { page, person, takeAway: by(fixture.people.owner, 'revoke_share_link', { link }), refusal: 'WF001' };
  },
  'a member is removed from the workspace': async (connected) => {
    const [page, person] = [await connected.newPage(), await addMember(connected, 'member')];
    const args = { workspace: connected.fixture.workspace, person: person.id };
    const takeAway = by(connected.fixture.people.admin, 'remove_workspace_member', args);
    return { page, person, takeAway, refusal: 'WF001' };
  },
  'a member is made a guest of the workspace': async (connected) => {
    const [page, person] = [await connected.newPage(), await addMember(connected, 'member')];
    const args = { workspace: connected.fixture.workspace, person: person.id, role: 'guest' };
    return { page, person, takeAway: by(connected.fixture.people.admin, 'set_workspace_role', args), refusal: 'WF001' };
  },
  'the page is restricted': async (connected) => {
    const [page, person] = [await connected.newPage(), await addMember(connected, 'member')];
    const takeAway = by(connected.fixture.people.owner, 'set_document_access', {
      document: page,
      access: 'restricted',
    });
    return { page, person, takeAway, refusal: 'WF001' };
  },
};

/** Appends without pauses until an append is refused or `stop` aborts. */
async function keepAppending(
  connection: ApiConnection,
  person: Person,
  page: string,
  clientId: number,
  stop: AbortSignal,
): Promise<{ readonly answers: { seq: number; epoch: string }[]; readonly refused: string | null }> {
  const session = await connection.startSession(person, page, clientId);
  const answers: { seq: number; epoch: string }[] = [];
  for (let n = 1; !stop.aborted; n++) {
    try {
      const { seq, epoch } = await connection.append(person, { document: page, session, nFrom: n, nTo: n });
      if (seq !== null) answers.push({ seq, epoch });
    } catch (error) {
      if (error instanceof Refused) return { answers, refused: error.refusal.code };
      throw error;
    }
  }
  return { answers, refused: null };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each(Object.entries(REVOCATIONS))('[I8] %s while eight connections append', async (_name, way) => {
  for (let round = 0; round < ROUNDS; round++) {
    const connected = connections();
    const { pool, control, fixture } = connected;
    const { page, person, takeAway, refusal } = await way(connected);
    const epochBefore = await epochOf(control, page);
    // If no one watched a page in the last day, its view topic gets no message about a move of its whole workspace.
    await control.rows(
      `update public.document_heads set watched_until = now() - interval '1 hour' where document_id = $1`,
      [page],
    );

    const stop = new AbortController();
    const half = pool.length / 2;
    // The person's connections end with a refusal only: one that was slow would otherwise stop before its next append.
    const never = new AbortController();
    const running = pool.map((connection, at) =>
      at < half
        ? keepAppending(connection, person, page, 10_000 + at, never.signal)
        : keepAppending(connection, fixture.people.owner, page, 10_000 + at, stop.signal),
    );
    await untilHead(control, page, 20);
    await untilAppended(control, page, person);
    await sleep(random() * 20);
    const { lastHead, messages } = await control.transaction(async (tx) => {
      await takeAway(tx);
      // Callers that are waiting for the lock have already read their rights.
      await sleep(30);
      return { lastHead: await headOf(tx, page), messages: await movedMessages(tx, page) };
    });
    await untilHead(control, page, lastHead + 10);
    stop.abort();
    const results = await Promise.all(running);

    const log = await readLog(control, page);
    const authors = await control.rows<{ seq: number; by: string }>(
      'select seq, appended_by as by from public.document_updates where document_id = $1 and seq > 1',
      [page],
    );
    const theirs = authors.filter((row) => row.by === person.id).map((row) => row.seq);
    expect(theirs.length).toBeGreaterThan(0);
    expect(theirs.filter((seq) => seq > lastHead)).toEqual([]);
    expect(log.length).toBeGreaterThan(lastHead);
    expect(results.map((one) => one.refused)).toEqual([
      ...Array.from({ length: half }, () => refusal),
      ...Array.from({ length: half }, () => null),
    ]);
    expect(await findFaults(control, page)).toEqual([]);

    // The epoch moved together with the rights: every append up to that head has the old one, every later one the new.
    const epochAfter = await epochOf(control, page);
    expect(epochAfter).not.toBe(epochBefore);
    for (const { seq, epoch } of results.flatMap((one) => one.answers)) {
      expect([seq, epoch]).toEqual([seq, seq <= lastHead ? epochBefore : epochAfter]);
    }
    // Read inside the transaction that revoked the rights, so it is the one that published them.
    expect(messages.filter(({ topic }) => topic.endsWith(epochBefore))).toEqual(
      ['d', 'v'].map((kind) => ({ topic: `${kind}:${page}:${epochBefore}`, epoch: epochAfter })),
    );
  }
});

test('[D7] a relay never appends edits of an author who has lost their role', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const connected = connections();
    const { pool, control, fixture } = connected;
    const { page, person, takeAway } = await withRole(connected, null);
    const gone = await control.startSession(person, page, 30_000);
    const { owner } = fixture.people;
    let n = 0;
    const stop = new AbortController();
    const running = pool.map(async (connection, at) => {
      const session = await connection.startSession(owner, page, 10_000 + at);
      const codes = new Set<string>();
      while (!stop.signal.aborted) {
        n += 1;
        const dependencies = [{ session: gone, nFrom: n, nTo: n, update: 'AAAA' }];
        const args = { document: page, session, n_from: 0, n_to: 0, update: '', dependencies };
        const rest = { known_seq: 0, schema_version: 1, live_peers: 0 };
        codes.add(await connection.outcome(owner, 'append_update', { ...args, ...rest }));
      }
      return codes;
    });
    await untilHead(control, page, 10);
    const lastHead = await control.transaction(async (tx) => {
      await takeAway(tx);
      await sleep(20);
      return headOf(tx, page);
    });
    await sleep(60);
    stop.abort();
    const codes = new Set((await Promise.all(running)).flatMap((one) => Array.from(one)));
    expect(codes).toEqual(new Set(['ok', 'WF005']));
    expect((await readLog(control, page)).length).toBe(lastHead);
  }
});

test('no deadlock while rights on a whole tree change and all its pages are written', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner, member } = fixture.people;
  const top = await newPage();
  const pages = [top];
  for (let at = 0; at < 4; at++) {
    const id = crypto.randomUUID();
    const args = { id, workspace: fixture.workspace, parent: pages.at(-1), rank: 'a1' };
    await control.call(owner, 'create_document', args);
    pages.push(id);
  }
  const sessions = await Promise.all(
    pool.map((connection, at) => Promise.all(pages.map((page) => connection.startSession(owner, page, 10_000 + at)))),
  );
  const pick = <T>(of: readonly T[]): T => {
    const one = of[Math.floor(random() * of.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  };
  const link = await control.call(owner, 'create_share_link', { document: top, role: 'viewer', expires_at: null });
  const secret = Reflect.get(Object(link), 'secret');
  const done: Record<string, number> = {};
  await Promise.all(
    pool.map(async (connection, at) => {
      const numbers = pages.map(() => 0);
      for (let step = 0; step < 60; step++) {
        const index = Math.floor(random() * pages.length);
        const document = pages[index] ?? top;
        const n = (numbers[index] ?? 0) + 1;
        const [name, caller, args]: [string, Caller, Record<string, unknown>] = pick([
          ['append_update', owner, {}],
          ['append_update', owner, {}],
          ['set_document_member', owner, { document, person: member.id, role: pick(['viewer', 'editor', null]) }],
          ['set_document_access', owner, { document: pages.at(-1), access: pick(['inherit', 'restricted']) }],
          [
            'set_workspace_role',
            owner,
            { workspace: fixture.workspace, person: member.id, role: pick(['guest', 'member']) },
          ],
          ['claim_snapshot', owner, { document }],
          ['publish_pending', owner, { document }],
          ['keep_watching', owner, { document, seq: 0 }],
          ['open_watch', 'anon', { secret, since: 0 }],
          ['save_text', owner, { document, seq: 1, title: `${step}`, body_text: 'text' }],
          [
            'create_document',
            owner,
            { id: crypto.randomUUID(), workspace: fixture.workspace, parent: document, rank: 'a2' },
          ],
        ]);
        if (name === 'append_update') {
          const session = sessions[at]?.[index] ?? '';
          await connection.append(caller, { document, session, nFrom: n, nTo: n });
          numbers[index] = n;
        } else {
          await connection.call(caller, name, args);
        }
        done[name] = (done[name] ?? 0) + 1;
      }
    }),
  );
  expect(Object.keys(done).length).toBe(10);
  for (const page of pages) expect(await findFaults(control, page)).toEqual([]);
});

async function headOf(tx: Queries, page: string): Promise<number> {
  const [found] = await tx.query<{ head: number }>(
    'select head_seq as head from public.document_heads where document_id = $1',
    [page],
  );
  return found?.head ?? 0;
}

const movedMessages = (tx: Queries, page: string) =>
  tx.query<{ topic: string; epoch: string }>(
    `select topic, payload ->> 'epoch' as epoch from realtime.messages
     where event = 'moved' and topic like '_:' || $1 || ':%' order by topic`,
    [page],
  );

async function epochOf(connection: ApiConnection, page: string): Promise<string> {
  const [found] = await connection.rows<{ epoch: string }>('select weft.topic_epoch($1) as epoch', [page]);
  return found?.epoch ?? '';
}

/** On a busy machine the first rows may all be the owner's. */
async function untilAppended(connection: ApiConnection, page: string, { id }: Person): Promise<void> {
  const query = 'select 1 from public.document_updates where document_id = $1 and appended_by = $2 limit 1';
  while ((await connection.rows(query, [page, id])).length === 0) await sleep(5);
}

async function untilHead(connection: ApiConnection, page: string, seq: number): Promise<void> {
  while ((await connection.transaction((tx) => headOf(tx, page))) < seq) await sleep(5);
}

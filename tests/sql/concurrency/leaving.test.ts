// Accounts and workspaces are deleted, handed over and left while others do the same, write, accept and answer.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Person } from '../../support/database/sql.ts';
import { type Connections, connectionAt, useConnections, waitForLocks } from './connections.ts';

const connections = useConnections(8);
const ROUNDS = 6;

async function newPerson({ control }: Connections): Promise<Person> {
  const [row] = await control.rows<{ id: string }>(
    `insert into auth.users (id, email) select id, id || '@example.org' from gen_random_uuid() as id returning id`,
  );
  return { id: row?.id ?? '', guest: false };
}

/** A workspace with a page; the roles of others are in order of `people`. */
async function newWorkspace(connected: Connections, owner: Person, ...members: readonly (readonly [Person, string])[]) {
  const { control } = connected;
  const [id, document] = [randomUUID(), randomUUID()];
  await control.call(owner, 'create_workspace', { id, name: 'W', document });
  const join = 'insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)';
  for (const [person, role] of members) await control.rows(join, [id, person.id, role]);
  return { id, document };
}

async function ownersOf({ control }: Connections, workspace: string): Promise<number> {
  const rows = await control.rows(`select from public.workspace_members where workspace_id = $1 and role = 'owner'`, [
    workspace,
  ]);
  return rows.length;
}

test('a workspace with members keeps an owner, however its owners leave it at the same moment', async () => {
  const connected = connections();
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second, member] = [
      await newPerson(connected),
      await newPerson(connected),
      await newPerson(connected),
    ];
    const { id } = await newWorkspace(connected, first, [second, 'owner'], [member, 'member']);
    const ways = [
      (by: Person, n: number) => connectionAt(connected, n).outcome(by, 'delete_account', {}),
      (by: Person, n: number) =>
        connectionAt(connected, n).outcome(by, 'remove_workspace_member', { workspace: id, person: by.id }),
      (by: Person, n: number) =>
        connectionAt(connected, n).outcome(by, 'set_workspace_role', { workspace: id, person: by.id, role: 'member' }),
    ];
    const [one, other] = [ways[round % 3], ways[Math.floor(round / 2) % 3]];
    const outcomes = await Promise.all([one?.(first, 0), other?.(second, 1)]);
    expect(outcomes.toSorted()).toEqual(['WF014', 'ok']);
    expect(await ownersOf(connected, id)).toBe(1);
  }
});

test('an account is deleted while its owner writes and is given roles: nothing of them stays, and no call waits forever', async () => {
  const connected = connections();
  const { fixture, control } = connected;
  for (let round = 0; round < ROUNDS; round++) {
    const person = await newPerson(connected);
    const { document } = await newWorkspace(connected, fixture.people.member, [person, 'member']);
    const session = await control.startSession(person, document, 5_000 + round);
    const append = async () => {
      for (let n = 1; ; n++) {
        try {
          await connectionAt(connected, 0).append(person, { document, session, nFrom: n, nTo: n });
        } catch {
          return n;
        }
      }
    };
    const give = async () => {
      const outcomes = new Set<string>();
      for (let n = 0; n < 10; n++)
        outcomes.add(
          await connectionAt(connected, 1).outcome(fixture.people.member, 'set_document_member', {
            document,
            person: person.id,
            role: n % 2 === 0 ? 'editor' : null,
          }),
        );
      return outcomes;
    };
    const remove = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return connectionAt(connected, 2).outcome(person, 'delete_account', {});
    };
    const [written, given, removed] = await Promise.all([append(), give(), remove()]);
    expect(removed).toBe('ok');
    expect(written).toBeGreaterThan(0);
    for (const outcome of given) expect(['ok', 'WF001', '23503']).toContain(outcome);
    const [left] = await control.rows<{ rows: number; roles: number }>(
      `select
         (select count(*)::int from public.document_updates where appended_by = $1) as rows,
         (select count(*)::int from public.document_members where user_id = $1) as roles`,
      [person.id],
    );
    expect(left).toEqual({ rows: 0, roles: 0 });
  }
});

test('a workspace is deleted while pages are made, written and shared in it: all of it is gone', async () => {
  const connected = connections();
  const { control } = connected;
  for (let round = 0; round < ROUNDS; round++) {
    const [owner, member] = [await newPerson(connected), await newPerson(connected)];
    const { id, document } = await newWorkspace(connected, owner, [member, 'member']);
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, (_, n) =>
        connectionAt(connected, n).outcome(member, 'create_document', {
          id: randomUUID(),
          workspace: id,
          parent: null,
          rank: 'a5',
        }),
      ),
      connectionAt(connected, 4).outcome(owner, 'create_share_link', { document, role: 'viewer', expires_at: null }),
      connectionAt(connected, 5).outcome(owner, 'create_invite', { workspace: id, role: 'member' }),
      connectionAt(connected, 6).outcome(owner, 'delete_workspace', { workspace: id, name: 'W' }),
    ]);
    expect(outcomes.at(-1)).toBe('ok');
    // WF002: an invitation looks for the membership first, and for the right to invite one statement later.
    for (const outcome of outcomes) expect(['ok', 'WF001', 'WF002', '23503']).toContain(outcome);
    const [left] = await control.rows(
      `select (select count(*)::int from public.workspaces where id = $1) as workspaces,
         (select count(*)::int from public.documents where workspace_id = $1) as pages`,
      [id],
    );
    expect(left).toEqual({ workspaces: 0, pages: 0 });
  }
});

test('a workspace is deleted after a link that is being made: it waits for the page before it holds the workspace', async () => {
  const connected = connections();
  const { control } = connected;
  const owner = await newPerson(connected);
  const { id, document } = await newWorkspace(connected, owner);
  await control.rows(
    `insert into weft.activity (workspace_id, kind, until) values ($1, 'edited', now() - interval '91 days')`,
    [id],
  );
  const link = { document, role: 'viewer', expires_at: null };
  const outcomes = await control.transaction(async (tx) => {
    // The link has locked its page, and asks for the workspace after it has deleted this old activity.
    await tx.query('select from weft.activity where workspace_id = $1 and until < now() for update', [id]);
    const making = connectionAt(connected, 0).outcome(owner, 'create_share_link', link);
    await waitForLocks(connectionAt(connected, 2), 1);
    const deleting = connectionAt(connected, 1).outcome(owner, 'delete_workspace', { workspace: id, name: 'W' });
    await waitForLocks(connectionAt(connected, 2), 2);
    return { making, deleting };
  });
  expect([await outcomes.making, await outcomes.deleting]).toEqual(['ok', 'ok']);
});

test('an invitation to a page waits for the deletion of its workspace before it holds the workspace', async () => {
  const connected = connections();
  const { control } = connected;
  const owner = await newPerson(connected);
  const { id, document } = await newWorkspace(connected, owner);
  const invite = { workspace: id, role: 'guest', document, document_role: 'viewer' };
  const outcomes = await control.transaction(async (tx) => {
    await tx.query('select from public.documents where id = $1 for update', [document]);
    const deleting = connectionAt(connected, 1).outcome(owner, 'delete_workspace', { workspace: id, name: 'W' });
    await waitForLocks(connectionAt(connected, 2), 1);
    const inviting = connectionAt(connected, 0).outcome(owner, 'create_invite', invite);
    await waitForLocks(connectionAt(connected, 2), 2);
    return { deleting, inviting };
  });
  expect([await outcomes.deleting, await outcomes.inviting]).toEqual(['ok', '23503']);
});

test('a request is answered by two managers at once, one of whom loses the page: it is answered once, or not at all', async () => {
  const connected = connections();
  const { control } = connected;
  for (let round = 0; round < ROUNDS; round++) {
    const [owner, manager, asker] = [
      await newPerson(connected),
      await newPerson(connected),
      await newPerson(connected),
    ];
    const { document } = await newWorkspace(connected, owner);
    await control.call(owner, 'set_document_member', { document, person: manager.id, role: 'manager' });
    await control.rows(`insert into weft.access_requests (document_id, user_id, role) values ($1, $2, 'viewer')`, [
      document,
      asker.id,
    ]);
    const [request] = await control.rows<{ id: string }>('select id from weft.access_requests where user_id = $1', [
      asker.id,
    ]);
    const [lost, allowed, denied] = await Promise.all([
      connectionAt(connected, 0).outcome(owner, 'set_document_member', { document, person: manager.id, role: null }),
      connectionAt(connected, 1).outcome(manager, 'answer_request', { request: request?.id, role: 'editor' }),
      connectionAt(connected, 2).outcome(owner, 'answer_request', { request: request?.id, role: null }),
    ]);
    expect([lost, denied]).toEqual(['ok', 'ok']);
    expect(['ok', 'WF001']).toContain(allowed);
    const [row] = await control.rows<{ by: string; given: string | null; role: string | null }>(
      `select answered_by as by, given_role as given, weft.document_role(document_id, user_id) as role
       from weft.access_requests where user_id = $1`,
      [asker.id],
    );
    expect(row?.given ?? null).toBe(row?.role ?? null);
    expect(row?.by === manager.id).toBe(row?.given === 'editor');
  }
});

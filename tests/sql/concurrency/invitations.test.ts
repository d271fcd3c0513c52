// Many people accept an invitation at the same moment, while its author loses the right to invite.
import { expect, test } from 'vitest';
import { createdInvite } from '../../../src/protocol/people-answers.ts';
import type { Person } from '../../support/database/sql.ts';
import { inviteArgs } from '../fixture/invite.ts';
import { type Connections, useConnections } from './connections.ts';

const connections = useConnections(10);

async function newPeople({ control }: Connections, count: number): Promise<Person[]> {
  const rows = await control.rows<{ id: string }>(
    `insert into auth.users (id, is_anonymous) select gen_random_uuid(), true from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => ({ id, guest: true }));
}

async function newInvite({ control, fixture }: Connections, by: Person, maxUses: number | null) {
  const options = maxUses === null ? {} : { maxUses };
  return control.ask(by, createdInvite, 'create_invite', inviteArgs(fixture.workspace, options));
}

/** Everyone accepts at once; returns how many got each answer. */
async function acceptAll({ pool }: Connections, people: readonly Person[], secret: string) {
  const outcomes = await Promise.all(
    people.map(async (person, at) => pool[at % pool.length]?.outcome(person, 'accept_invite', { secret })),
  );
  return { joined: people.filter((_, at) => outcomes[at] === 'ok'), outcomes: new Set(outcomes) };
}

test('if 50 accept an invitation for 10 at once, 10 join, and their names differ', async () => {
  const connected = connections();
  const { control, fixture } = connected;
  const { secret, invite } = await newInvite(connected, fixture.people.admin, 10);
  const { joined, outcomes } = await acceptAll(connected, await newPeople(connected, 50), secret);
  expect([joined.length, outcomes]).toEqual([10, new Set(['ok', 'WF009'])]);
  const [row] = await control.rows('select uses from weft.invites where id = $1', [invite.id]);
  expect(row).toEqual({ uses: 10 });
  const members = await control.rows<{ name: string }>(
    `select p.display_name as name from public.workspace_members as m join public.profiles as p on p.id = m.user_id
     where m.workspace_id = $1 and m.user_id = any ($2)`,
    [fixture.workspace, joined.map(({ id }) => id)],
  );
  expect([members.length, new Set(members.map(({ name }) => name)).size]).toEqual([10, 10]);
});

test('no one joins through a link whose author was removed before', async () => {
  const connected = connections();
  const { control, pool, fixture } = connected;
  for (let round = 0; round < 5; round++) {
    const [author, ...people] = await newPeople(connected, 20);
    if (author === undefined) throw new Error('no one');
    const join = `insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, 'admin')`;
    await control.rows(join, [fixture.workspace, author.id]);
    const { secret } = await newInvite(connected, author, null);
    const removal = { workspace: fixture.workspace, person: author.id };
    const [accepted] = await Promise.all([
      acceptAll(connected, people, secret),
      pool[round % pool.length]?.call(fixture.people.owner, 'remove_workspace_member', removal),
    ]);
    const late = await pool[0]?.outcome(people[0] ?? author, 'accept_invite', { secret });
    expect(late).toBe(accepted.joined.includes(people[0] ?? author) ? 'ok' : 'WF009');
  }
});

test('one person who accepts from ten tabs uses the invitation once', async () => {
  const connected = connections();
  const { secret, invite } = await newInvite(connected, connected.fixture.people.admin, 10);
  const [person] = await newPeople(connected, 1);
  if (person === undefined) throw new Error('no one');
  const { joined } = await acceptAll(
    connected,
    Array.from({ length: 10 }, () => person),
    secret,
  );
  expect(joined.length).toBe(10);
  const [row] = await connected.control.rows('select uses from weft.invites where id = $1', [invite.id]);
  expect(row).toEqual({ uses: 1 });
});

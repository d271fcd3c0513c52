// What a person learns of a page with nothing but a link to it, or after leaving it: from every table, function and topic.
import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdLink } from '../../src/protocol/answers.ts';
import { editingSessions } from '../../src/protocol/history-answers.ts';
import { publicFunctions, publicTables } from '../support/database/public-objects.ts';
import { type Person, type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { rpc } from '../support/server/rpc.ts';

/** The tables that the API hands out by row; all others are for functions. */
const READABLE = ['documents', 'profiles', 'share_links', 'workspace_members', 'workspaces'];
const [workspace, page, session] = [randomUUID(), randomUUID(), randomUUID()];
const TITLE = 'Harbour ledger';

let backend: TestBackend;
let alice: Person;
let mallory: Person;
const links: Record<string, v.InferOutput<typeof createdLink>> = {};
let epoch: string;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
  [alice, mallory] = [await backend.signUp('alice@example.com', 'Alice Nwosu'), await backend.signUp()];
  await rpc(alice.client, 'create_workspace', { id: workspace, name: 'Quay', document: page });
  for (const role of ['viewer', 'editor']) {
    const made = await rpc(alice.client, 'create_share_link', { document: page, role, expires_at: null });
    links[role] = v.parse(createdLink, made);
  }
  ({ epoch } = v.parse(v.object({ epoch: v.string() }), await write(alice, session)));
  await rpc(alice.client, 'save_text', { document: page, seq: 2, title: TITLE, body_text: 'Opens at six' });
  await rpc(alice.client, 'name_version', { id: randomUUID(), document: page, seq: 2, name: 'Before the storm' });
});
afterAll(() => backend.close());

const edits = (of: string, nTo: number) => ({ session: of, nFrom: 1, nTo, update: 'AAA=' });

/** Registers a session, and appends its first edit with these dependencies. */
async function write({ client }: Person, own: string, dependencies: readonly unknown[] = []): Promise<unknown> {
  const registered = { document: page, session: own, client_id: randomInt(5_000, 2 ** 31), schema_version: 1 };
  await rpc(client, 'start_session', registered);
  const append = { document: page, session: own, n_from: 1, n_to: 1, update: 'AAA=', dependencies };
  return rpc(client, 'append_update', { ...append, known_seq: 1, schema_version: 1, live_peers: 0 });
}

/** An argument of this name that aims at the page. */
const aimed = (name: string, type: string, secret: string): unknown =>
  ({
    document: page,
    workspace,
    parent: page,
    session,
    sessions: [session],
    secret,
    link: links['editor']?.link.id,
    person: alice.id,
    role: 'viewer',
    query: 'harbour',
  })[name] ?? (type === 'uuid' ? randomUUID() : /int/.test(type) && name !== 'known_at' ? 1 : null);

/** Of Alice, her workspace, and the page's other links, sessions and topics. */
const secrets = () => [
  alice.id,
  'Alice',
  workspace,
  'quay',
  session,
  'Before the storm',
  links['editor']?.link.id ?? '',
];

/** How each join ends. On sockets of their own, because the server answers a refused one after seconds. */
async function joining(person: Person, topics: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { data } = await person.client.auth.getSession();
  const statuses = topics.map(async (topic) => {
    const client = backend.anonClient();
    await client.realtime.setAuth(data.session?.access_token);
    const channel = client.channel(topic, { config: { private: true } });
    const status = await new Promise<string>((resolve) => void channel.subscribe(resolve));
    await client.removeChannel(channel);
    return [topic, status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}
const all = (topics: readonly string[], status: string) => Object.fromEntries(topics.map((topic) => [topic, status]));

const topics = () => [`d:${page}:${epoch}`, `v:${page}:${epoch}`, `k:${workspace}:1`, `u:${alice.id}`];

describe.each(['someone with an account', 'a guest'])('%s who has a link to watch', (who) => {
  let watcher: Person;
  beforeAll(async () => {
    watcher = who === 'a guest' ? await backend.guest() : mallory;
  });
  const secret = () => links['viewer']?.secret ?? '';

  test('gets no role by it, and no table shows them anything', async () => {
    const { error } = await watcher.client.rpc('redeem_share_link', { secret: secret() });
    expect(error?.code).toBe('WF002');
    for (const table of publicTables()) {
      const { data, error: refused } = await watcher.client
        .from(table)
        .select(['share_links', 'profiles'].includes(table) ? 'id' : '*');
      const seen = refused?.code === '42501' ? 'refused' : data;
      const expected = !READABLE.includes(table) ? 'refused' : table === 'profiles' ? [{ id: watcher.id }] : [];
      expect([table, seen]).toEqual([table, expected]);
    }
  });

  test('learns nothing of people, sessions, versions, topics and other links from any function', async () => {
    for (const { name, args } of publicFunctions()) {
      if (name === 'delete_account') continue;
      const aim = Object.fromEntries(args.map((arg) => [arg.name, aimed(arg.name, arg.type, secret())]));
      const { data } = await watcher.client.rpc(name, aim);
      const text = JSON.stringify(data) ?? '';
      expect([name, secrets().filter((one) => text.includes(one))]).toEqual([name, []]);
      // The page itself comes from the call for watchers alone.
      expect([name, text.includes(TITLE)]).toEqual([name, name === 'open_watch']);
    }
  });

  test('joins the topic for watchers of this link and no other', async () => {
    const opened = await rpc(watcher.client, 'open_watch', { secret: secret(), since: 0 });
    const { topic } = v.parse(v.object({ topic: v.string() }), opened);
    expect(await joining(watcher, [topic, ...topics()])).toEqual({
      ...all(topics(), 'CHANNEL_ERROR'),
      [topic]: 'SUBSCRIBED',
    });
  });
});

test('a guest by a link to edit reads no history, and no one else’s access', async () => {
  const guest = await backend.guest();
  await rpc(guest.client, 'redeem_share_link', { secret: links['editor']?.secret });
  for (const [name, args] of [
    ['history_rows', { document: page, after: 0 }],
    ['list_sittings', { document: page }],
    ['list_versions', { document: page }],
    ['link_history', { secret: links['editor']?.secret, after: 0, until: null }],
  ] as const)
    expect([name, (await guest.client.rpc(name, args)).error?.code]).toEqual([name, 'WF002']);
  for (const table of ['updates', 'snapshots', 'versions', 'sessions', 'members'])
    expect([table, (await guest.client.from(`document_${table}`).select('*')).error?.code]).toEqual([table, '42501']);
  expect(await rpc(guest.client, 'list_activity', { workspace })).toEqual([]);
});

test('a person who leaves, allowed by name or by link, reads and hears nothing more', async () => {
  const bob = await backend.signUp();
  await rpc(alice.client, 'set_document_member', { document: page, person: bob.id, role: 'editor' });
  await rpc(bob.client, 'redeem_share_link', { secret: links['editor']?.secret });
  await rpc(alice.client, 'set_document_access', { document: page, access: 'restricted' });
  const { epoch: before } = v.parse(
    v.object({ epoch: v.string() }),
    await rpc(bob.client, 'open_document', { document: page, since: 0 }),
  );
  await rpc(bob.client, 'remove_workspace_member', { workspace, person: bob.id });
  const after = v.parse(
    v.object({ epoch: v.string() }),
    await rpc(alice.client, 'open_document', { document: page, since: 0 }),
  );
  expect(after.epoch).not.toBe(before);
  expect((await bob.client.rpc('open_document', { document: page, since: 0 })).error?.code).toBe('WF001');
  const gone = [`d:${page}:${before}`, `d:${page}:${after.epoch}`, `v:${page}:${after.epoch}`];
  expect(await joining(bob, gone)).toEqual(all(gone, 'CHANNEL_ERROR'));
});

test('an editor who passes on edits under another’s session does not make them an author', async () => {
  const [victim, forger] = [await backend.signUp(), await backend.signUp()];
  for (const { id } of [victim, forger])
    await rpc(alice.client, 'set_document_member', { document: page, person: id, role: 'editor' });
  const stolen = randomUUID();
  await rpc(victim.client, 'start_session', {
    document: page,
    session: stolen,
    client_id: randomInt(5_000, 2 ** 31),
    schema_version: 1,
  });
  await write(forger, randomUUID(), [edits(stolen, 3)]);
  const found = v.parse(editingSessions, await rpc(alice.client, 'list_sittings', { document: page }));
  expect(found[0]).toMatchObject({ passedOn: 3, authors: expect.arrayContaining([forger.id]) });
  expect(found.flatMap(({ authors }) => authors)).not.toContain(victim.id);
  expect(await rpc(alice.client, 'list_sittings', { document: page, person: victim.id })).toEqual([]);
});

// A stranger has no right to the page, signed in or not. No table, function, channel or storage path lets them read or change
// it. The owner makes the same calls, which succeed, so that the refusals prove something.
import { randomBytes, randomUUID } from 'node:crypto';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { publicFunctions, publicTables } from '../../support/database/public-objects.ts';
import { readLog, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const WORKSPACE_NAME = 'Harbour Office';
const TITLE = 'Harbour ledger';
const TEXT = 'the-harbour-opens-at-six';

const document = randomUUID();
const workspace = randomUUID();
const session = randomUUID();
/** No answer to a stranger may contain any of these. */
const secrets = [document, workspace, session, WORKSPACE_NAME, TITLE, TEXT];

let server: WeftServer;
let service: SupabaseClient;
let owner: SupabaseClient;
let epoch: string;
const strangers: { signedIn?: SupabaseClient; anonymous?: SupabaseClient } = {};

const STRANGERS = ['signedIn', 'anonymous'] as const;
function stranger(who: (typeof STRANGERS)[number]): SupabaseClient {
  const client = strangers[who];
  if (client === undefined) throw new Error('beforeAll has not created this client yet');
  return client;
}

const newClient = () =>
  createClient(server.url, server.anonKey, { auth: { persistSession: false, autoRefreshToken: false } });

async function signedUp(name: string): Promise<SupabaseClient> {
  const client = newClient();
  const email = `${name}.${randomBytes(4).toString('hex')}@weft.example`;
  const { error } = await client.auth.signUp({ email, password: 'correct horse battery' });
  if (error !== null) throw error;
  await client.realtime.setAuth();
  return client;
}

async function answer(call: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> {
  const { data, error } = await call;
  if (error !== null) throw new Error(JSON.stringify(error));
  return data;
}

beforeAll(async () => {
  server = await WeftServer.start();
  service = serviceClient(server);
  [owner, strangers.signedIn] = await Promise.all([signedUp('alice'), signedUp('mallory')]);
  strangers.anonymous = newClient();
  await answer(owner.rpc('create_workspace', { id: workspace, name: WORKSPACE_NAME, document }));
  await answer(owner.rpc('start_session', { document, session, client_id: 4711, schema_version: 1 }));
  const opened = await answer(owner.rpc('append_update', appendOf(1)));
  epoch = String(Reflect.get(Object(opened), 'epoch'));
  await answer(owner.rpc('save_text', { document, seq: 2, title: TITLE, body_text: TEXT }));
  await answer(owner.rpc('create_share_link', { document, role: 'viewer', expires_at: null }));
});
afterAll(async () => {
  await Promise.all([owner, ...STRANGERS.map(stranger)].map((client) => client.removeAllChannels()));
  await WeftServer.stopAll();
});

function appendOf(n: number) {
  const doc = new Y.Doc();
  doc.clientID = 4711;
  doc.getText('title').insert(0, TITLE);
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
  return {
    document,
    session,
    n_from: n,
    n_to: n,
    update,
    dependencies: [],
    known_seq: 1,
    schema_version: 1,
    live_peers: 0,
  };
}

/** Everything the database stores about the page. */
async function pageAsStored(): Promise<unknown> {
  const rowsOf = (table: string, column: string, value: string, columns = '*') =>
    answer(service.from(table).select(columns).eq(column, value));
  return {
    log: await readLog(service, document),
    documents: await rowsOf('documents', 'id', document),
    heads: await rowsOf('document_heads', 'document_id', document),
    sessions: await rowsOf('document_sessions', 'document_id', document),
    snapshots: await rowsOf('document_snapshots', 'document_id', document),
    members: await rowsOf('document_members', 'document_id', document),
    links: await rowsOf('share_links', 'document_id', document, 'id, role, expires_at, revoked_at, created_by'),
    workspace: await rowsOf('workspaces', 'id', workspace),
    people: await rowsOf('workspace_members', 'workspace_id', workspace),
  };
}

const secretsIn = (value: unknown): string[] => {
  const text = JSON.stringify(value) ?? '';
  return secrets.filter((secret) => text.includes(secret));
};

/** A value for an argument or column of this name that aims at the page where it can. */
function argumentFor(name: string, type: string): unknown {
  const known: Record<string, unknown> = {
    document,
    document_id: document,
    workspace,
    workspace_id: workspace,
    session,
    sessions: [session],
    parent: document,
    secret: randomBytes(16).toString('base64url'),
    role: 'manager',
    dependencies: [],
    update: appendOf(2).update,
    rank: 'a5',
    name: 'Mine now',
    title: 'Mine now',
    display_name: 'Mallory',
    color: 'rust',
  };
  if (name in known) return known[name];
  if (type === 'uuid') return randomUUID();
  if (/int/.test(type)) return 1;
  if (type === 'timestamptz') return null;
  return 'x';
}

describe.each(STRANGERS)('a stranger (%s)', (who) => {
  test.each(publicTables())('reads nothing of the page in the table %s and changes nothing there', async (table) => {
    const client = stranger(who);
    const before = await pageAsStored();
    expect(secretsIn((await client.from(table).select('*')).data)).toEqual([]);
    for (const [column, value] of [
      ['document_id', document],
      ['id', document],
      ['id', workspace],
      ['workspace_id', workspace],
    ] as const) {
      expect(secretsIn((await client.from(table).select('*').eq(column, value)).data)).toEqual([]);
      await client.from(table).update({ created_at: '2020-01-01T00:00:00Z' }).eq(column, value);
      await client.from(table).update({ role: 'owner' }).eq(column, value);
      await client.from(table).delete().eq(column, value);
    }
    const user = (await client.auth.getUser()).data.user?.id ?? randomUUID();
    const rows: Record<string, unknown>[] = [
      { document_id: document, user_id: user, role: 'manager' },
      { workspace_id: workspace, user_id: user, role: 'owner' },
      { document_id: document, seq: 99, session, n_from: 1, n_to: 1, update: '\\x00' },
      { workspace_id: workspace, rank: 'a9', title: 'Mine now', access: 'workspace' },
    ];
    for (const row of rows) expect((await client.from(table).insert(row)).error).not.toBeNull();
    expect(await pageAsStored()).toEqual(before);
  });

  test.each(publicFunctions())(
    'reads nothing of the page through the function $name and changes nothing',
    async ({ name, args }) => {
      const before = await pageAsStored();
      const aim = Object.fromEntries(args.map((arg) => [arg.name, argumentFor(arg.name, arg.type)]));
      const { data, error } = await stranger(who).rpc(name, aim);
      expect(secretsIn(data)).toEqual([]);
      // An error may repeat the arguments, never the content of the page.
      expect(JSON.stringify(error) ?? '').not.toMatch(new RegExp([WORKSPACE_NAME, TITLE, TEXT].join('|')));
      expect(await pageAsStored()).toEqual(before);
    },
  );

  test('is refused by every topic of the page and its workspace, and receives and sends nothing', async () => {
    const topics = [`d:${document}:${epoch}`, `v:${document}:${epoch}`, `k:${workspace}:1`, 'w:guessed'];
    // One connection for each topic: the server refuses joins after 5 s, and one after the other on a connection.
    const clients = await Promise.all(
      topics.map(async () => (who === 'anonymous' ? newClient() : signedInAgain(stranger(who)))),
    );
    const joined = await Promise.all(topics.map((topic, at) => join(clients[at] ?? newClient(), topic)));
    expect(joined.map(({ status, detail }) => `${status} ${detail}`)).toEqual(
      topics.map(() => expect.stringMatching(/^CHANNEL_ERROR .*nauthorized/)),
    );

    const listening = await join(owner, topics[0] ?? '');
    expect(listening).toMatchObject({ status: 'SUBSCRIBED', detail: '' });
    await Promise.all(
      joined.map(({ channel }) => channel.httpSend('live-update', { from: 'stranger' }).catch(() => null)),
    );
    const second = await signedInAgain(owner);
    const speaking = await join(second, topics[0] ?? '');
    await speaking.channel.send({ type: 'broadcast', event: 'live-update', payload: { from: 'owner' } });
    await expect.poll(() => JSON.stringify(listening.received)).toContain('owner');
    expect(JSON.stringify(listening.received)).not.toContain('stranger');
    expect(joined.map(({ received }) => received)).toEqual(topics.map(() => []));
    await Promise.all([...clients, second, owner].map((client) => client.removeAllChannels()));
  });

  test('can neither read nor store a file under the page', async () => {
    const client = stranger(who);
    for (const bucket of ['attachments', 'public']) {
      const files = client.storage.from(bucket);
      expect((await files.list(document)).data ?? []).toEqual([]);
      expect((await files.upload(`${document}/${randomUUID()}`, 'x')).error).not.toBeNull();
      expect((await files.download(`${document}/x`)).error).not.toBeNull();
    }
    expect((await client.storage.createBucket(document)).error).not.toBeNull();
  });
});

describe('the owner, with the same calls,', () => {
  test('reads the page by table and by function', async () => {
    expect(secretsIn(await answer(owner.from('documents').select('*')))).toEqual(
      expect.arrayContaining([document, TITLE]),
    );
    expect(secretsIn(await answer(owner.from('workspaces').select('*')))).toContain(WORKSPACE_NAME);
    expect(secretsIn(await answer(owner.rpc('open_document', { document, since: 0 })))).toContain(document);
    expect(await answer(owner.rpc('open_document', { document, since: 0 }))).toMatchObject({ head: 2 });
  });

  test('appends to it', async () => {
    const before = await readLog(service, document);
    await answer(owner.rpc('append_update', appendOf(2)));
    expect(await readLog(service, document)).toHaveLength(before.length + 1);
  });

  test('the lists of tables and functions are not empty', () => {
    expect(publicTables().length).toBeGreaterThanOrEqual(10);
    expect(publicFunctions().length).toBeGreaterThanOrEqual(18);
  });
});

type Joined = { channel: ReturnType<SupabaseClient['channel']>; status: string; detail: string; received: unknown[] };

/** Joins a private topic; times out after 10 s. */
function join(client: SupabaseClient, topic: string): Promise<Joined> {
  const received: unknown[] = [];
  const channel = client.channel(topic, { config: { private: true } });
  channel.on('broadcast', { event: '*' }, (message) => received.push(message));
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve({ channel, status, detail: error?.message ?? '', received }), 10_000);
  });
}

/** A second connection of the same person: a channel does not deliver a client's own broadcasts. */
async function signedInAgain(client: SupabaseClient): Promise<SupabaseClient> {
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('signed out');
  const second = newClient();
  await second.auth.setSession(data.session);
  await second.realtime.setAuth();
  return second;
}

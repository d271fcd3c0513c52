// A share link shows its page and nothing else of the workspace: by no topic of Realtime, no path of Storage and no table. The
// refusals are the same for things that exist elsewhere and for things that do not.
import { randomBytes, randomUUID } from 'node:crypto';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { supabaseOwnAccount } from '../../src/platform/supabase/own-account.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import { LINK_HEADER } from '../../src/protocol/attachment.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { publicTables } from '../support/database/public-objects.ts';
import { type Person, type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { rpc } from '../support/server/rpc.ts';
import { uploadAttachment } from '../support/server/upload-attachment.ts';
import { RawClient } from './realtime/support/raw-client.ts';

const SECRET_WORDS = 'The treasure is below the third crane';
const PICTURE = new Blob(['a picture'], { type: 'image/png' });

let backend: TestBackend;
let alice: Person;
const workspace = randomUUID();
const page = randomUUID();
const hidden = randomUUID();
const files = { page: randomUUID(), hidden: randomUUID() };
let avatar: string;
let link: { secret: string; topic: string };
const sockets: RawClient[] = [];

beforeAll(async () => {
  backend = await startTestBackend();
  alice = await backend.signUp('alice@example.com', 'Alice');
  const { client } = alice;
  await rpc(client, 'create_workspace', {
    id: workspace,
    name: 'Harbour Office',
    document: page,
    schema_version: SCHEMA_VERSION,
  });
  await rpc(client, 'create_document', {
    id: hidden,
    workspace,
    parent: page,
    rank: 'a5',
    schema_version: SCHEMA_VERSION,
  });
  await rpc(client, 'save_text', { document: hidden, seq: 1, title: SECRET_WORDS, body_text: SECRET_WORDS });
  for (const [document, id] of [
    [page, files.page],
    [hidden, files.hidden],
  ] as const) {
    await rpc(client, 'create_attachment', { id, document, name: 'map.png', mime: 'image/png', bytes: PICTURE.size });
    const uploaded = await uploadAttachment(backend, alice, `${document}/${id}`, PICTURE);
    if (uploaded.status !== 200) throw new Error(uploaded.text);
  }
  const user = parseUserId(alice.id);
  if (user === null) throw new Error('malformed id');
  const account = supabaseOwnAccount(client, { url: backend.url, anonKey: backend.server.anonKey }, user);
  const picture = await account.setPicture({ displayName: 'Alice', color: 'rust' }, PICTURE);
  if (!picture.ok) throw new Error(picture.error.detail);
  avatar = picture.value.avatarPath ?? '';
  link = await linkTo(page);
});
afterAll(async () => {
  for (const socket of sockets) socket.end();
  await backend.close();
});

async function linkTo(document: string) {
  const answer = await rpc(alice.client, 'create_share_link', { document, role: 'viewer', expires_at: null });
  const { secret } = v.parse(createdLink, answer);
  const { topic } = v.parse(
    v.object({ topic: v.string() }),
    await rpc(backend.anonClient(), 'open_watch', { secret, since: 0 }),
  );
  return { secret, topic };
}

/** A client that sends the secret with every call, as pictures of a watched page do. */
const withSecret = (secret: string | null): SupabaseClient =>
  createClient(backend.url, backend.server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: secret === null ? {} : { [LINK_HEADER]: secret } },
  });

async function connect(): Promise<RawClient> {
  const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend.server.anonKey}&vsn=2.0.0`;
  const socket = await RawClient.open(address, { frameTimeoutMs: 12_000, settleMs: 100 });
  sockets.push(socket);
  return socket;
}

const PRIVATE = { private: true, broadcast: { self: true }, presence: { enabled: true, key: '' } };
const hiddenText = () => new RegExp([workspace, hidden, alice.id, SECRET_WORDS, 'Harbour Office', 'Alice'].join('|'));

let clientId = 4_711;
const newClientId = () => clientId++;

/** Alice does everything that topics report. */
async function aliceIsBusy(): Promise<void> {
  const { client } = alice;
  const session = randomUUID();
  await rpc(client, 'start_session', {
    document: hidden,
    session,
    client_id: newClientId(),
    schema_version: SCHEMA_VERSION,
  });
  await rpc(client, 'announce_session', { document: hidden, session, is_writing: true });
  await rpc(client, 'keep_watching', { document: hidden, seq: 0 });
  await rpc(client, 'present', { document: hidden, session, place: { block: 'a', offset: 0 }, starts: true });
  await rpc(client, 'set_document_icon', { document: hidden, icon: 'anchor' });
  await rpc(client, 'rename_workspace', { workspace, name: `Harbour Office ${randomUUID()}` });
  await rpc(client, 'update_profile', {
    display_name: `Alice ${randomBytes(2).toString('hex')}`,
    color: 'rust',
    avatar_path: 'keep',
  });
}

test('no topic but its own lets a link in, and those that exist are refused as those that do not', async () => {
  const topics = (one: { workspace: string; person: string; page: string; hidden: string; key: string }) => [
    `k:${one.workspace}:1`,
    `u:${one.person}`,
    ...[one.page, one.hidden].flatMap((document) => [`d:${document}:1.1`, `v:${document}:1.1`]),
    one.key,
    `${one.key}:1`,
    `d:${one.page}`,
    `k:${one.workspace}`,
  ];
  const existing = topics({ workspace, person: alice.id, page, hidden, key: `${link.topic}:more` });
  const made = topics({
    workspace: randomUUID(),
    person: randomUUID(),
    page: randomUUID(),
    hidden: randomUUID(),
    key: `w:${randomBytes(16).toString('base64url')}`,
  });
  // The link's own secret opens nothing: the topic's key is another one.
  const odd = [
    'w:',
    'w:%',
    `w:${link.secret}`,
    link.topic.toUpperCase(),
    `W${link.topic.slice(1)}`,
    `${link.topic} `,
    '*',
    'd:*',
    'k:*',
  ];
  // One connection for each topic: the server answers refused joins after seconds, and one after the other on a connection.
  const refused = await Promise.all(
    [...existing, ...made, ...odd].map(async (topic) => {
      const socket = await connect();
      const answer = JSON.stringify(await socket.join(`realtime:${topic}`, PRIVATE));
      return { socket, answer: answer.replaceAll(topic, 'TOPIC') };
    }),
  );
  const answers = new Set(refused.map(({ answer }) => answer));
  expect(Array.from(answers, (answer) => answer.includes('"status":"error"'))).toEqual([true]);
  await aliceIsBusy();
  for (const { socket } of refused) expect(JSON.stringify(await socket.rest())).not.toMatch(hiddenText());
});

test('its own topic says nothing of the workspace, and shows no one', async () => {
  const [one, other] = [await connect(), await connect()];
  for (const socket of [one, other]) {
    expect(await socket.join(`realtime:${link.topic}`, PRIVATE)).toMatchObject({ status: 'ok' });
  }
  await rpc(backend.anonClient(), 'open_watch', { secret: link.secret, since: 0 });
  await aliceIsBusy();
  const session = randomUUID();
  await rpc(alice.client, 'start_session', {
    document: page,
    session,
    client_id: newClientId(),
    schema_version: SCHEMA_VERSION,
  });
  await rpc(alice.client, 'present', { document: page, session, place: { block: 'a', offset: 0 }, starts: true });
  const text = [...(await one.rest()), ...(await other.rest())]
    .map((frame) => (frame instanceof Uint8Array ? Buffer.from(frame).toString('latin1') : JSON.stringify(frame)))
    .join('\n');
  expect(text).toContain('presenting');
  expect(text).not.toMatch(hiddenText());
  expect(text).not.toContain(session);
});

test('what a watcher sends reaches no other watcher, whatever it pretends to be', async () => {
  const [liar, other] = [await connect(), await connect()];
  const topic = `realtime:${link.topic}`;
  for (const socket of [liar, other]) expect(await socket.join(topic, PRIVATE)).toMatchObject({ status: 'ok' });
  await other.rest();
  for (const event of ['rows', 'ended', 'presenting', 'moved', 'change'])
    liar.send([
      '1',
      '2',
      topic,
      'broadcast',
      { type: 'broadcast', event, payload: { forged: true }, meta: { id: 'x' } },
    ]);
  liar.send(['1', '3', topic, 'presence', { type: 'presence', event: 'track', payload: { forged: true } }]);
  await liar.rest();
  expect(JSON.stringify(await other.rest())).not.toContain('forged');
});

test('Storage gives a link the files of its page, and of others not even whether they are there', async () => {
  const call = async (path: string, secret: string | null, init: RequestInit = {}) => {
    const answer = await fetch(`${backend.url}/storage/v1/${path}`, {
      ...init,
      headers: {
        apikey: backend.server.anonKey,
        authorization: `Bearer ${backend.server.anonKey}`,
        'content-type': 'application/json',
        ...(secret === null ? {} : { [LINK_HEADER]: secret }),
      },
    });
    return `${answer.status} ${await answer.text()}`;
  };
  const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
  const own = `attachments/${page}/${files.page}`;
  expect(await call(`object/authenticated/${own}`, link.secret)).toBe('200 a picture');

  const wrong = randomBytes(16).toString('base64url');
  for (const secret of [link.secret, wrong, '', null]) {
    const attempts = (name: string): readonly (readonly [string, RequestInit?])[] => [
      ...['', 'authenticated/', 'public/', 'sign/', 'info/', 'info/authenticated/', 'info/public/'].map(
        (kind) => [`object/${kind}${name}`] as const,
      ),
      [`object/${name}`, { method: 'HEAD' }],
      [`render/image/authenticated/${name}`],
      [`object/sign/${name}`, post({ expiresIn: 60 })],
      [`object/upload/sign/${name}`, post({})],
      [`object/${name}`, { method: 'DELETE' }],
      [`object/${name}`, { method: 'PUT', body: 'x' }],
      [
        `object/copy`,
        post({
          bucketId: name.split('/')[0],
          sourceKey: name.split('/').slice(1).join('/'),
          destinationKey: `${page}/${files.page}.small`,
        }),
      ],
      [
        `object/move`,
        post({
          bucketId: name.split('/')[0],
          sourceKey: name.split('/').slice(1).join('/'),
          destinationKey: `${page}/x`,
        }),
      ],
    ];
    for (const [there, notThere] of [
      [`attachments/${hidden}/${files.hidden}`, `attachments/${randomUUID()}/${randomUUID()}`],
      [`avatars/${avatar}`, `avatars/${randomUUID()}/${randomUUID()}`],
    ] as const) {
      const unknown = attempts(notThere);
      for (const [at, [path, init]] of attempts(there).entries()) {
        const [otherPath, otherInit] = unknown[at] ?? [''];
        const [answer, expected] = [await call(path, secret, init), await call(otherPath, secret, otherInit)];
        expect(`${path} ${answer}`).not.toMatch(/ 2\d\d /);
        expect(answer.replaceAll(there, 'NAME').replaceAll(path, 'PATH')).toBe(
          expected.replaceAll(notThere, 'NAME').replaceAll(otherPath, 'PATH'),
        );
      }
    }
    for (const prefix of ['', page, hidden, `${hidden}/`, alice.id])
      for (const bucket of ['attachments', 'avatars'])
        expect(await call(`object/list/${bucket}`, secret, post({ prefix, limit: 100, offset: 0 }))).toMatch(
          /^(200 \[\]|4\d\d )/,
        );
    for (const path of ['bucket', 'bucket/attachments', 'bucket/avatars'])
      expect(await call(path, secret)).toMatch(/^(200 \[\]|4\d\d )/);
  }
});

test.each(publicTables())('the table %s has no row for a caller that sends a link’s secret', async (table) => {
  for (const client of [withSecret(link.secret), withSecret(null)]) {
    const { data } = await client.from(table).select('*');
    expect(data ?? []).toEqual([]);
  }
});

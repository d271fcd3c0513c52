// Files that someone with an account uploads to harm the readers of a page: bodies that unfold in a browser, that are larger
// than the bucket allows, that a browser could run or a cache would keep, and addresses that outlive a right.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { type Person, type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { uploadAttachment } from '../support/server/upload-attachment.ts';

let backend: TestBackend;
let mallory: Person;
let document: string;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
  mallory = await backend.signUp();
  document = randomUUID();
  await mallory.client.rpc('create_workspace', { id: randomUUID(), name: 'Harbour', document }).throwOnError();
  await backend.serviceClient().storage.createBucket('open', { public: true });
  await backend.pg.exec(
    `create policy weft_test_open on storage.objects for select to authenticated using (bucket_id = 'open')`,
  );
});
afterAll(() => backend.close());

/** The path of a registered attachment of the page, without its bytes. */
async function register(bytes = 1024 * 1024): Promise<string> {
  const id = randomUUID();
  const about = { id, document, name: 'swan.png', mime: 'image/png', bytes };
  await mallory.client.rpc('create_attachment', about).throwOnError();
  return `${document}/${id}`;
}

const stored = async (path: string): Promise<number> => {
  const { rows } = await backend.pg.query(
    `select from storage.objects where bucket_id = 'attachments' and name = $1 and version is not null`,
    [path],
  );
  return rows.length;
};

const BOMB = gzipSync(Buffer.alloc(4 * 1024 * 1024));
const PICTURE = new Blob([new Uint8Array(BOMB)], { type: 'image/png' });

/** Sent in chunks, without a length. */
const endless = (bytes: number) => {
  let left = bytes;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(left, 256 * 1024);
      left -= size;
      controller.enqueue(new Uint8Array(size));
      if (left === 0) controller.close();
    },
  });
};

test.each<[string, () => Blob | ReadableStream<Uint8Array>, Record<string, string | null>]>([
  ['compressed', () => PICTURE, { 'content-encoding': 'gzip' }],
  ['compressed twice', () => PICTURE, { 'content-encoding': 'gzip, gzip' }],
  ['without a length', () => endless(1), {}],
  ['without a length and too large', () => endless(27 * 1024 * 1024), {}],
  ['that browsers run', () => new Blob(['<script>'], { type: 'text/html' }), {}],
  ['for caches to keep', () => PICTURE, { 'cache-control': 'public, max-age=31536000' }],
  ['without a header for caches', () => PICTURE, { 'cache-control': null }],
])('an upload %s is refused and leaves nothing behind', async (_, body, headers) => {
  const path = await register();
  const { status, text } = await uploadAttachment(backend, mallory, path, body(), headers);
  expect([status, text]).toEqual([400, expect.stringMatching(/row-level security|Content-Encoding/)]);
  expect(await stored(path)).toBe(0);
});

test('a file is no larger than it was announced, and a guest fills 50 MiB, whatever they upload at once', async () => {
  const path = await register(1);
  for (const version of ['', '.view', '.small']) {
    const large = new Blob([new Uint8Array(25 * 1024 * 1024)], { type: 'image/png' });
    const { status, text } = await uploadAttachment(backend, mallory, path + version, large);
    expect([status, text]).toEqual([400, expect.stringContaining('row-level security')]);
    expect(await stored(path + version)).toBe(0);
  }
  const guest = await backend.guest();
  const page = randomUUID();
  await guest.client.rpc('create_workspace', { id: randomUUID(), name: 'Full', document: page }).throwOnError();
  const bytes = 20 * 1024 * 1024;
  const register20 = () =>
    guest.client.rpc('create_attachment', { id: randomUUID(), document: page, name: 'a', mime: 'a/b', bytes });
  const answers = await Promise.all(Array.from({ length: 12 }, register20));
  expect(answers.map(({ error }) => error?.code ?? 'ok').toSorted()).toEqual([
    ...Array.from({ length: 10 }, () => 'WF017'),
    'ok',
    'ok',
  ]);
});

test('a guest appends 16 MiB of text in a day, and not 300', async () => {
  const { client } = await backend.guest();
  const page = randomUUID();
  const session = randomUUID();
  await client.rpc('create_workspace', { id: randomUUID(), name: 'Full', document: page }).throwOnError();
  await client
    .rpc('start_session', { document: page, session, client_id: 5_000, schema_version: SCHEMA_VERSION })
    .throwOnError();
  const update = Buffer.alloc(MAX_UPDATE_BYTES, 7).toString('base64');
  const codes: string[] = [];
  for (let tried = 0; tried < 20; tried++) {
    const n = Math.min(tried, 16) + 1;
    const { error } = await client.rpc('append_update', {
      ...{ document: page, session, n_from: n, n_to: n, update, dependencies: [] },
      ...{ known_seq: n, schema_version: SCHEMA_VERSION, live_peers: 0 },
    });
    codes.push(error?.code ?? 'ok');
  }
  expect(codes).toEqual(Array.from({ length: 20 }, (_, at) => (at < 16 ? 'ok' : 'WF018')));
});

test('a guest makes three workspaces in an hour, and not 300', async () => {
  const guest = await backend.guest();
  const make = () =>
    guest.client.rpc('create_workspace', { id: randomUUID(), name: 'Another', document: randomUUID() });
  const answers = await Promise.all(Array.from({ length: 30 }, make));
  expect(answers.filter(({ error }) => error === null)).toHaveLength(3);
  expect(new Set(answers.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['WF008']));
});

test('no bucket keeps a Content-Encoding, neither from a header nor from a form', async () => {
  const files = backend.serviceClient().storage.from('open');
  const headers = { apikey: backend.server.serviceRoleKey, 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  const raw = await fetch(`${backend.url}/storage/v1/object/open/raw`, { method: 'POST', headers, body: PICTURE });
  expect([raw.status, await raw.text()]).toEqual([400, expect.stringContaining('Content-Encoding')]);
  const form = new FormData();
  form.append('contentEncoding', 'gzip');
  form.append('', PICTURE);
  const sent = await fetch(`${backend.url}/storage/v1/object/open/form`, {
    method: 'POST',
    headers: { apikey: backend.server.serviceRoleKey },
    body: form,
  });
  expect([sent.status, await sent.text()]).toEqual([400, expect.stringContaining('Content-Encoding')]);
  expect((await files.list()).data).toEqual([]);
});

test('a copy does not pass the rules for types, sizes and caches', async () => {
  const open = backend.serviceClient().storage.from('open');
  const sources = [
    ['page.html', 'text/html', '3600'],
    ['cached.png', 'image/png', '31536000'],
  ] as const;
  for (const [name, contentType, cacheControl] of sources) {
    expect((await open.upload(name, 'x', { contentType, cacheControl })).error).toBeNull();
    const path = await register();
    const copied = await mallory.client.storage.from('open').copy(name, path, { destinationBucket: 'attachments' });
    expect(copied.error?.message).toMatch(/mime type|row-level security/);
    expect(await stored(path)).toBe(0);
  }
});

test.each([
  ['type.html', { allowedMimeTypes: ['image/*'] }, 'mime type text/html is not supported'],
  ['size.html', { fileSizeLimit: 3 }, 'The object exceeded the maximum allowed size'],
])('no bucket takes a copy that its rules forbid, although no policy does: %s', async (name, rules, message) => {
  // The service key passes every policy.
  const { storage } = backend.serviceClient();
  await storage.createBucket(`bucket of ${name}`, { public: false, ...rules });
  expect((await storage.from('open').upload(name, 'four', { contentType: 'text/html' })).error).toBeNull();
  const { error } = await storage.from('open').copy(name, name, { destinationBucket: `bucket of ${name}` });
  expect(error?.message).toBe(message);
  expect((await storage.from(`bucket of ${name}`).list()).data).toEqual([]);
});

test('a copy that brings its own type or header for caches is not supported', async () => {
  const [from, to] = [await register(), await register()];
  expect((await uploadAttachment(backend, mallory, from, PICTURE)).status).toBe(200);
  const { data } = await mallory.client.auth.getSession();
  for (const change of [{ metadata: { mimetype: 'text/html' } }, { copyMetadata: false }]) {
    const answer = await fetch(`${backend.url}/storage/v1/object/copy`, {
      method: 'POST',
      headers: { apikey: backend.server.anonKey, authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({ bucketId: 'attachments', sourceKey: from, destinationKey: to, ...change }),
    });
    expect(answer.status).toBe(501);
  }
  expect(await stored(to)).toBe(0);
});

test('there are no signed addresses, which would outlive the right to read', async () => {
  const path = await register();
  expect((await uploadAttachment(backend, mallory, path, PICTURE)).status).toBe(200);
  const { data } = await mallory.client.auth.getSession();
  const expiresIn = 50 * 365 * 86_400;
  for (const [call, body] of [
    [`object/sign/attachments/${path}`, { expiresIn }],
    ['object/sign/attachments', { expiresIn, paths: [path] }],
    [`object/upload/sign/attachments/${path}.view`, {}],
  ] as const) {
    const answer = await fetch(`${backend.url}/storage/v1/${call}`, {
      method: 'POST',
      headers: { apikey: backend.server.anonKey, authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify(body),
    });
    expect([call, answer.status]).toEqual([call, 501]);
  }
});

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as liteModule from '@supabase/lite';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FileStorage } from '../../../backend/lite/file-storage.ts';
import { addStorage } from '../../../backend/lite/storage-module.ts';
import { ROOT } from '../../../scripts/root.mjs';
import { type Person, type TestBackend, startTestBackend } from '../../support/backend.ts';
import { type StockLite, call, openStockLite } from './stock-lite.ts';

let backend: TestBackend;
let stock: StockLite;
let dir: string;
let alice: Person;
let stranger: SupabaseClient;
beforeAll(async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
  dir = await mkdtemp(join(tmpdir(), 'weft-test-'));
  [backend, stock] = await Promise.all([
    startTestBackend(),
    openStockLite({ prepare: (app) => addStorage(app, join(dir, 'stock')) }),
  ]);
  await backend.pg.exec(`
    create policy weft_test_own on storage.objects for all to authenticated
      using (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text);
  `);
  await backend.serviceClient().storage.createBucket('files', { public: false, fileSizeLimit: 1_000_000 });
  alice = await backend.signUp();
  stranger = (await backend.signUp()).client;
});
afterAll(async () => {
  await Promise.all([backend.close(), stock.close()]);
  await rm(dir, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const files = (client: SupabaseClient) => client.storage.from('files');
const upload = (path: string, text: string) =>
  files(alice.client).upload(path, new Blob([text], { type: 'text/plain' }));

describe('gaps of lite', () => {
  test('gap: Storage is behind an experiment that is off', () => {
    const program = `import('@supabase/lite').then((lite) => console.log(lite.isExperimentalEnabled('storage')))`;
    const env = { ...process.env, NODE_ENV: 'production' };
    expect(execFileSync(process.execPath, ['-e', program], { cwd: ROOT, env }).toString().trim()).toBe('false');
  });

  test('gap: no file system adapter is exported', () => {
    expect(Object.keys(liteModule).filter((name) => name.includes('Storage'))).toEqual(['getStorageSchemaSql']);
  });

  test('gap: a form as storage-js sends it has no file', async () => {
    const form = new FormData();
    form.append('', new Blob(['text']));
    const headers = { apikey: 'sb_secret_stock', authorization: 'Bearer sb_secret_stock' };
    const request = new Request('http://127.0.0.1:4400/storage/v1/object/b/form.txt', {
      method: 'POST',
      headers,
      body: form,
    });
    const response = await stock.fetch(request, null);
    expect(await response.json()).toMatchObject({ message: 'Missing file in multipart upload' });
  });

  test('gap: a forged signed address is a bug of the server', async () => {
    expect((await call(stock.fetch, '/storage/v1/object/sign/b/a.txt?token=forged')).status).toBe(500);
  });

  test('gap: signed addresses have another form', async () => {
    const headers = { apikey: 'sb_secret_stock', authorization: 'Bearer sb_secret_stock' };
    await call(stock.fetch, '/storage/v1/bucket', { headers, body: { id: 'b', name: 'b' } });
    await call(stock.fetch, '/storage/v1/object/b/folder/a.txt', { headers, body: 'text' });
    const signed = await call(stock.fetch, '/storage/v1/object/sign/b/folder/a.txt', {
      headers,
      body: { expiresIn: 60 },
    });
    expect(Object.keys(signed.body ?? {})).not.toContain('signedURL');
    const several = await call(stock.fetch, '/storage/v1/object/sign/b', {
      headers,
      body: { expiresIn: 60, paths: [] },
    });
    expect(several.status).toBeGreaterThanOrEqual(400);
    const listed = await call(stock.fetch, '/storage/v1/object/list/b', { headers, body: { prefix: 'folder' } });
    expect(listed.body).toMatchObject([{ name: 'folder/a.txt' }]);
  });
});

describe('files', () => {
  test('go in and come out, with their type', async () => {
    const path = `${alice.id}/in & out/ü.txt`;
    expect((await upload(path, 'hello')).error).toBeNull();
    const { data } = await files(alice.client).download(path);
    expect(await data?.text()).toBe('hello');
    expect(data?.type).toContain('text/plain');
  });

  test('are listed by their names below the prefix', async () => {
    await upload(`${alice.id}/listed/a.txt`, 'a');
    const { data } = await files(alice.client).list(`${alice.id}/listed`);
    expect(data?.map(({ name }) => name)).toEqual(['a.txt']);
  });

  test('are read through a signed address by somebody without an account, and by nobody through a forged one', async () => {
    const path = `${alice.id}/signed/b.txt`;
    await upload(path, 'signed');
    const { data } = await files(alice.client).createSignedUrl(path, 60);
    expect(await (await fetch(data?.signedUrl ?? '')).text()).toBe('signed');
    const forged = await fetch(`${data?.signedUrl}x`);
    expect(forged.status).toBe(400);
    expect(await forged.json()).toMatchObject({ error: 'InvalidJWT' });
  });

  test('are read through a signed address until it expires', async () => {
    const path = `${alice.id}/signed/short.txt`;
    await upload(path, 'short');
    const { data } = await files(alice.client).createSignedUrl(path, 1);
    expect((await fetch(data?.signedUrl ?? '')).status).toBe(200);
    await delay(2_000);
    expect((await fetch(data?.signedUrl ?? '')).status).toBe(400);
  });

  test('are signed several at once, each with its own answer', async () => {
    const [there, missing] = [`${alice.id}/several/c d.txt`, `${alice.id}/several/missing.txt`];
    await upload(there, 'several');
    const { data } = await files(alice.client).createSignedUrls([there, missing], 60);
    expect(data).toMatchObject([
      { path: there, error: null },
      { path: missing, error: expect.any(String) },
    ]);
    expect(await (await fetch(data?.[0]?.signedUrl ?? '')).text()).toBe('several');
  });

  test('are taken with a signed upload', async () => {
    const path = `${alice.id}/upload/d.txt`;
    const { data } = await files(alice.client).createSignedUploadUrl(path);
    const put = await files(backend.anonClient()).uploadToSignedUrl(path, data?.token ?? '', new Blob(['up']));
    expect(put.error).toBeNull();
    expect(await (await files(alice.client).download(path)).data?.text()).toBe('up');
  });

  test('of others cannot be read, written, listed, signed or removed', async () => {
    const path = `${alice.id}/private/e.txt`;
    await upload(path, 'private');
    for (const client of [stranger, backend.anonClient()]) {
      expect((await files(client).download(path)).error).not.toBeNull();
      expect((await files(client).upload(`${alice.id}/private/f.txt`, new Blob(['no']))).error).not.toBeNull();
      expect((await files(client).list(`${alice.id}/private`)).data).toEqual([]);
      expect((await files(client).createSignedUrl(path, 60)).error).not.toBeNull();
      expect((await files(client).remove([path])).data ?? []).toEqual([]);
    }
    expect(await (await files(alice.client).download(path)).data?.text()).toBe('private');
  });

  test('above the bucket’s size are refused', async () => {
    expect((await upload(`${alice.id}/big.txt`, 'x'.repeat(1_000_001))).error).not.toBeNull();
  });
});

describe('FileStorage', () => {
  test('keeps nothing outside its directory, whatever the key', async () => {
    const storage = new FileStorage(join(dir, 'inside'));
    await storage.uploadObject('b', '../../escape', undefined, Buffer.from('text'), 'text/plain', 'no-cache');
    expect(await readdir(dir)).toEqual(expect.not.arrayContaining(['escape']));
    expect(await storage.headObject('b', '../../escape')).toMatchObject({ size: 4, mimetype: 'text/plain' });
  });

  test('answers ranges and what has not changed', async () => {
    const storage = new FileStorage(join(dir, 'ranges'));
    const { eTag } = await storage.uploadObject(
      'b',
      'k',
      undefined,
      Buffer.from('0123456789'),
      'text/plain',
      'no-cache',
    );
    const part = await storage.getObject('b', 'k', undefined, { range: 'bytes=2-4' });
    expect(part).toMatchObject({ httpStatusCode: 206, metadata: { contentRange: 'bytes 2-4/10', contentLength: 3 } });
    expect(await storage.getObject('b', 'k', undefined, { ifNoneMatch: eTag })).toMatchObject({ httpStatusCode: 304 });
  });

  test('forgets what was deleted and copies what was copied', async () => {
    const storage = new FileStorage(join(dir, 'moves'));
    await storage.uploadObject('b', 'from', undefined, Buffer.from('x'), 'text/plain', 'no-cache');
    await storage.copyObject('b', 'from', undefined, 'b', 'to');
    await storage.deleteObjects('b', ['from']);
    await expect(storage.headObject('b', 'from')).rejects.toThrow('ENOENT');
    expect(await storage.headObject('b', 'to')).toMatchObject({ size: 1 });
  });
});

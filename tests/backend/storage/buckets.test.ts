import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StorageFixture, startStorage } from './storage-fixture.ts';

let fixture: StorageFixture;
beforeAll(async () => {
  fixture = await startStorage();
});
afterAll(() => fixture.backend.close());

const storage = () => fixture.service.storage;
const made = async (id: string, options: Parameters<StorageFixture['service']['storage']['createBucket']>[1]) => {
  expect(await storage().createBucket(id, options)).toMatchObject({ data: { name: id }, error: null });
  return storage().from(id);
};

describe('with a service key', () => {
  test('buckets are created, found and listed', async () => {
    await made('made', { public: true, fileSizeLimit: '1MB', allowedMimeTypes: ['image/*'] });
    expect((await storage().getBucket('made')).data).toMatchObject({
      id: 'made',
      name: 'made',
      public: true,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['image/*'],
    });
    const listed = async (options: Parameters<ReturnType<typeof storage>['listBuckets']>[0]) =>
      (await storage().listBuckets(options)).data?.map(({ id }) => id);
    expect(await listed({})).toEqual(['attachments', 'avatars', 'made', 'open', 'private']);
    expect(await listed({ search: 'MAD' })).toEqual(['made']);
    expect(await listed({ limit: 1, offset: 1, sortColumn: 'id', sortOrder: 'desc' })).toEqual(['open']);
  });

  test('a second bucket with the same name is refused', async () => {
    await made('twice', { public: false });
    expect((await storage().createBucket('twice')).error).toMatchObject({
      statusCode: '409',
      code: 'BucketAlreadyExists',
    });
  });

  test('invalid names and limits are refused', async () => {
    for (const name of ['', 'a/b', ' a', 'ä', 'x'.repeat(101)]) {
      expect((await storage().createBucket(name)).error).toMatchObject({ code: 'InvalidBucketName' });
    }
    expect((await storage().createBucket('x', { public: true, fileSizeLimit: 'much' })).error).not.toBeNull();
    expect((await storage().createBucket('x', { public: true, fileSizeLimit: '1GB' })).error).toMatchObject({
      statusCode: '413',
    });
    expect((await storage().createBucket('x', { public: true, allowedMimeTypes: ['no type'] })).error).not.toBeNull();
  });
});

test('without a service key no one creates or sees a bucket', async () => {
  for (const { storage: theirs } of [fixture.alice.client, fixture.backend.anonClient()]) {
    expect((await theirs.createBucket('theirs')).error).toMatchObject({ statusCode: '403', code: 'AccessDenied' });
    expect((await theirs.listBuckets()).data).toEqual([]);
    expect((await theirs.getBucket('private')).error).toMatchObject({ code: 'NoSuchBucket' });
  }
});

describe('a bucket’s rules', () => {
  test('a file above the size limit is refused, raw or as a form, and nothing of it is stored', async () => {
    const files = await made('small', { public: false, fileSizeLimit: 1000 });
    const tooMuch = 'x'.repeat(1001);
    const refused = {
      status: 400,
      statusCode: '413',
      code: 'EntityTooLarge',
      message: 'The object exceeded the maximum allowed size',
    };
    expect((await files.upload('raw', tooMuch)).error).toMatchObject(refused);
    expect((await files.upload('form', new Blob([tooMuch]))).error).toMatchObject(refused);
    const unannounced = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(tooMuch));
        controller.close();
      },
    });
    expect((await files.upload('stream', unannounced)).error).toMatchObject(refused);
    expect((await files.list()).data).toEqual([]);
    expect((await files.upload('just', tooMuch.slice(1))).error).toBeNull();
  });

  test('a type that the bucket does not allow is refused', async () => {
    const files = await made('typed', { public: false, allowedMimeTypes: ['image/*', 'text/plain'] });
    const refused = {
      status: 400,
      statusCode: '415',
      code: 'InvalidMimeType',
      message: 'mime type text/html is not supported',
    };
    expect((await files.upload('a', 'x', { contentType: 'text/html' })).error).toMatchObject(refused);
    expect((await files.upload('a', new Blob(['x'], { type: 'text/html' }))).error).toMatchObject(refused);
    expect((await files.upload('a', 'x', { contentType: 'imagex/png' })).error).toMatchObject({ statusCode: '415' });
    expect((await files.upload('a', 'x', { contentType: 'image/png' })).error).toBeNull();
    expect((await files.upload('b', 'x', { contentType: 'text/plain; charset=utf-8' })).error).toBeNull();
  });

  test('a public bucket is read by every key and written by no one', async () => {
    await storage().from('open').upload('open.txt', 'open');
    const theirs = fixture.backend.anonClient().storage.from('open');
    expect(await (await theirs.download('open.txt')).data?.text()).toBe('open');
    expect((await theirs.upload('open.txt', 'x', { upsert: true })).error).toMatchObject({ code: 'AccessDenied' });
    expect((await theirs.remove(['open.txt'])).data).toEqual([]);
  });
});

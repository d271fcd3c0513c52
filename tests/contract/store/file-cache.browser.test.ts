// Pictures and files on a device: record and bytes in one write, kept across a restart, deleted with the page or at
// sign-out.
import { expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { cachedDocuments } from '../../../src/platform/browser/storage/cached-documents.ts';
import { fileCache } from '../../../src/platform/browser/storage/file-cache.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import { type AttachmentId, parseAttachmentId } from '../../../src/protocol/ids.ts';
import { deviceDocument, deviceUser, newProject } from '../../support/server/device-ids.ts';

const idOf = (n: number): AttachmentId =>
  parseAttachmentId(`00000009-0000-4000-8000-${String(n).padStart(12, '0')}`) ?? (undefined as never);
const fileOf = (n: number, page = 1) => ({
  document: deviceDocument(page),
  id: idOf(n),
  madeAt: n,
  name: 'swan.png',
  mime: 'image/png',
  bytes: 3,
  from: null,
  refused: null,
});
const part = (text: string, version: 'original' | 'small' = 'original') => ({
  version,
  blob: new Blob([text], { type: 'image/png' }),
});
const never = { whileClosed: async <T>(_document: unknown, run: () => Promise<T>) => run() };

test('a queued file is there after a restart with its bytes; once uploaded it leaves the queue and is still shown', async () => {
  const project = newProject();
  await fileCache(weftDatabase(project, deviceUser)).queue(fileOf(2), [part('abc'), part('a', 'small')]);
  const cache = fileCache(weftDatabase(project, deviceUser));
  await cache.queue(fileOf(1), [part('x')]);
  expect((await cache.queued()).map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  expect(await (await cache.read(idOf(2), 'original'))?.text()).toBe('abc');
  expect((await cache.read(idOf(2), 'small'))?.type).toBe('image/png');
  expect(await cache.read(idOf(2), 'view')).toBeNull();
  await cache.refuse(idOf(2), 'WF002');
  expect(await cache.get(idOf(2))).toEqual({ ...fileOf(2), refused: 'WF002' });
  await cache.unqueue(idOf(2));
  expect(await cache.get(idOf(2))).toBeNull();
  expect(await (await cache.read(idOf(2), 'original'))?.text()).toBe('abc');
});

test('a picture of a comment leaves nothing on the device once it is uploaded', async () => {
  const cache = fileCache(weftDatabase(newProject(), deviceUser));
  await cache.queue({ ...fileOf(1), isOfComment: true }, [part('abc'), part('a', 'small')]);
  await cache.queue(fileOf(2), [part('x')]);
  expect(await cache.get(idOf(1))).toEqual({ ...fileOf(1), isOfComment: true });
  await cache.unqueue(idOf(1));
  expect([await cache.read(idOf(1), 'original'), await cache.read(idOf(1), 'small')]).toEqual([null, null]);
  expect(await (await cache.read(idOf(2), 'original'))?.text()).toBe('x');
});

test('only one tab at a time uploads a file', async () => {
  const cache = fileCache(weftDatabase(newProject(), deviceUser));
  const release = await cache.lock(idOf(77));
  expect(release).not.toBeNull();
  expect(await cache.lock(idOf(77))).toBeNull();
  release?.();
  await expect.poll(async () => (await cache.lock(idOf(77))) !== null).toBe(true);
});

test("deleting a page's copy deletes its pictures, unless some of them wait for their upload", async () => {
  const database = weftDatabase(newProject(), deviceUser);
  const [cache, documents] = [fileCache(database), cachedDocuments(database, never)];
  const shown = { document: deviceDocument(1), id: idOf(1) };
  await cache.put(shown, part('shown'));
  await cache.put({ document: deviceDocument(2), id: idOf(3) }, part('of another page'));
  await cache.queue(fileOf(2), [part('waits')]);
  expect(await documents.forgetIfSent(deviceDocument(1))).toBe(false);
  expect(await cache.read(idOf(1), 'original')).not.toBeNull();
  await cache.unqueue(idOf(2));
  expect(await documents.forgetIfSent(deviceDocument(1))).toBe(true);
  expect(await cache.read(idOf(1), 'original')).toBeNull();
  expect(await cache.read(idOf(2), 'original')).toBeNull();
  expect(await cache.read(idOf(3), 'original')).not.toBeNull();
});

test('signing out deletes all of them', async () => {
  const project = newProject();
  const database = weftDatabase(project, deviceUser);
  await fileCache(database).queue(fileOf(1), [part('abc')]);
  await idbStore(database.log).forgetAll();
  const after = fileCache(weftDatabase(project, deviceUser));
  expect(await after.queued()).toEqual([]);
  expect(await after.read(idOf(1), 'original')).toBeNull();
});

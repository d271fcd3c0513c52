// Pictures and files on a device: bytes and line in one write, kept over a restart, gone with the page or the person.
import { expect, test } from 'vitest';
import { fileShelf } from '../../../src/platform/browser/storage/file-cache.ts';
import { idbStore } from '../../../src/platform/browser/storage/idb-store.ts';
import { keptDocuments } from '../../../src/platform/browser/storage/cached-documents.ts';
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

test('what waits is there after a restart, bytes and all; stored, it waits no more and is still shown', async () => {
  const project = newProject();
  await fileShelf(weftDatabase(project, deviceUser)).queue(fileOf(2), [part('abc'), part('a', 'small')]);
  const shelf = fileShelf(weftDatabase(project, deviceUser));
  await shelf.queue(fileOf(1), [part('x')]);
  expect((await shelf.queued()).map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  expect(await (await shelf.read(idOf(2), 'original'))?.text()).toBe('abc');
  expect((await shelf.read(idOf(2), 'small'))?.type).toBe('image/png');
  expect(await shelf.read(idOf(2), 'view')).toBeNull();
  await shelf.refuse(idOf(2), 'WF002');
  expect(await shelf.get(idOf(2))).toEqual({ ...fileOf(2), refused: 'WF002' });
  await shelf.unqueue(idOf(2));
  expect(await shelf.get(idOf(2))).toBeNull();
  expect(await (await shelf.read(idOf(2), 'original'))?.text()).toBe('abc');
});

test('one tab at a time uploads', async () => {
  const shelf = fileShelf(weftDatabase(newProject(), deviceUser));
  const release = await shelf.take(idOf(77));
  expect(release).not.toBeNull();
  expect(await shelf.take(idOf(77))).toBeNull();
  release?.();
  await expect.poll(async () => (await shelf.take(idOf(77))) !== null).toBe(true);
});

test('a page that goes from the device takes its pictures along, unless some of them wait', async () => {
  const kept = weftDatabase(newProject(), deviceUser);
  const [shelf, documents] = [fileShelf(kept), keptDocuments(kept, never)];
  const shown = { document: deviceDocument(1), id: idOf(1) };
  await shelf.keep(shown, part('shown'));
  await shelf.keep({ document: deviceDocument(2), id: idOf(3) }, part('of another page'));
  await shelf.queue(fileOf(2), [part('waits')]);
  expect(await documents.forgetSent(deviceDocument(1))).toBe(false);
  expect(await shelf.read(idOf(1), 'original')).not.toBeNull();
  await shelf.unqueue(idOf(2));
  expect(await documents.forgetSent(deviceDocument(1))).toBe(true);
  expect(await shelf.read(idOf(1), 'original')).toBeNull();
  expect(await shelf.read(idOf(2), 'original')).toBeNull();
  expect(await shelf.read(idOf(3), 'original')).not.toBeNull();
});

test('signing out leaves none of them', async () => {
  const project = newProject();
  const kept = weftDatabase(project, deviceUser);
  await fileShelf(kept).queue(fileOf(1), [part('abc')]);
  await idbStore(project, deviceUser, kept).forgetAll();
  const after = fileShelf(weftDatabase(project, deviceUser));
  expect(await after.queued()).toEqual([]);
  expect(await after.read(idOf(1), 'original')).toBeNull();
});

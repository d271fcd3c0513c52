// Cached documents in real IndexedDB with real Web Locks: eviction, deletion, pages created on this device.
import { expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import type { StoredMeta } from 'weft-sync/ports.ts';
import { cachedDocuments } from '../../../src/platform/browser/storage/cached-documents.ts';
import { pendingPageQueue } from '../../../src/platform/browser/storage/pending-page-queue.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import { documentLocks } from '../../../src/platform/browser/tabs/document-locks.ts';
import { seedRow } from '../../../src/sessions/open-sessions.ts';
import { evictUntilItFits } from '../../../src/state/offline/evict-documents.ts';
import {
  deviceDocument,
  deviceSession,
  deviceUser,
  deviceWorkspace,
  newProject,
} from '../../support/server/device-ids.ts';

const KILOBYTE = 1_000;
const meta = (seq: number): StoredMeta => ({ seq, schemaVersion: 1, title: '', role: 'editor' });
const session = deviceSession(1);
const row = (seq: number, bytes: number) => ({
  seq,
  session,
  clientId: 5000,
  nFrom: seq,
  nTo: seq,
  update: new Uint8Array(bytes),
  dependencies: [],
});
const entry = { n: 1, update: Uint8Array.of(1), at: 5, buildsOn: [] };

function device(project = newProject()) {
  const database = weftDatabase(project, deviceUser);
  const locks = documentLocks(project, deviceUser);
  const store = idbStore(database.log);
  const documents = cachedDocuments(database, locks);
  const queue = pendingPageQueue(database);
  /** Opened one after the other, ten kilobytes each. */
  const open = async (...numbers: number[]) => {
    for (const n of numbers) {
      await store.saveRows(deviceDocument(n), meta(1), [row(1, 10 * KILOBYTE)]);
      await store.load(deviceDocument(n));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const numbers = async () => (await documents.list()).map(({ document }) => Number(document.slice(-12))).sort();
  return { project, store, documents, queue, locks, open, numbers };
}

test('[ST7] the least recently opened documents are evicted until the rest fits', async () => {
  const { store, documents, open, numbers } = device();
  await open(1, 2, 3, 4);
  await store.load(deviceDocument(1));
  await evictUntilItFits(documents, 25 * KILOBYTE);
  expect(await numbers()).toEqual([1, 4]);
  expect(await store.load(deviceDocument(2))).toBeNull();
  expect((await store.load(deviceDocument(1)))?.rows.length).toBe(1);
});

test('[ST7] the size counts rows as they arrive, and a snapshot in their place', async () => {
  const { store, documents } = device();
  const bytes = async () => (await documents.list())[0]?.bytes ?? 0;
  await store.saveRows(deviceDocument(1), meta(1), [row(1, 10 * KILOBYTE)]);
  expect(await bytes()).toBeGreaterThan(10 * KILOBYTE);
  await store.acknowledge(deviceDocument(1), session, 1, meta(2), [row(2, 20 * KILOBYTE)]);
  expect(await bytes()).toBeGreaterThan(30 * KILOBYTE);
  await store.saveRows(deviceDocument(1), meta(2), [], { seq: 2, state: new Uint8Array(5 * KILOBYTE) });
  expect(await bytes()).toBe(5 * KILOBYTE);
});

test('[ST7] a document with unsent edits stays, rejected ones too, and so does a page that the server does not have', async () => {
  const { store, documents, queue, open, numbers } = device();
  await open(1, 2, 3);
  await store.addEntry(deviceDocument(1), { session, clientId: 5000 }, entry);
  await store.addEntry(deviceDocument(2), { session: deviceSession(2), clientId: 6000 }, entry);
  await store.refuse(deviceDocument(2), deviceSession(2), 'WF005');
  await queue.add(madeHere(4), meta(1), seedRow());
  await evictUntilItFits(documents, 0);
  expect(await numbers()).toEqual([1, 2, 4]);
  for (const n of [1, 2, 4]) {
    expect(await documents.forgetIfClosed(deviceDocument(n))).toBe(false);
    expect(await documents.forgetIfSent(deviceDocument(n))).toBe(false);
  }
});

test('[ST7] a document that a tab has open stays, and can go once no tab has it open', async () => {
  const { project, documents, open, numbers } = device();
  await open(1, 2, 3);
  const otherTab = documentLocks(project, deviceUser);
  const holds = [await otherTab.hold(deviceDocument(1)), await otherTab.hold(deviceDocument(1))];
  await evictUntilItFits(documents, 11 * KILOBYTE);
  // The oldest is open, so the next two go in its place.
  expect(await numbers()).toEqual([1]);
  holds[0]?.();
  expect(await documents.forgetIfClosed(deviceDocument(1))).toBe(false);
  holds[1]?.();
  await expect.poll(() => documents.forgetIfClosed(deviceDocument(1))).toBe(true);
});

test('[ST7] the copy is deleted even while open if the person lost the right to read it', async () => {
  const { documents, locks, open, numbers } = device();
  await open(1);
  const release = await locks.hold(deviceDocument(1));
  expect(await documents.forgetIfSent(deviceDocument(1))).toBe(true);
  expect(await numbers()).toEqual([]);
  release();
});

test('[ST7] a page does not wait for a deletion that never ends', async () => {
  const { locks } = device();
  const stuck: (() => void)[] = [];
  const deleting = locks.whileClosed(deviceDocument(1), () => new Promise<void>((resolve) => stuck.push(resolve)));
  const release = await locks.hold(deviceDocument(1));
  release();
  expect(stuck).toHaveLength(1);
  for (const end of stuck) end();
  await deleting;
});

const madeHere = (n: number) => ({
  id: deviceDocument(n),
  workspace: deviceWorkspace,
  parent: n === 1 ? null : deviceDocument(1),
  rank: 'a0',
  title: '',
  madeAt: n,
  refused: null,
});

test('[ST8] a page created here opens with its first row, in every tab and after a restart', async () => {
  const { project, queue } = device();
  await queue.add(madeHere(2), meta(1), seedRow());
  await queue.add(madeHere(1), meta(1), seedRow());
  const later = device(project);
  expect((await later.queue.list()).map(({ madeAt }) => madeAt)).toEqual([1, 2]);
  expect(await later.queue.get(deviceDocument(2))).toEqual(madeHere(2));
  expect(await later.store.load(deviceDocument(2))).toEqual({
    meta: meta(1),
    snapshot: null,
    rows: [seedRow()],
    outboxes: [],
  });
});

test('[ST8] the queue drops a page once the server has it, keeps its content, and nothing brings the entry back', async () => {
  const { store, queue } = device();
  await queue.add(madeHere(1), meta(1), seedRow());
  await queue.change(deviceDocument(1), { title: 'Plan', refused: 'WF002' });
  expect(await queue.get(deviceDocument(1))).toMatchObject({ title: 'Plan', refused: 'WF002' });
  await queue.remove(deviceDocument(1));
  await queue.change(deviceDocument(1), { title: 'Later' });
  expect(await queue.list()).toEqual([]);
  expect((await store.load(deviceDocument(1)))?.rows.length).toBe(1);
});

test('[ST8] a dropped page leaves nothing behind', async () => {
  const { store, queue } = device();
  await queue.add(madeHere(1), meta(1), seedRow());
  await queue.drop(deviceDocument(1));
  expect(await queue.list()).toEqual([]);
  expect(await store.load(deviceDocument(1))).toBeNull();
});

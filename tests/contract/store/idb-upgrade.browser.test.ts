// Opens a database that the first version of Weft wrote.
import { expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { cachedDocuments } from '../../../src/platform/browser/storage/cached-documents.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import { deviceDocument, deviceSession, deviceUser, newProject } from '../../support/server/device-ids.ts';

const session = deviceSession(1);
const meta = (seq: number) => ({ seq, schemaVersion: 1, title: 'Notes', role: 'editor' });
const row = (document: string, seq: number, bytes = 3) => ({
  document,
  seq,
  session,
  clientId: 5000,
  nFrom: seq,
  nTo: seq,
  update: new Uint8Array(bytes).fill(seq),
  carried: [],
});
const state = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);

/** Spelled out, not built with the code under test: it must stay what was shipped. */
function versionOne(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.addEventListener('error', () => reject(opening.error ?? new Error('not opened')));
    opening.addEventListener('upgradeneeded', () => {
      const db = opening.result;
      const documents = db.createObjectStore('documents', { keyPath: 'document' });
      const rows = db.createObjectStore('rows', { keyPath: ['document', 'seq'] });
      const outboxes = db.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
      const entries = db.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
      const [first, second, third] = [deviceDocument(1), deviceDocument(2), deviceDocument(3)];
      documents.put({ document: first, meta: meta(3), snapshot: { seq: 2, state } });
      documents.put({ document: second, meta: meta(2), snapshot: null });
      rows.put(row(first, 3));
      rows.put(row(second, 1));
      rows.put(row(second, 2));
      outboxes.put({ document: third, session, clientId: 5000, openedAt: 7, refused: 'WF005' });
      for (const n of [1, 2]) {
        entries.put({ document: third, session, n, update: Uint8Array.of(n), at: 100 + n, buildsOn: [] });
      }
    });
    opening.addEventListener('success', () => resolve(opening.result));
  });
}

const upgraded = async () => {
  const project = newProject();
  const old = await versionOne(`weft:${project}:${deviceUser}`);
  return { project, old };
};

test('[ST6] snapshots, rows and outboxes of version 1 are all there', async () => {
  const { project, old } = await upgraded();
  old.close();
  const store = idbStore(weftDatabase(project, deviceUser).log);
  expect(await store.load(deviceDocument(1))).toMatchObject({ meta: meta(3), rows: [{ seq: 3 }], outboxes: [] });
  expect((await store.load(deviceDocument(1)))?.snapshot).toEqual({ seq: 2, state });
  expect(await store.load(deviceDocument(2))).toMatchObject({ meta: meta(2), snapshot: null });
  expect((await store.load(deviceDocument(2)))?.rows.map(({ update }) => update.length)).toEqual([3, 3]);
  expect((await store.load(deviceDocument(3)))?.outboxes).toMatchObject([
    { session, clientId: 5000, refused: 'WF005', entries: [{ n: 1 }, { n: 2 }] },
  ]);
  expect(await store.unsent()).toEqual([{ document: deviceDocument(3), edits: 2, oldestAt: 101 }]);
});

test('[ST6] the size of a version 1 document is measured, and its snapshot survives the next write', async () => {
  const { project, old } = await upgraded();
  old.close();
  const database = weftDatabase(project, deviceUser);
  const documents = cachedDocuments(database, { whileClosed: (_document, run) => run() });
  const [first, second] = await documents.list();
  expect(first?.bytes).toBeGreaterThan(state.length);
  expect(first?.bytes).toBeLessThan(state.length + 1_000);
  expect(second?.bytes).toBeLessThan(1_000);
  const store = idbStore(database.log);
  await store.acknowledge(deviceDocument(1), session, 1, { ...meta(4), role: 'editor' }, []);
  expect((await store.load(deviceDocument(1)))?.snapshot?.state).toEqual(state);
});

test('[ST6] a tab of the old version that closes its connection does not block the new version', async () => {
  const { project, old } = await upgraded();
  old.addEventListener('versionchange', () => old.close());
  expect((await idbStore(weftDatabase(project, deviceUser).log).load(deviceDocument(2)))?.rows.length).toBe(2);
});

test('[ST6] a tab of the old version that keeps its connection costs the store, not the page', async () => {
  const { project, old } = await upgraded();
  await expect(idbStore(weftDatabase(project, deviceUser).log).load(deviceDocument(2))).rejects.toThrow('another tab');
  old.close();
});

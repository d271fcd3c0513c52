// Damage in a real IndexedDB: each damaged record only costs itself, and the store keeps working.
import { type IDBPDatabase, openDB } from 'idb';
import { expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import type { StoredMeta } from 'weft-sync/ports.ts';
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { weftDatabase } from '../../../../src/platform/browser/storage/weft-database.ts';

const user = parseUserId('b0000000-0000-4000-8000-000000000001');
const document = parseDocumentId('d0000000-0000-4000-8000-000000000001');
const alice = parseSessionId('e0000000-0000-4000-8000-00000000000a');
const bob = parseSessionId('e0000000-0000-4000-8000-00000000000b');
if (user === null || document === null || alice === null || bob === null) throw new Error('malformed id in a test');

const meta: StoredMeta = { seq: 4, schemaVersion: 1, title: 'T', role: 'editor' };
const row = (seq: number): Row => {
  return { seq, session: alice, clientId: 5000, nFrom: seq, nTo: seq, update: Uint8Array.of(seq), dependencies: [] };
};
const entry = (n: number) => ({ n, update: Uint8Array.of(n), at: 1000 + n, buildsOn: [] });

/** A page with a snapshot, two later rows and two outboxes, which `harm` then damages in the database. */
async function damaged(harm: (db: IDBPDatabase) => Promise<unknown>) {
  if (user === null || document === null || alice === null || bob === null) throw new Error('malformed id');
  const project = `garbage-${Date.now()}-${Math.random()}`;
  const store = idbStore(weftDatabase(project, user).log);
  await store.saveRows(document, meta, [row(3), row(4)], { seq: 2, state: Uint8Array.of(2) });
  for (const n of [1, 2, 3]) await store.addEntry(document, { session: alice, clientId: 5000 }, entry(n));
  await store.addEntry(document, { session: bob, clientId: 6000 }, entry(1));
  const db = await openDB(`weft:${project}:${user}`);
  await harm(db);
  db.close();
  return { store, loaded: await store.load(document) };
}

const outboxesOf = (loaded: Awaited<ReturnType<typeof damaged>>['loaded']) =>
  loaded?.outboxes.map(({ session, entries, refused }) => [session, entries.map(({ n }) => n), refused]);

test('a damaged entry keeps the other entries, outboxes and rows', async () => {
  const { store, loaded } = await damaged((db) => db.put('entries', { document, session: alice, n: 2, update: 'x' }));
  expect(outboxesOf(loaded)).toEqual([
    [alice, [1, 3], null],
    [bob, [1], null],
  ]);
  expect(loaded?.rows.length).toBe(2);
  expect((await store.unsent())[0]?.edits).toBe(3);
});

test('a damaged outbox keeps the other one', async () => {
  const { loaded } = await damaged((db) => db.put('outboxes', { document, session: alice, clientId: 'x' }));
  expect(outboxesOf(loaded)).toEqual([[bob, [1], null]]);
});

test('an outbox with an unknown rejection code is there, rejected', async () => {
  const line = { document, session: bob, clientId: 6000, openedAt: 'x', refused: 'WF099' };
  const { loaded } = await damaged((db) => db.put('outboxes', line));
  expect(outboxesOf(loaded)).toContainEqual([bob, [1], 'unknown']);
});

test('a damaged row ends the rows without a gap, and is written again', async () => {
  const { store, loaded } = await damaged((db) => db.put('rows', { document, seq: 4, update: null }));
  expect([loaded?.rows.map(({ seq }) => seq), loaded?.meta.seq]).toEqual([[3], 3]);
  expect(loaded?.outboxes.length).toBe(2);
  await store.saveRows(document, meta, [row(4)]);
  expect((await store.load(document))?.rows.map(({ seq }) => seq)).toEqual([3, 4]);
});

test('a damaged document record costs title and role: the page can be read, and its edits are there', async () => {
  const { store, loaded } = await damaged((db) => db.put('documents', { document, meta: 7 }));
  expect(loaded).toMatchObject({ meta: { seq: 4, role: 'viewer', title: '' }, snapshot: { seq: 2 } });
  expect([loaded?.rows.length, loaded?.outboxes.length]).toEqual([2, 2]);
  await store.saveRows(document, meta, []);
  expect((await store.load(document))?.meta).toEqual(meta);
});

test('a damaged snapshot costs the rows after it, and does not block a new one', async () => {
  const { store, loaded } = await damaged((db) => db.put('snapshots', { document, seq: 1e12, state: 'x' }));
  expect([loaded?.snapshot, loaded?.rows, loaded?.meta.seq]).toEqual([null, [], 0]);
  expect(loaded?.outboxes.length).toBe(2);
  await store.saveRows(document, meta, [row(3)], { seq: 2, state: Uint8Array.of(2) });
  expect((await store.load(document))?.snapshot).toEqual({ seq: 2, state: Uint8Array.of(2) });
});

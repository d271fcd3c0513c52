// Edits that a page had not stored when it went away: written to localStorage, and moved into IndexedDB by the next
// page.
import { expect, test, vi } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { logDatabase } from 'weft-sync/browser/storage/log-database.ts';
import { signOutMarker } from 'weft-sync/browser/storage/sign-out-marker.ts';
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';

const user = parseUserId('b0000000-0000-4000-8000-000000000001');
const document = parseDocumentId('d0000000-0000-4000-8000-000000000001');
const session = parseSessionId('e0000000-0000-4000-8000-000000000001');
if (user === null || document === null || session === null) throw new Error('malformed id in a test');

const key = { session, clientId: 5000 };
const entry = (n: number) => ({ n, update: Uint8Array.of(1, 2, n), at: 1000 + n, buildsOn: [] });
const journals = (project: string) =>
  Object.keys(localStorage).filter((name) => name.startsWith(`weft:${project}:${user}:exit-journal:`));

const databaseOf = (project: string) => logDatabase(`weft:${project}:${user}`, signOutMarker(project));

/** A store that is already open, as while someone types. */
const opened = async () => {
  const project = `exit-journal-${Date.now()}-${Math.random()}`;
  const store = idbStore(databaseOf(project));
  await store.load(document);
  return { project, store };
};

/** Adds entries and hides the page before the database has answered. */
const goneInMidWrite = async (store: ReturnType<typeof idbStore>, project: string) => {
  const writes = [1, 2, 3].map((n) => store.addEntry(document, key, entry(n)));
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  dispatchEvent(new Event('pagehide'));
  const [name = ''] = journals(project);
  const text = localStorage.getItem(name) ?? '';
  return { writes: Promise.all(writes), name, text };
};

test('entries that the database rolled back with the page are there for the next one', async () => {
  const { project, store } = await opened();
  const { writes, name, text } = await goneInMidWrite(store, project);
  await writes;
  await store.forget(document);
  localStorage.setItem(name, text);
  const next = idbStore(databaseOf(project));
  expect((await next.load(document))?.outboxes).toEqual([
    { ...key, refused: null, entries: [entry(1), entry(2), entry(3)] },
  ]);
  expect(journals(project)).toEqual([]);
});

test('a page that survives removes its journal once the edits are stored', async () => {
  const { project, store } = await opened();
  const { writes } = await goneInMidWrite(store, project);
  expect(journals(project).length).toBe(1);
  await writes;
  expect(journals(project)).toEqual([]);
});

test('nothing is written if everything is stored, and foreign content is not accepted as a journal', async () => {
  const { project, store } = await opened();
  await store.addEntry(document, key, entry(1));
  dispatchEvent(new Event('pagehide'));
  expect(journals(project)).toEqual([]);
  localStorage.setItem(`weft:${project}:${user}:exit-journal:1`, '[{"document": 5}]');
  localStorage.setItem(`weft:${project}:${user}:exit-journal:2`, '{');
  const next = idbStore(databaseOf(project));
  expect((await next.load(document))?.outboxes[0]?.entries).toEqual([entry(1)]);
  expect(journals(project)).toEqual([]);
});

test('on a full device the journal stays where it is, and stored documents can still be read', async () => {
  const { project, store } = await opened();
  await store.addEntry(document, key, entry(1));
  const { writes, name, text } = await goneInMidWrite(store, project);
  await writes;
  localStorage.setItem(name, text);
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const stored = await idbStore(databaseOf(project)).load(document);
  full.mockRestore();
  expect(stored?.outboxes[0]?.entries.length).toBeGreaterThan(0);
  expect(journals(project)).toEqual([name]);
});

test('signing out deletes it', async () => {
  const { project, store } = await opened();
  localStorage.setItem(`weft:${project}:${user}:exit-journal:1`, '[]');
  await store.forgetAll();
  expect(journals(project)).toEqual([]);
});

test('one damaged entry only costs itself', async () => {
  const { project } = await opened();
  const base64 = { base64: btoa('\u0001') };
  const word = (n: number, update: unknown = base64) => {
    return { document, ...key, openedAt: 1000, entry: { n, update, at: 1000 + n, buildsOn: [] } };
  };
  const words = [word(1), null, word(2, { base64: '%' }), { ...word(3), document: 5 }, word(3), 'x'];
  localStorage.setItem(`weft:${project}:${user}:exit-journal:1`, JSON.stringify(words));
  localStorage.setItem(`weft:${project}:${user}:exit-journal:2`, '{"0":{}}');
  const stored = await idbStore(databaseOf(project)).load(document);
  expect(stored?.outboxes[0]?.entries.map(({ n }) => n)).toEqual([1, 3]);
  expect(journals(project)).toEqual([]);
});

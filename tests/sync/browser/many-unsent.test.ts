// Weeks of typing without the server: as many entries as there were keys.
import { expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import type { LogDatabase } from 'weft-sync/browser/storage/log-database.ts';

test('the unsent edits of a page are counted, however many there are', async () => {
  const [document, session] = ['0a0a0a0a-0000-4000-8000-000000000001', '0a0a0a0a-0000-4000-8000-000000000002'];
  const update = new Uint8Array(1);
  const entries = Array.from({ length: 200_000 }, (_, at) => ({
    document,
    session,
    n: at + 1,
    update,
    at: 9_000 + at,
  }));
  const database = { use: () => Promise.resolve({ getAll: () => Promise.resolve(entries) }) };
  const store = idbStore({ database } as unknown as LogDatabase);
  expect(await store.unsent()).toEqual([{ document, edits: 200_000, oldestAt: 9_000 }]);
});

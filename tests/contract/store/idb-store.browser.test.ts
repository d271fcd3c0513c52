import { describe, expect, test } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { logDatabase } from 'weft-sync/browser/storage/log-database.ts';
import { signOutMarker } from 'weft-sync/browser/storage/sign-out-marker.ts';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import { storeContract } from './store.contract.ts';

const user = parseUserId('b0000000-0000-4000-8000-000000000001');
let devices = 0;

/** Alone, and in one database with the stores of the workspace. */
const DATABASES = {
  'the stores of the log alone': (project: string) => logDatabase(`log:${project}`, signOutMarker(project)),
  'the stores of Weft': (project: string) => {
    if (user === null) throw new Error('malformed id in a test');
    return weftDatabase(project, user).log;
  },
};

describe.each(Object.entries(DATABASES))('%s', (_name, open) => {
  storeContract(() => {
    const project = `contract-${Date.now()}-${++devices}`;
    return { fresh: idbStore(open(project)), again: () => idbStore(open(project)) };
  });
});

// A tab that is frozen in the middle of a write keeps its transaction open for as long as it is frozen.
test('[SY12] a store that another tab blocks rejects instead of keeping the page from opening, and answers later', async () => {
  const document = parseDocumentId('d0000000-0000-4000-8000-000000000001');
  if (user === null || document === null) throw new Error('malformed id in a test');
  const project = `contract-${Date.now()}-held`;
  const held = weftDatabase(project, user);
  const tx = (await held.database.use()).transaction('documents', 'readwrite');
  let isHeld = true;
  const hold = (): unknown => isHeld && tx.store.get(document).then(hold);
  hold();
  const store = idbStore(weftDatabase(project, user).log);
  await expect(store.load(document)).rejects.toThrow('the store does not answer');
  isHeld = false;
  await tx.done;
  expect(await store.load(document)).toBeNull();
});

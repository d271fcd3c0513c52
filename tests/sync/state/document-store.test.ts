// What a tab writes to its device, when some of it fails.
import { expect, test } from 'vitest';
import { SEED_SESSION } from '../../../src/protocol/ids.ts';
import type { Row } from '../../../src/protocol/row.ts';
import { DocumentStore } from '../../../src/sync/state/document-store.ts';
import { MemoryStore } from '../../memory/memory-store.ts';
import { seededRandom } from '../../memory/seeded-random.ts';
import { DOCUMENT } from '../sync-harness.ts';

class StoreThatFails extends MemoryStore {
  failures = 0;
  override saveRows(...args: Parameters<MemoryStore['saveRows']>): Promise<boolean> {
    this.failures -= 1;
    return this.failures >= 0 ? Promise.reject(new Error('no room')) : super.saveRows(...args);
  }
}

test('[I2] a sent edit is forgotten only when the rows before are stored', async () => {
  const store = new StoreThatFails();
  const documents = new DocumentStore(store, DOCUMENT, 1, () => {});
  const key = { session: seededRandom(1).session(), clientId: 5_000 };
  const update = Uint8Array.of(0, 0);
  documents.addEntry(key, { n: 1, update, at: 0, buildsOn: [] });
  await documents.settled();
  store.failures = 1;
  const meta = { seq: 1, schemaVersion: 1, title: '', role: 'editor' as const };
  const row: Row = { session: SEED_SESSION, clientId: 1, nFrom: 1, nTo: 1, update, seq: 1, dependencies: [] };
  documents.saveRows(meta, [row]);
  documents.acknowledge(key.session, 1, meta, []);
  await documents.settled();
  expect(await store.unsent()).toMatchObject([{ edits: 1 }]);
  documents.retryWrites();
  await documents.settled();
  expect(await store.load(DOCUMENT)).toMatchObject({ rows: [row], outboxes: [] });
});

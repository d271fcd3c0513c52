// What a tab writes to its device when some of its writes fail.
import { expect, test } from 'vitest';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { DocumentStore } from 'weft-sync/state/document-store.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { DOCUMENT } from '../sync-harness.ts';

class StoreThatSavesNoRows extends MemoryStore {
  override saveRows(): Promise<boolean> {
    return Promise.reject(new Error('no room'));
  }
}

const key = { session: seededRandom(1).session(), clientId: 5_000 };
const update = Uint8Array.of(0, 0);
const meta = (seq: number) => ({ seq, schemaVersion: 1, title: '', role: 'editor' as const });
const row = (seq: number): Row => ({
  session: SEED_SESSION,
  clientId: 1,
  nFrom: seq,
  nTo: seq,
  update,
  seq,
  dependencies: [],
});

async function withAnEntry() {
  const store = new StoreThatSavesNoRows();
  const documents = new DocumentStore(store, DOCUMENT, 1, () => {});
  await documents.load();
  documents.addEntry(key, { n: 1, update, at: 0, buildsOn: [] });
  await documents.settled();
  return { store, documents };
}

test('[I2] sent edits leave the device with every row before that it could not store', async () => {
  const { store, documents } = await withAnEntry();
  const snapshot = { seq: 2, at: 0, state: update };
  documents.saveRows(meta(2), [], snapshot);
  documents.saveRows(meta(3), [row(3)]);
  await documents.settled();
  // Its write has begun when the edits are acknowledged, and fails after.
  documents.saveRows(meta(4), [row(4)]);
  documents.acknowledge(key.session, 1, meta(5), [row(5)]);
  await documents.settled();
  expect(await store.load(DOCUMENT)).toMatchObject({
    meta: meta(5),
    snapshot,
    rows: [row(3), row(4), row(5)],
    outboxes: [],
  });
});

test('[I2] sent edits stay on a device that could not store too many rows', async () => {
  const { store, documents } = await withAnEntry();
  documents.saveRows(meta(1), [{ ...row(1), update: new Uint8Array(9 * 1024 * 1024) }]);
  await documents.settled();
  documents.acknowledge(key.session, 1, meta(2), [row(2)]);
  await documents.settled();
  expect(await store.unsent()).toMatchObject([{ edits: 1 }]);
});

test('[I2] an edit is stored after the rows that could not be stored before', async () => {
  class StoreThatFailsOnce extends MemoryStore {
    failures = 1;
    readonly rowsAtEntry: (readonly number[])[] = [];
    override saveRows(...args: Parameters<MemoryStore['saveRows']>): Promise<boolean> {
      this.failures -= 1;
      return this.failures >= 0 ? Promise.reject(new Error('no room')) : super.saveRows(...args);
    }
    override async addEntry(...args: Parameters<MemoryStore['addEntry']>): Promise<void> {
      const stored = await this.load(DOCUMENT);
      this.rowsAtEntry.push(stored?.rows.map(({ seq }) => seq) ?? []);
      return super.addEntry(...args);
    }
  }
  const store = new StoreThatFailsOnce();
  const documents = new DocumentStore(store, DOCUMENT, 1, () => {});
  documents.saveRows(meta(1), [row(1)]);
  await documents.settled();
  documents.addEntry(key, { n: 1, update, at: 0, buildsOn: [] });
  await documents.settled();
  expect(store.rowsAtEntry).toEqual([[1]]);
});

test('[HI6] where the device could not be read, no snapshot takes the place of its rows, and sent edits stay there', async () => {
  const store = new MemoryStore();
  await store.saveRows(DOCUMENT, meta(3), [row(1), row(2), row(3)]);
  const documents = new DocumentStore(store, DOCUMENT, 1, () => {});
  store.setBroken(true);
  expect(await documents.load()).toBeNull();
  store.setBroken(false);
  documents.addEntry(key, { n: 1, update, at: 0, buildsOn: [] });
  documents.saveRows(meta(5), [], { seq: 5, at: 0, state: update });
  documents.saveRows(meta(6), [row(6)]);
  documents.acknowledge(key.session, 1, meta(7), [row(7)]);
  await documents.settled();
  const stored = await store.load(DOCUMENT);
  expect(stored?.rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(stored?.outboxes.map(({ entries }) => entries.length)).toEqual([1]);
});

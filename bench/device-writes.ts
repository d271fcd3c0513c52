// Writes edits into IndexedDB as the outbox does (src/sync/browser/storage/idb-store.ts), in a page of a real browser.
import type { Page } from 'playwright-core';

export type WriteTimes = {
  /** The time that a key's own task spends on its write. */
  readonly inTask: number[];
  /** From the key until the browser confirms the write. */
  readonly confirmed: number[];
};

/** Writes `keys` edits, each in a task of its own: one every `everyMs`, or one right after the other. */
export const writeEdits = (
  page: Page,
  durability: 'relaxed' | 'strict',
  keys: number,
  everyMs: number,
): Promise<WriteTimes> => page.evaluate(writeAndMeasure, [durability, keys, everyMs] as const);

/** Runs in the page. */
async function writeAndMeasure([durability, keys, everyMs]: readonly [
  'relaxed' | 'strict',
  number,
  number,
]): Promise<WriteTimes> {
  const settled = (request: IDBRequest | IDBTransaction, event: string) =>
    new Promise((resolve, reject) => {
      request.addEventListener(event, resolve);
      request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
    });
  const opening = indexedDB.open('bench-device-writes', 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
    opening.result.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
  });
  await settled(opening, 'success');
  const database = opening.result;
  const key = { document: crypto.randomUUID(), session: crypto.randomUUID() };
  const [inTask, writes]: [number[], Promise<number>[]] = [[], []];
  const start = performance.now();
  for (let n = 1; n <= keys; n++) {
    const wait = Math.max(0, start + n * everyMs - performance.now());
    await new Promise((resolve) => setTimeout(resolve, wait));
    const pressed = performance.now();
    const tx = database.transaction(['outboxes', 'entries'], 'readwrite', { durability });
    tx.objectStore('outboxes').put({ ...key, clientId: 12_345, openedAt: start, refused: null });
    tx.objectStore('entries').put({ ...key, n, update: new Uint8Array(24), at: start, buildsOn: [] });
    tx.commit();
    inTask.push(performance.now() - pressed);
    writes.push(settled(tx, 'complete').then(() => performance.now() - pressed));
  }
  const confirmed = await Promise.all(writes);
  database.close();
  return { inTask, confirmed };
}

// Files that wait for their upload, over virtual time: each is uploaded once, by one tab.
import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { ok } from '../../../src/lib/result.ts';
import type { QueuedFile } from '../../../src/ports/files.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { uploads, waitingFiles } from '../../../src/state/files/uploads.ts';
import { documentId } from '../../support/app/app-fixture.ts';
import { memoryFileDevice, memoryStorage } from '../../support/app/memory-files.ts';

const idOf = (n: number) => {
  const id = parseAttachmentId(`00000009-0000-4000-8000-${String(n).padStart(12, '0')}`);
  if (id === null) throw new Error('not an id');
  return id;
};
const fileOf = (n: number, more: Partial<QueuedFile> = {}): QueuedFile => ({
  document: documentId(1),
  id: idOf(n),
  madeAt: n,
  name: `${n}.png`,
  mime: 'image/png',
  bytes: 3,
  from: null,
  refused: null,
  ...more,
});
const part = (version: 'original' | 'small' = 'original') => ({ version, blob: new Blob(['abc']) });

function filesFixture(device = memoryFileDevice(), cloud = memoryStorage()) {
  const clock = new SimClock();
  const store = createStore();
  const timing = {
    now: () => clock.now(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
    random: () => 0.5,
  };
  const { fileCache } = device;
  const uploadQueue = uploads({
    store,
    fileCache,
    storage: cloud.storage,
    timing,
    ensurePageCreated: async () => ok(undefined),
    onChanged: () => undefined,
  });
  const states = () => Array.from(store.get(uploadQueue.atom).values(), ({ file, state }) => `${file.name} ${state}`);
  return { clock, store, device, cloud, uploadQueue, states };
}
const settle = async () => {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
};

test('an added file is uploaded, the smaller version first, and leaves the queue', async () => {
  const { uploadQueue, cloud, device, states } = filesFixture();
  await uploadQueue.add(fileOf(1), [part(), part('small')]);
  expect(states()).not.toEqual([]);
  await settle();
  expect(cloud.server.calls).toEqual([`create ${idOf(1)}`, `upload ${idOf(1)} small`, `upload ${idOf(1)} original`]);
  expect(states()).toEqual([]);
  expect(device.queue.size).toBe(0);
});

test('without a server a file waits and is uploaded later by itself, also after a restart', async () => {
  const { uploadQueue, cloud, device, states } = filesFixture();
  cloud.server.refusal = weftError('WF011');
  await uploadQueue.add(fileOf(1), [part()]);
  await settle();
  expect(states()).toEqual(['1.png waiting']);
  uploadQueue.close();
  const restarted = filesFixture(device, cloud);
  await settle();
  expect(restarted.states()).toEqual(['1.png waiting']);
  cloud.server.refusal = null;
  await restarted.clock.run(30_000);
  expect(restarted.states()).toEqual([]);
  expect(device.queue.size).toBe(0);
  expect(cloud.server.stored.size).toBe(1);
});

test('one of two tabs uploads, and the other one notices when it is done', async () => {
  const first = filesFixture();
  let release: () => void = () => undefined;
  first.cloud.server.hold = new Promise((resolve) => (release = resolve));
  await first.uploadQueue.add(fileOf(1), [part()]);
  await settle();
  const second = filesFixture(first.device, first.cloud);
  await settle();
  expect([first.states(), second.states()]).toEqual([['1.png sending'], ['1.png waiting']]);
  release();
  await settle();
  await second.clock.run(1_000);
  expect([first.states(), second.states()]).toEqual([[], []]);
  expect(first.cloud.server.calls.filter((call) => call.startsWith('upload'))).toHaveLength(1);
});

test('a file that another tab added and left is found at the next refresh', async () => {
  const closedTab = filesFixture();
  const next = filesFixture(closedTab.device, closedTab.cloud);
  await settle();
  closedTab.uploadQueue.close();
  await closedTab.uploadQueue.add(fileOf(1), [part()]);
  expect(next.states()).toEqual([]);
  await next.uploadQueue.refresh();
  expect(next.states()).toEqual(['1.png waiting']);
  await settle();
  expect([next.states(), next.cloud.server.stored.size, closedTab.device.queue.size]).toEqual([[], 1, 0]);
});

test('a rejected file says why, is not retried by itself, and is uploaded when a person retries', async () => {
  const { uploadQueue, cloud, store, clock, device } = filesFixture();
  cloud.server.refusal = weftError('WF002');
  await uploadQueue.add(fileOf(1), [part()]);
  await settle();
  expect(store.get(uploadQueue.atom).get(idOf(1))).toMatchObject({
    state: 'failed',
    why: 'You can view this page, not edit it.',
  });
  const { length } = cloud.server.calls;
  cloud.server.refusal = null;
  await clock.run(120_000);
  uploadQueue.sendAll();
  await settle();
  expect(cloud.server.calls).toHaveLength(length);
  expect(device.queue.get(idOf(1))?.refused).toBe('WF002');
  uploadQueue.retry(idOf(1));
  await settle();
  expect(device.queue.size).toBe(0);
});

test('a file for which the account has no more room stays on the device, says so, and can be tried again', async () => {
  const { uploadQueue, cloud, store, device } = filesFixture();
  cloud.server.refusal = weftError('WF017');
  await uploadQueue.add(fileOf(1), [part()]);
  await settle();
  expect(store.get(uploadQueue.atom).get(idOf(1))).toMatchObject({
    state: 'failed',
    why: 'Your account has no more room for files.',
  });
  expect(await device.fileCache.read(idOf(1), 'original')).not.toBeNull();
  cloud.server.refusal = null;
  uploadQueue.retry(idOf(1));
  await settle();
  expect([device.queue.size, cloud.server.stored.size]).toEqual([0, 1]);
});

test('a smaller version that the server refuses does not keep back the file', async () => {
  const { uploadQueue, cloud, device } = filesFixture();
  cloud.server.refuses = 'small';
  await uploadQueue.add(fileOf(1), [part('small'), part()]);
  await settle();
  expect([device.queue.size, Array.from(cloud.server.stored.keys())]).toEqual([
    0,
    [`${documentId(1)}/${idOf(1)} original`],
  ]);
});

test('a cancelled file is not uploaded and leaves nothing waiting', async () => {
  const { uploadQueue, cloud, device, states } = filesFixture();
  let release: () => void = () => undefined;
  cloud.server.hold = new Promise((resolve) => (release = resolve));
  for (const n of [1, 2, 3]) await uploadQueue.add(fileOf(n), [part()]);
  await settle();
  expect(states()).toEqual(['1.png sending', '2.png sending', '3.png waiting']);
  uploadQueue.cancel(idOf(3));
  uploadQueue.cancel(idOf(1));
  release();
  await settle();
  expect(states()).toEqual([]);
  expect(device.queue.size).toBe(0);
  expect(cloud.server.calls).not.toContain(`create ${idOf(3)}`);
});

test('waiting files count for the page they belong to', async () => {
  const { uploadQueue, cloud, store } = filesFixture();
  cloud.server.refusal = weftError('WF011');
  await uploadQueue.add(fileOf(7), [part()]);
  await uploadQueue.add(fileOf(4), [part()]);
  await uploadQueue.add(fileOf(9, { document: documentId(2) }), [part()]);
  const all = store.get(uploadQueue.atom);
  expect(waitingFiles(all, documentId(1))).toEqual({ count: 2, oldestAt: 4, refused: 0 });
  expect(waitingFiles(all, documentId(3))).toBeNull();
});

test('what a restored server has lost of a page’s files is uploaded again from this device, and nothing else', async () => {
  const { uploadQueue, cloud, device } = filesFixture();
  const source = cloud.sourceOf(documentId(1));
  await uploadQueue.add(fileOf(1), [part()]);
  await uploadQueue.add(fileOf(2), [part()]);
  await settle();
  cloud.server.stored.delete(`${documentId(1)}/${idOf(1)} original`);
  cloud.server.calls.length = 0;
  await uploadQueue.putBack(documentId(1), source);
  await settle();
  expect(cloud.server.calls).toEqual([`create ${idOf(1)}`, `upload ${idOf(1)} original`]);
  expect(device.queue.size).toBe(0);
  // Without an answer nothing is known.
  cloud.server.stored.clear();
  cloud.server.refusal = weftError('WF011');
  await uploadQueue.putBack(documentId(1), source);
  expect(device.queue.size).toBe(0);
});

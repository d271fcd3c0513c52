// The pictures of one page as a person sees them: from the device, from the server, and while their author still
// uploads them.
import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { ok } from '../../../src/lib/result.ts';
import type { FileView } from '../../../src/ports/files.ts';
import { MAX_ATTACHMENT_BYTES, versionsFor } from '../../../src/protocol/attachment.ts';
import { type AttachmentId, parseAttachmentId } from '../../../src/protocol/ids.ts';
import { pageFiles, watchedFiles } from '../../../src/state/files/page-files.ts';
import { uploads } from '../../../src/state/files/uploads.ts';
import { documentId } from '../../support/app/app-fixture.ts';
import { memoryFileDevice, memoryStorage } from '../../support/app/memory-files.ts';

const size = { width: 4000, height: 100 };

/** One person's device, on a server that others share. */
function filesFixture(cloud = memoryStorage(), device = memoryFileDevice()) {
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
  const objectUrls = { open: new Set<string>(), created: 0 };
  const files = pageFiles({
    document: documentId(1),
    source: cloud.sourceOf(documentId(1)),
    fileCache,
    uploads: uploadQueue,
    store,
    timing,
    maker: {
      make: async () => ({ ...size, parts: [{ version: 'small', blob: new Blob(['small'], { type: 'image/png' }) }] }),
    },
    objectUrls: {
      async create(blob) {
        objectUrls.created += 1;
        const url = `blob:${blob.size}:${objectUrls.created}`;
        objectUrls.open.add(url);
        return url;
      },
      revoke: (url) => void objectUrls.open.delete(url),
    },
  });
  const seen = (id: AttachmentId, use: 'page' | 'full' = 'page') => {
    const views: FileView[] = [];
    const stop = files.watch(id, use, size, (view) => views.push(view));
    return { stop, now: () => views.at(-1), views };
  };
  return { cloud, device, clock, files, uploadQueue, objectUrls, seen };
}

const picture = () => new File(['original'], 'swan.png', { type: 'image/png' });
const unknownId = () => parseAttachmentId('00000009-0000-4000-8000-000000000009') ?? (undefined as never);

test('an added picture shows from the device at once, and on another device once it is uploaded', async () => {
  const alice = filesFixture();
  alice.cloud.server.refusal = weftError('WF011');
  const added = await alice.files.add(picture());
  if (!added.ok) throw new Error(added.error);
  expect(added.value).toMatchObject({ kind: 'image', name: 'swan.png', ...size });
  const { id } = added.value;
  const aliceSees = alice.seen(id);
  await alice.clock.run(10);
  expect(aliceSees.now()).toMatchObject({ state: 'here', url: 'blob:5:1', upload: { state: 'waiting' } });

  const bob = filesFixture(alice.cloud);
  const bobSees = bob.seen(id);
  await bob.clock.run(10);
  expect(bobSees.now()).toEqual({ state: 'offline', url: null, upload: null });
  alice.cloud.server.refusal = null;
  await bob.clock.run(5_000);
  expect(bobSees.now()).toEqual({ state: 'missing', url: null, upload: null });
  alice.uploadQueue.sendAll();
  await alice.clock.run(100);
  expect(aliceSees.now()).toMatchObject({ state: 'here', upload: null });
  await bob.clock.run(30_500);
  expect(bobSees.now()).toMatchObject({ state: 'here', upload: null });
  // A page shows the smaller version; the original can be downloaded.
  expect(bobSees.now()?.url).toMatch(/^blob:5:/);
  const original = await bob.files.original(id);
  expect(original.ok && (await original.value.text())).toBe('original');
});

test('a picture that was shown is on the device from then on, without a server', async () => {
  const alice = filesFixture();
  const added = await alice.files.add(picture());
  if (!added.ok) throw new Error(added.error);
  await alice.clock.run(100);
  const bob = filesFixture(alice.cloud);
  bob.seen(added.value.id);
  await bob.clock.run(100);
  alice.cloud.server.refusal = weftError('WF011');
  const later = filesFixture(alice.cloud, bob.device).seen(added.value.id);
  await bob.clock.run(100);
  expect(later.now()?.state).toBe('here');
});

test('object URLs are revoked when no one watches any more, and when the page closes', async () => {
  const alice = filesFixture();
  const added = await alice.files.add(picture());
  if (!added.ok) throw new Error(added.error);
  const [one, two] = [alice.seen(added.value.id), alice.seen(added.value.id)];
  await alice.clock.run(100);
  expect(alice.objectUrls.created).toBe(1);
  one.stop();
  await alice.clock.run(60_000);
  expect(alice.objectUrls.open.size).toBe(1);
  two.stop();
  await alice.clock.run(60_000);
  expect(alice.objectUrls.open.size).toBe(0);
  alice.seen(added.value.id);
  await alice.clock.run(100);
  expect(alice.objectUrls.open.size).toBe(1);
  alice.files.close();
  expect(alice.objectUrls.open.size).toBe(0);
});

test('a file that is too large is rejected before anything is stored; a file that is no picture stays a file', async () => {
  const alice = filesFixture();
  const large = new File([new Uint8Array(MAX_ATTACHMENT_BYTES + 1)], 'large.bin');
  expect(await alice.files.add(large)).toEqual({ ok: false, error: 'tooLarge' });
  expect(alice.device.queue.size).toBe(0);
  const svg = await alice.files.add(new File(['<svg/>'], 'a\nb.svg', { type: 'image/svg+xml' }));
  expect(svg).toMatchObject({ ok: true, value: { kind: 'file', name: 'a b.svg', mime: 'image/svg+xml', bytes: 6 } });
  // Stored with a type that no browser runs.
  const [stored] = alice.device.blobs.values();
  expect(stored?.type).toBe('application/octet-stream');
});

test('a watcher whose link has ended learns it once, and the file is not requested forever', async () => {
  const clock = new SimClock();
  let downloads = 0;
  const files = watchedFiles({
    source: {
      async download() {
        downloads += 1;
        return { ok: false, error: weftError('WF009') };
      },
    },
    objectUrls: { create: async () => 'blob:', revoke: () => undefined },
    timing: { now: () => clock.now(), after: (ms, run) => clock.after(ms, run), random: () => 0.5 },
  });
  const views: FileView[] = [];
  files.watch(unknownId(), 'page', { width: 10, height: 10 }, (view) => views.push(view));
  await clock.run(120_000);
  expect(views.at(-1)?.state).toBe('denied');
  expect(downloads).toBe(1);
});

test('the first version requested fits the use and the size', () => {
  expect(versionsFor('page', 800, 600)).toEqual(['original']);
  expect(versionsFor('page', 2000, 600)).toEqual(['small', 'original']);
  expect(versionsFor('page', 5000, 600)).toEqual(['small', 'view', 'original']);
  expect(versionsFor('full', 5000, 600)).toEqual(['view', 'original']);
  expect(versionsFor('full', 2000, 600)).toEqual(['original']);
  // A long screenshot is shown at its full width.
  expect(versionsFor('page', 1080, 4000)).toEqual(['original']);
  expect(versionsFor('page', 1080, 7000)).toEqual(['small', 'original']);
  expect(versionsFor('full', 1080, 7000)).toEqual(['original']);
  expect(versionsFor('full', 600, 20_000)).toEqual(['view', 'original']);
  expect(versionsFor('page', 0, 0)).toEqual(['original']);
});

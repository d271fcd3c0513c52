// Pages created on this device: queued, created in order, rejected, and never shown as saved before the server has
// them.
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { PersonState } from '../../../../src/state/person/person-state.ts';
import {
  appFixture,
  documentId,
  memoryDevice,
  memoryListCache,
  northquay,
  pageSummary,
} from '../../../support/app/app-fixture.ts';

type Start = Parameters<typeof appFixture>[0];

async function inWorkspace(start: Start = {}) {
  const fixture = appFixture(start);
  await fixture.clock.run(10);
  const me = fixture.app.store.get(fixture.app.personAtom);
  if (me === null) throw new Error('no one is signed in');
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await fixture.clock.run(10);
  const pages = () => me.store.get(workspace.listAtom).value?.documents ?? [];
  /** Creates a page as this person. Time passes until it is answered. */
  const make = async (parent: number | null, n: number) => {
    const made = workspace.createPage({ parent: parent === null ? null : documentId(parent) }, documentId(n));
    await fixture.clock.run(2_000);
    return made;
  };
  return { fixture, me, workspace, pages, make, queue: () => Array.from(fixture.device.queue.keys(), numberOf) };
}
const numberOf = (id: string) => Number(id.slice(-12));
const created = (fixture: ReturnType<typeof appFixture>) => fixture.server.made.map(({ id }) => numberOf(id));
const receipt = (me: PersonState) => me.store.get(me.deviceReceiptAtom);

test('a page created offline is in the list at once and counts as unsent', async () => {
  const { fixture, me, pages, make } = await inWorkspace();
  fixture.goOffline();
  const made = await make(1, 50);
  expect(made).toMatchObject({ ok: true, value: { id: documentId(50), parentId: documentId(1), role: 'manager' } });
  expect(pages().at(-1)).toMatchObject({ id: documentId(50), parentId: documentId(1), updatedBy: me.identity.id });
  expect(receipt(me)).toMatchObject({ receipt: 'device', unsent: { edits: 1 } });
});

test('it is created once when the server answers again, without anyone asking', async () => {
  const { fixture, me, pages, make, queue } = await inWorkspace();
  fixture.goOffline();
  await make(null, 50);
  await fixture.clock.run(20_000);
  expect(created(fixture)).toEqual([]);
  fixture.goOnline();
  await fixture.clock.run(60_000);
  expect(created(fixture)).toEqual([50]);
  expect(queue()).toEqual([]);
  expect(pages().filter(({ id }) => id === documentId(50))).toHaveLength(1);
  expect(receipt(me).receipt).toBe('saved');
});

test('a page below another new one is created after it, even if it is requested first', async () => {
  const { fixture, me, make } = await inWorkspace();
  fixture.goOffline();
  await make(null, 50);
  await make(50, 51);
  await make(51, 52);
  fixture.goOnline();
  await me.pendingPages.create(documentId(52));
  expect(created(fixture)).toEqual([50, 51, 52]);
});

test('an offline restart shows it in its place with its title; back online it is created', async () => {
  const [listCache, device] = [memoryListCache(), memoryDevice()];
  const before = await inWorkspace({ listCache, device });
  before.fixture.goOffline();
  await before.make(null, 50);
  await before.make(50, 51);
  before.me.pendingPages.saveTitle(documentId(51), 'Tide table');
  await before.fixture.clock.run(1_000);

  const after = await inWorkspace({ listCache, device, offline: true });
  expect(after.pages().map(({ title, parentId }) => [title, parentId])).toContainEqual(['Tide table', documentId(50)]);
  expect(receipt(after.me)).toMatchObject({ receipt: 'device', unsent: { edits: 2 } });
  after.fixture.goOnline();
  await after.fixture.clock.run(60_000);
  expect(created(after.fixture)).toEqual([50, 51]);
  expect(after.fixture.server.documents.map(({ title }) => title)).toContain('Tide table');
});

test('a server that does not answer in time does not keep the person from the page', async () => {
  const { fixture, workspace } = await inWorkspace();
  fixture.server.isSilent = true;
  const making = workspace.createPage({ parent: null }, documentId(50));
  await fixture.clock.run(1_600);
  expect(await making).toMatchObject({ ok: true, value: { id: documentId(50) } });
});

test('a place that is rejected at once is reported, and leaves nothing on the device', async () => {
  const { fixture, pages, make, queue } = await inWorkspace();
  fixture.server.refusal = weftError('WF002', 'guests may not create top-level pages');
  expect(await make(null, 50)).toMatchObject({ ok: false, error: { code: 'WF002' } });
  expect(queue()).toEqual([]);
  expect(fixture.device.cachedDocuments).toEqual([]);
  expect(pages().map(({ id }) => id)).not.toContain(documentId(50));
});

test('a page that is rejected later keeps its content, is not retried, and can be moved to the top', async () => {
  const { fixture, me, workspace, make, queue } = await inWorkspace();
  fixture.goOffline();
  await make(1, 50);
  await make(50, 51);
  fixture.server.refusal = weftError('WF001', 'the parent is gone');
  await fixture.clock.run(60_000);
  const calls = fixture.server.calls.filter((name) => name === 'createDocument').length;
  await fixture.clock.run(120_000);
  expect(fixture.server.calls.filter((name) => name === 'createDocument')).toHaveLength(calls);
  expect(me.store.get(me.pendingPages.atom).get(documentId(50))?.refused).toBe('WF001');
  // Opening it asks no server: people who wrote in it can still read their words.
  expect(await me.pendingPages.create(documentId(50))).toMatchObject({ ok: false, error: { code: 'WF002' } });
  expect(queue()).toEqual([50, 51]);

  fixture.goOnline();
  await workspace.moveToTop(documentId(50));
  await fixture.clock.run(60_000);
  expect(fixture.server.made.map(({ id, parent }) => [numberOf(id), parent])).toEqual([
    [50, null],
    [51, documentId(50)],
  ]);
});

test('a page that another tab created is not created again', async () => {
  const { fixture, me, make } = await inWorkspace();
  fixture.goOffline();
  await make(null, 50);
  fixture.device.queue.delete(documentId(50));
  fixture.goOnline();
  expect(await me.pendingPages.create(documentId(50))).toEqual({ ok: true, value: null });
  // It stays in the tree until the list has it.
  await fixture.clock.run(1_000);
  expect(created(fixture)).toEqual([]);
  expect(me.store.get(me.pendingPages.atom).size).toBe(0);
});

test('a device that stores nothing creates pages on the server or not at all', async () => {
  const { fixture, make, pages } = await inWorkspace();
  fixture.device.isBroken = true;
  expect(await make(null, 50)).toMatchObject({ ok: true });
  expect(pages().map(({ id }) => id)).toContain(documentId(50));
  fixture.goOffline();
  expect(await make(null, 51)).toMatchObject({ ok: false, error: { code: 'WF011' } });
});

test('pages that disappear from the list are deleted here, unless something of them exists nowhere else', async () => {
  const device = memoryDevice();
  const { fixture, workspace } = await inWorkspace({ device });
  device.cachedDocuments = [1, 2].map((n) => ({ document: documentId(n), openedAt: n, bytes: 1, isUnsent: n === 2 }));
  fixture.server.documents = [pageSummary(3, 'Other')];
  await Promise.all([workspace.refresh(), fixture.clock.run(2_000)]);
  expect(device.cachedDocuments.map(({ document }) => document)).toEqual([documentId(2)]);
});

// Pages made on this device: queued, made in order, refused, and never told as saved before the server has them.
import { expect, test } from 'vitest';
import { weftError } from '../../../src/protocol/errors.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import { appWorld, documentId, memoryDevice, memoryShelf, northquay, page } from '../../support/app/app-fixture.ts';

type Start = Parameters<typeof appWorld>[0];

async function inWorkspace(start: Start = {}) {
  const world = appWorld(start);
  await world.clock.run(10);
  const me = world.app.store.get(world.app.personAtom);
  if (me === null) throw new Error('nobody is signed in');
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await world.clock.run(10);
  const pages = () => me.store.get(workspace.listAtom).value?.documents ?? [];
  /** Made by this person; time passes until it is answered. */
  const make = async (parent: number | null, n: number) => {
    const made = workspace.createPage(parent === null ? null : documentId(parent), documentId(n));
    await world.clock.run(2_000);
    return made;
  };
  return { world, me, workspace, pages, make, queue: () => Array.from(world.device.queue.keys(), numberOf) };
}
const numberOf = (id: string) => Number(id.slice(-12));
const created = (world: ReturnType<typeof appWorld>) => world.server.made.map(({ id }) => numberOf(id));
const receipt = (me: PersonState) => me.store.get(me.deviceReceiptAtom);

test('a page made without network is in the list at once, and counts as unsent', async () => {
  const { world, me, pages, make } = await inWorkspace();
  world.goOffline();
  const made = await make(1, 50);
  expect(made).toMatchObject({ ok: true, value: { id: documentId(50), parentId: documentId(1), role: 'manager' } });
  expect(pages().at(-1)).toMatchObject({ id: documentId(50), parentId: documentId(1), updatedBy: me.identity.id });
  expect(receipt(me)).toMatchObject({ receipt: 'device', unsent: { edits: 1 } });
});

test('it is made when the server answers again, without anybody asking, and once', async () => {
  const { world, me, pages, make, queue } = await inWorkspace();
  world.goOffline();
  await make(null, 50);
  await world.clock.run(20_000);
  expect(created(world)).toEqual([]);
  world.goOnline();
  await world.clock.run(60_000);
  expect(created(world)).toEqual([50]);
  expect(queue()).toEqual([]);
  expect(pages().filter(({ id }) => id === documentId(50))).toHaveLength(1);
  expect(receipt(me).receipt).toBe('saved');
});

test('a page below another new one is made after it, also when it is asked for first', async () => {
  const { world, me, make } = await inWorkspace();
  world.goOffline();
  await make(null, 50);
  await make(50, 51);
  await make(51, 52);
  world.goOnline();
  await me.newPages.make(documentId(52));
  expect(created(world)).toEqual([50, 51, 52]);
});

test('a restart without network shows it with its title, in its place; back online it is made', async () => {
  const [shelf, device] = [memoryShelf(), memoryDevice()];
  const before = await inWorkspace({ shelf, device });
  before.world.goOffline();
  await before.make(null, 50);
  await before.make(50, 51);
  before.me.newPages.rename(documentId(51), 'Tide table');
  await before.world.clock.run(1_000);

  const after = await inWorkspace({ shelf, device, offline: true });
  expect(after.pages().map(({ title, parentId }) => [title, parentId])).toContainEqual(['Tide table', documentId(50)]);
  expect(receipt(after.me)).toMatchObject({ receipt: 'device', unsent: { edits: 2 } });
  after.world.goOnline();
  await after.world.clock.run(60_000);
  expect(created(after.world)).toEqual([50, 51]);
});

test('a server that does not answer in time keeps nobody from the page', async () => {
  const { world, workspace } = await inWorkspace();
  world.server.isSilent = true;
  const making = workspace.createPage(null, documentId(50));
  await world.clock.run(1_600);
  expect(await making).toMatchObject({ ok: true, value: { id: documentId(50) } });
});

test('a place that is refused at once is told, and leaves nothing on the device', async () => {
  const { world, pages, make, queue } = await inWorkspace();
  world.server.refusal = weftError('WF002', 'guests create no pages at the top');
  expect(await make(null, 50)).toMatchObject({ ok: false, error: { code: 'WF002' } });
  expect(queue()).toEqual([]);
  expect(world.device.kept).toEqual([]);
  expect(pages().map(({ id }) => id)).not.toContain(documentId(50));
});

test('one that is refused later stays with what was written, is asked for no more, and can be put at the top', async () => {
  const { world, me, workspace, make, queue } = await inWorkspace();
  world.goOffline();
  await make(1, 50);
  await make(50, 51);
  world.server.refusal = weftError('WF001', 'the parent is gone');
  await world.clock.run(60_000);
  const calls = world.server.calls.filter((name) => name === 'createDocument').length;
  await world.clock.run(120_000);
  expect(world.server.calls.filter((name) => name === 'createDocument')).toHaveLength(calls);
  expect(me.store.get(me.newPages.atom).get(documentId(50))?.refused).toBe('WF001');
  // Opening it asks nobody: whoever wrote in it goes on reading, and keeps the words.
  expect(await me.newPages.make(documentId(50))).toMatchObject({ ok: false, error: { code: 'WF002' } });
  expect(queue()).toEqual([50, 51]);

  world.goOnline();
  await workspace.moveToTop(documentId(50));
  await world.clock.run(60_000);
  expect(world.server.made.map(({ id, parent }) => [numberOf(id), parent])).toEqual([
    [50, null],
    [51, documentId(50)],
  ]);
});

test('a page that another tab made is not made again', async () => {
  const { world, me, make } = await inWorkspace();
  world.goOffline();
  await make(null, 50);
  world.device.queue.delete(documentId(50));
  world.goOnline();
  expect(await me.newPages.make(documentId(50))).toEqual({ ok: true, value: null });
  // In the tree until the list has it.
  await world.clock.run(1_000);
  expect(created(world)).toEqual([]);
  expect(me.store.get(me.newPages.atom).size).toBe(0);
});

test('a device that stores nothing makes pages on the server or not at all', async () => {
  const { world, make, pages } = await inWorkspace();
  world.device.isBroken = true;
  expect(await make(null, 50)).toMatchObject({ ok: true });
  expect(pages().map(({ id }) => id)).toContain(documentId(50));
  world.goOffline();
  expect(await make(null, 51)).toMatchObject({ ok: false, error: { code: 'WF011' } });
});

test('pages that are gone from the list are forgotten, unless something of them is nowhere else', async () => {
  const device = memoryDevice();
  const { world, workspace } = await inWorkspace({ device });
  device.kept = [1, 2].map((n) => ({ document: documentId(n), openedAt: n, bytes: 1, isUnsent: n === 2 }));
  world.server.documents = [page(3, 'Other')];
  await Promise.all([workspace.refresh(), world.clock.run(2_000)]);
  expect(device.kept.map(({ document }) => document)).toEqual([documentId(2)]);
});

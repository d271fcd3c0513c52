import { expect, test } from 'vitest';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import { ada, appWorld, bert, documentId, memoryShelf, northquay, page, userId } from '../../support/app/app-fixture.ts';

function person({ app }: ReturnType<typeof appWorld>): PersonState {
  const one = app.store.get(app.personAtom);
  if (one === null) throw new Error('nobody is signed in');
  return one;
}

async function inWorkspace(world = appWorld()) {
  await world.clock.run(10);
  const me = person(world);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await world.clock.run(10);
  const titles = () => me.store.get(workspace.listAtom).value?.documents.map(({ title }) => title);
  return { world, me, workspace, titles };
}

test('a change on the workspace’s topic brings the list up to date', async () => {
  const { world, titles } = await inWorkspace();
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes']);
  world.server.documents[0] = page(1, 'Plan for 21 June');
  world.stream.say({ kind: 'document', op: 'changed', id: documentId(1) });
  await world.clock.run(2_000);
  expect(titles()).toEqual(['Plan for 21 June', 'Minutes']);
});

test('the list of a workspace is there after a restart without network', async () => {
  const shelf = memoryShelf();
  await inWorkspace(appWorld({ shelf }));
  const restarted = appWorld({ shelf });
  restarted.goOffline();
  const { me, titles } = await inWorkspace(restarted);
  expect(me.store.get(me.workspacesAtom).value).toEqual([northquay]);
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes']);
});

test('who is where is told, with names', async () => {
  const { world, me, workspace } = await inWorkspace();
  world.stream.show([{ user: bert.id, document: documentId(1) }]);
  await world.clock.run(10);
  expect(me.store.get(workspace.presentAtom)).toEqual([{ user: bert.id, document: documentId(1) }]);
  expect(me.store.get(me.people.atom).get(bert.id)?.displayName).toBe('Bert Holm');
});

test('a workspace whose rights changed is followed to its new topic, and told again where this person is', async () => {
  const { world, workspace } = await inWorkspace();
  workspace.moveTo(documentId(2));
  world.server.workspaces[0] = { ...northquay, epoch: 2 };
  world.stream.say({ kind: 'access', op: 'changed', id: northquay.id });
  await world.clock.run(2_000);
  expect(world.stream.opened).toEqual([1, -1, 2]);
  expect(world.stream.places).toEqual([documentId(2), documentId(2)]);
});

test('who sees single pages only joins no topic of the workspace', async () => {
  const { world, me, workspace } = await inWorkspace(appWorld({ workspaces: [{ ...northquay, role: null }] }));
  expect(me.store.get(workspace.presentAtom)).toBeNull();
  expect(world.stream.opened).toEqual([]);
});

test('a new page stands behind its siblings, at once', async () => {
  const { world, workspace, titles } = await inWorkspace();
  const made = await workspace.createPage(null, documentId(50));
  expect(made).toMatchObject({ ok: true, value: { id: documentId(50), parentId: null } });
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes', '']);
  const ranks = world.server.documents.map(({ rank }) => rank);
  expect(ranks).toEqual(ranks.toSorted());
});

test('a new page asked for before the list is there waits for it', async () => {
  const world = appWorld();
  await world.clock.run(10);
  const { value: workspace } = person(world).workspaces.acquire(northquay.id);
  const making = workspace.createPage(null, documentId(51));
  await world.clock.run(2_000);
  expect(await making).toMatchObject({ ok: true });
  expect(world.server.documents.at(-1)?.rank).toBe('a3');
});

test('edits of a page that is not open are sent, and the page is closed again', async () => {
  const waiting = { edits: 2, oldestAt: 5 };
  const world = appWorld({
    unsent: [{ document: documentId(7), ...waiting }],
    view: { unsent: waiting, receipt: 'sending' },
  });
  await world.clock.run(10);
  const me = person(world);
  expect(me.store.get(me.deviceReceiptAtom)).toMatchObject({ receipt: 'sending', unsent: waiting });
  const session = world.sessions.get(documentId(7));
  world.device.unsent = [];
  session?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved' });
  await world.clock.run(10_000);
  expect(me.pages.open()).toEqual([]);
  expect(me.store.get(me.deviceReceiptAtom).receipt).toBe('saved');
});

test('off a page the worst receipt of all open pages wins', async () => {
  const world = appWorld();
  await world.clock.run(10);
  const me = person(world);
  for (const n of [1, 2, 3]) me.pages.acquire(documentId(n));
  await world.clock.run(10);
  const show = (n: number, receipt: 'saved' | 'sending' | 'device' | 'refused') =>
    world.sessions.get(documentId(n))?.setView({ receipt, unsent: { edits: 1, oldestAt: 5 } });
  const receipt = () => me.store.get(me.deviceReceiptAtom).receipt;
  show(1, 'sending');
  expect(receipt()).toBe('sending');
  show(2, 'device');
  expect(receipt()).toBe('device');
  show(3, 'refused');
  expect(receipt()).toBe('refused');
  expect(me.store.get(me.deviceReceiptAtom).unsent.edits).toBe(3);
});

test('signing out closes the pages, wipes the device, and another person starts empty', async () => {
  const world = appWorld();
  const { me } = await inWorkspace(world);
  me.pages.acquire(documentId(1));
  await world.clock.run(10);
  await world.app.signOut();
  expect(me.pages.open()).toEqual([]);
  expect(world.shelf.kept.size).toBe(0);
  expect(world.device.forgotten).toBe(1);
  expect(world.app.store.get(world.app.personAtom)).toBeNull();
  world.become({ status: 'signedIn', identity: bert });
  expect(person(world)).not.toBe(me);
  expect(person(world).identity.id).toBe(bert.id);
});

test('a sign-in that expired keeps the person, their pages and what they wrote', async () => {
  const { world, me } = await inWorkspace();
  me.pages.acquire(documentId(1));
  world.become({ status: 'expired', identity: ada });
  expect(person(world)).toBe(me);
  expect(me.pages.open()).toHaveLength(1);
  const calls = world.server.calls.length;
  world.become({ status: 'signedIn', identity: ada });
  await world.clock.run(2_000);
  expect(person(world)).toBe(me);
  expect(world.server.calls.length).toBeGreaterThan(calls);
});

test('people are asked for once, all that a moment brings up in one call', async () => {
  const { world, me } = await inWorkspace();
  const before = world.server.calls.filter((name) => name === 'profiles').length;
  me.people.meet([userId(3)]);
  me.people.meet([userId(3), bert.id]);
  await world.clock.run(10);
  me.people.meet([userId(3)]);
  await world.clock.run(10);
  expect(world.server.calls.filter((name) => name === 'profiles').length - before).toBe(1);
});

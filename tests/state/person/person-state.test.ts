import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { REJOIN_MS } from '../../../src/state/people/people.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import { pageListKey } from '../../../src/state/workspace/page-list.ts';
import {
  alice,
  appFixture,
  bob,
  documentId,
  memoryListCache,
  northquay,
  pageSummary,
  userId,
} from '../../support/app/app-fixture.ts';

function person({ app }: ReturnType<typeof appFixture>): PersonState {
  const one = app.store.get(app.personAtom);
  if (one === null) throw new Error('no one is signed in');
  return one;
}

async function inWorkspace(fixture = appFixture()) {
  await fixture.clock.run(10);
  const me = person(fixture);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await fixture.clock.run(10);
  const titles = () => me.store.get(workspace.listAtom).value?.documents.map(({ title }) => title);
  return { fixture, me, workspace, titles };
}

test('a change on the workspace’s topic updates the list', async () => {
  const { fixture, titles } = await inWorkspace();
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes']);
  fixture.server.documents[0] = pageSummary(1, 'Plan for 21 June');
  fixture.stream.sendChange({ kind: 'document', op: 'changed', id: documentId(1), workspace: northquay.id });
  await fixture.clock.run(2_000);
  expect(titles()).toEqual(['Plan for 21 June', 'Minutes']);
});

test('the list of a workspace is there after an offline restart', async () => {
  const listCache = memoryListCache();
  await inWorkspace(appFixture({ listCache }));
  const restarted = appFixture({ listCache });
  restarted.goOffline();
  const { me, titles } = await inWorkspace(restarted);
  expect(me.store.get(me.workspacesAtom).value).toEqual([northquay]);
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes']);
});

test('a workspace that is deleted between its rendering and its opening still opens', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const me = person(fixture);
  fixture.server.workspaces.length = 0;
  fixture.server.refusals.set('documents', weftError('WF001'));
  void me.refreshWorkspaces();
  await fixture.clock.run(2_000);
  expect(me.store.get(me.workspacesAtom).value).toEqual([]);
  expect(me.workspaces.acquire(northquay.id).value.workspace).toEqual(northquay);
});

test('a workspace that this person left is off the list, even if the server stops answering', async () => {
  const { fixture, me } = await inWorkspace();
  fixture.goOffline();
  const removed = me.removeWorkspace(northquay.id);
  await fixture.clock.run(2_000);
  await removed;
  expect(me.store.get(me.workspacesAtom).value).toEqual([]);
});

test('the pages of a workspace that the person is no longer in leave the device, except for unsent edits', async () => {
  const { fixture, me } = await inWorkspace();
  fixture.device.cachedDocuments = [1, 2].map((n) => ({
    document: documentId(n),
    openedAt: n,
    bytes: 1,
    isUnsent: n === 2,
  }));
  fixture.server.workspaces.length = 0;
  fixture.server.refusals.set('documents', weftError('WF001'));
  void me.refreshWorkspaces();
  await fixture.clock.run(2_000);
  expect(fixture.device.cachedDocuments.map(({ document }) => document)).toEqual([documentId(2)]);
});

test('they leave the device also if the server’s list comes before the cached one', async () => {
  const listCache = memoryListCache();
  await inWorkspace(appFixture({ listCache }));
  const slow = Promise.withResolvers<void>();
  const load = async (key: string) => {
    const stored = await listCache.load(key);
    if (key === 'workspaces') await slow.promise;
    return stored;
  };
  const { clock, device } = appFixture({ listCache: { ...listCache, load }, workspaces: [] });
  device.cachedDocuments = [{ document: documentId(1), openedAt: 1, bytes: 1, isUnsent: false }];
  await clock.run(2_000);
  slow.resolve();
  await clock.run(2_000);
  expect(device.cachedDocuments).toEqual([]);
  expect(listCache.entries.get(pageListKey(northquay.id))).toBeNull();
});

test('member locations are shown, with names', async () => {
  const { fixture, me, workspace } = await inWorkspace();
  fixture.stream.sendLocations([{ user: bob.id, document: documentId(1) }]);
  await fixture.clock.run(10);
  expect(me.store.get(workspace.locationsAtom)).toEqual([{ user: bob.id, document: documentId(1) }]);
  expect(me.store.get(me.people.atom).get(bob.id)?.displayName).toBe('Bob Holm');
});

test('a workspace whose rights changed is followed to its new topic, and this person’s location is sent again', async () => {
  const { fixture, workspace } = await inWorkspace();
  workspace.setCurrentPage(documentId(2));
  fixture.server.workspaces[0] = { ...northquay, epoch: 2 };
  fixture.stream.sendChange({ kind: 'access', op: 'changed', id: northquay.id, workspace: northquay.id });
  await fixture.clock.run(2_000);
  expect(fixture.stream.opened).toEqual([1, -1, 2]);
  expect(fixture.stream.currentPages).toEqual([documentId(2), documentId(2)]);
});

test('after a change a list is asked for by the stamp of the last answer', async () => {
  const { fixture } = await inWorkspace();
  fixture.stream.sendChange({ kind: 'document', op: 'changed', id: documentId(1), workspace: northquay.id });
  await fixture.clock.run(2_000);
  expect(fixture.server.stamps).toEqual([null, '1']);
});

test('a change on the person’s own topic updates the list of its workspace; joining it again updates all', async () => {
  const { fixture, titles } = await inWorkspace(appFixture({ workspaces: [{ ...northquay, role: 'guest' }] }));
  expect([fixture.stream.opened, fixture.personStream.isOpen]).toEqual([[], true]);
  fixture.server.documents[0] = pageSummary(1, 'Plan for 21 June');
  fixture.personStream.sendChange({ kind: 'document', op: 'changed', id: documentId(1), workspace: northquay.id });
  await fixture.clock.run(2_000);
  expect(titles()).toEqual(['Plan for 21 June', 'Minutes']);
  fixture.server.documents[0] = pageSummary(1, 'Plan for 28 June');
  fixture.personStream.catchUp();
  await fixture.clock.run(2_000);
  expect(titles()).toEqual(['Plan for 28 June', 'Minutes']);
});

test('a person who edits the page is announced as editing it, and as a reader again three minutes after the last edit', async () => {
  const { fixture, workspace } = await inWorkspace();
  const announced = () => [fixture.stream.currentPages, fixture.stream.isReading];
  workspace.setCurrentPage(documentId(2));
  expect(announced()).toEqual([[documentId(2)], true]);
  workspace.noteEditing();
  workspace.noteEditing();
  expect(announced()).toEqual([[documentId(2), documentId(2)], false]);
  await fixture.clock.run(2 * 60_000);
  workspace.noteEditing();
  await fixture.clock.run(2 * 60_000);
  expect(fixture.stream.isReading).toBe(false);
  await fixture.clock.run(60_001);
  expect(announced()).toEqual([[documentId(2), documentId(2), documentId(2)], true]);
  // The next page has not been edited yet.
  workspace.noteEditing();
  workspace.setCurrentPage(documentId(1));
  expect(announced()).toEqual([[...Array.from({ length: 4 }, () => documentId(2)), documentId(1)], true]);
});

test('a page that not all members may see is not announced on the workspace’s topic', async () => {
  const fixture = appFixture();
  fixture.server.documents.push(
    pageSummary(3, 'Salaries', { access: 'restricted' }),
    pageSummary(4, 'Bonuses', { access: 'inherit', parentId: documentId(3) }),
    pageSummary(5, 'Agenda', { access: 'inherit', parentId: documentId(2) }),
  );
  const { workspace } = await inWorkspace(fixture);
  for (const page of [3, 5, 4]) workspace.setCurrentPage(documentId(page));
  expect(fixture.stream.currentPages).toEqual([documentId(5), null]);
});

test('a person who only sees single pages joins no topic of the workspace', async () => {
  const { fixture, me, workspace } = await inWorkspace(appFixture({ workspaces: [{ ...northquay, role: null }] }));
  expect(me.store.get(workspace.locationsAtom)).toBeNull();
  expect(fixture.stream.opened).toEqual([]);
});

test('a new page comes after its siblings, at once', async () => {
  const { fixture, workspace, titles } = await inWorkspace();
  const made = await workspace.createPage({ parent: null }, documentId(50));
  expect(made).toMatchObject({ ok: true, value: { id: documentId(50), parentId: null } });
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes', '']);
  const ranks = fixture.server.documents.map(({ rank }) => rank);
  expect(ranks).toEqual(ranks.toSorted());
});

test('a new page requested before the list is there waits for it', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const { value: workspace } = person(fixture).workspaces.acquire(northquay.id);
  const making = workspace.createPage({ parent: null }, documentId(51));
  await fixture.clock.run(2_000);
  expect(await making).toMatchObject({ ok: true });
  expect(fixture.server.documents.at(-1)?.rank).toBe('a3');
});

test('edits of a page that is not open are sent, and the page is closed again', async () => {
  const waiting = { edits: 2, oldestAt: 5 };
  const fixture = appFixture({
    unsent: [{ document: documentId(7), ...waiting }],
    view: { unsent: waiting, receipt: 'sending' },
  });
  await fixture.clock.run(10);
  const me = person(fixture);
  expect(me.store.get(me.deviceReceiptAtom)).toMatchObject({ receipt: 'sending', unsent: waiting });
  const session = fixture.sessions.get(documentId(7));
  fixture.device.unsent = [];
  session?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved' });
  await fixture.clock.run(10_000);
  expect(me.pages.openValues()).toEqual([]);
  expect(me.store.get(me.deviceReceiptAtom).receipt).toBe('saved');
});

test('without an open page on screen the worst receipt of all open pages wins', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const me = person(fixture);
  for (const n of [1, 2, 3]) me.pages.acquire(documentId(n));
  await fixture.clock.run(10);
  const show = (n: number, receipt: 'saved' | 'sending' | 'device' | 'refused') =>
    fixture.sessions.get(documentId(n))?.setView({ receipt, unsent: { edits: 1, oldestAt: 5 } });
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
  const fixture = appFixture();
  const { me } = await inWorkspace(fixture);
  me.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  await fixture.app.signOut();
  expect(me.pages.openValues()).toEqual([]);
  expect(fixture.listCache.entries.size).toBe(0);
  expect(fixture.device.forgotten).toBe(1);
  expect(fixture.app.store.get(fixture.app.personAtom)).toBeNull();
  fixture.setSignIn({ status: 'signedIn', identity: bob });
  expect(person(fixture)).not.toBe(me);
  expect(person(fixture).identity.id).toBe(bob.id);
});

test('an expired sign-in keeps the person, their pages and their edits', async () => {
  const { fixture, me } = await inWorkspace();
  me.pages.acquire(documentId(1));
  fixture.setSignIn({ status: 'expired', identity: alice });
  expect(person(fixture)).toBe(me);
  expect(me.pages.openValues()).toHaveLength(1);
  const calls = fixture.server.calls.length;
  fixture.setSignIn({ status: 'signedIn', identity: alice });
  await fixture.clock.run(2_000);
  expect(person(fixture)).toBe(me);
  expect(fixture.server.calls.length).toBeGreaterThan(calls);
});

test('profiles are requested once, all at once for those that come up together', async () => {
  const { fixture, me } = await inWorkspace();
  const before = fixture.server.calls.filter((name) => name === 'profiles').length;
  me.people.ensureLoaded([userId(3)]);
  me.people.ensureLoaded([userId(3), bob.id]);
  await fixture.clock.run(10);
  me.people.ensureLoaded([userId(3)]);
  await fixture.clock.run(10);
  expect(fixture.server.calls.filter((name) => name === 'profiles').length - before).toBe(1);
});

test.each(['personStream', 'stream'] as const)(
  'profiles are requested again when the %s is joined again, not when it is first joined',
  async (topic) => {
    const { fixture } = await inWorkspace();
    const requests = () => fixture.server.calls.filter((name) => name === 'profiles').length;
    const before = requests();
    fixture[topic].catchUp();
    await fixture.clock.run(REJOIN_MS);
    expect(requests() - before).toBe(0);
    fixture[topic].catchUp();
    await fixture.clock.run(REJOIN_MS);
    expect(requests() - before).toBe(1);
  },
);

test('after a lost connection profiles are requested once for all topics, and not by everyone at the same moment', async () => {
  const { fixture } = await inWorkspace();
  const requests = () => fixture.server.calls.filter((name) => name === 'profiles').length;
  const join = () => {
    fixture.personStream.catchUp();
    fixture.stream.catchUp();
  };
  join();
  const before = requests();
  join();
  await fixture.clock.run(REJOIN_MS / 4);
  expect(requests() - before).toBe(0);
  await fixture.clock.run(REJOIN_MS);
  expect(requests() - before).toBe(1);
  join();
  await fixture.app.signOut();
  await fixture.clock.run(REJOIN_MS);
  expect(requests() - before).toBe(1);
});

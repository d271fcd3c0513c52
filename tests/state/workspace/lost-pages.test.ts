// Pages that a restored server has never heard of: made again from what this device has, or kept here for the person to decide.
import { expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { HeldDocument } from '../../../src/ports/device.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import {
  appFixture,
  documentId,
  memoryDevice,
  memoryListCache,
  northquay,
  pageSummary,
} from '../../support/app/app-fixture.ts';

const HELD: HeldDocument = { role: 'editor', at: 5_000 };

type Options = {
  readonly held?: Partial<HeldDocument> | null;
  readonly change?: Parameters<typeof pageSummary>[2];
  readonly isOfNewerApp?: boolean;
};

/** A page that this device holds and the lists know. `goBack`: the server is one from before the page. */
async function withPage({ held = {}, change = {}, isOfNewerApp = false }: Options = {}) {
  const [device, listCache] = [memoryDevice(), memoryListCache()];
  const fixture = appFixture({ device, listCache });
  const page = pageSummary(50, 'Tide table', change);
  fixture.server.documents.push(page);
  device.cachedDocuments = [{ document: page.id, openedAt: 1, bytes: 10, isUnsent: false }];
  if (held !== null) device.held.set(page.id, { ...HELD, ...held });
  if (isOfNewerApp) device.ofNewerApps.add(page.id);
  await fixture.clock.run(10);
  const me = personOf(fixture);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await fixture.clock.run(10);
  const goBack = async () => {
    fixture.server.documents = fixture.server.documents.filter(({ id }) => id !== page.id);
    fixture.server.lost.add(page.id);
    void workspace.refresh();
    await fixture.clock.run(2_000);
  };
  return { fixture, device, me, workspace, page, goBack };
}

function personOf(fixture: ReturnType<typeof appFixture>): PersonState {
  const me = fixture.app.store.get(fixture.app.personAtom);
  if (me === null) throw new Error('no one is signed in');
  return me;
}

const titles = ({ me, workspace }: Awaited<ReturnType<typeof withPage>>) =>
  me.store.get(workspace.listAtom).value?.documents.map(({ title }) => title);
const queued = ({ me, page }: Awaited<ReturnType<typeof withPage>>) => me.store.get(me.pendingPages.atom).get(page.id);

test('a page that the server has never heard of is made again in its place, and opened to put back the rest', async () => {
  const device = await withPage({ change: { parentId: documentId(1), access: 'inherit' } });
  await device.goBack();
  expect(device.fixture.server.made).toEqual([{ id: device.page.id, parent: documentId(1) }]);
  expect(titles(device)).toContain('Tide table');
  expect(queued(device)).toBeUndefined();
  expect(device.fixture.sessions.has(device.page.id)).toBe(true);
});

test('a page that was closed or deleted leaves the device as before', async () => {
  const device = await withPage();
  device.fixture.server.documents = device.fixture.server.documents.filter(({ id }) => id !== device.page.id);
  void device.workspace.refresh();
  await device.fixture.clock.run(2_000);
  expect(device.device.cachedDocuments).toEqual([]);
  expect(device.fixture.server.made).toEqual([]);
});

const unreadable = (): never => {
  throw new Error('the store does not answer');
};

test.each(['WF011', 'WF001', 'unknown'] as const)(
  'it stays until the server has said what became of it, whatever error comes instead (%s)',
  async (code) => {
    const device = await withPage();
    device.fixture.server.refusals.set('lostDocuments', weftError(code));
    await device.goBack();
    await device.fixture.clock.run(60_000);
    expect(device.device.cachedDocuments).toHaveLength(1);
    device.fixture.server.refusals.clear();
    // A timer asks again after an error that passes.
    if (code !== 'WF011') device.me.retryAll();
    await device.fixture.clock.run(60_000);
    expect(device.fixture.server.made).toEqual([{ id: device.page.id, parent: null }]);
  },
);

test('it stays until the device has said what it has of it', async () => {
  const device = await withPage();
  vi.spyOn(device.device.held, 'get').mockImplementationOnce(unreadable);
  await device.goBack();
  await device.fixture.clock.run(60_000);
  expect(device.fixture.server.made).toEqual([{ id: device.page.id, parent: null }]);
});

test.each(['the server', 'the device'])(
  'a page that is refused stays while %s does not say what it has of it',
  async (who) => {
    const device = await withPage();
    const { fixture, me, page } = device;
    me.pages.acquire(page.id);
    await fixture.clock.run(10);
    if (who === 'the server') fixture.server.refusals.set('lostDocuments', weftError('unknown'));
    else vi.spyOn(device.device.held, 'get').mockImplementation(unreadable);
    fixture.sessions.get(page.id)?.setView({ error: weftError('WF001') });
    await fixture.clock.run(2_000);
    expect(device.device.cachedDocuments).toHaveLength(1);
  },
);

test.each([
  ['a reader', { held: { role: 'viewer' as const } }, 'WF002'],
  ['an editor of a page that is closed to most', { change: { access: 'restricted' as const } }, 'WF002'],
  ['an older app', { isOfNewerApp: true }, 'WF004'],
])('%s does not make it again: it stays on the device, in its place', async (_who, options, code) => {
  const device = await withPage(options);
  await device.goBack();
  expect(device.fixture.server.made).toEqual([]);
  expect(queued(device)).toMatchObject({ refused: code, title: 'Tide table' });
  expect(titles(device)).toContain('Tide table');
  expect(device.device.cachedDocuments).toHaveLength(1);
});

test('after a final restore it is kept: it counts as unsent, and can be discarded', async () => {
  const device = await withPage();
  device.fixture.server.refusals.set('makeDocumentAgain', weftError('WF016', 'final'));
  await device.goBack();
  expect(queued(device)).toMatchObject({ refused: 'WF016' });
  const { me, page } = device;
  expect(me.store.get(me.lostOnSignOutAtom)).toMatchObject([{ document: page.id, edits: 1 }]);
  await me.pendingPages.drop(page.id);
  expect(device.device.cachedDocuments).toEqual([]);
});

test('pages of a workspace that the server has lost are kept, whether it is open or not', async () => {
  const device = await withPage();
  const { server } = device.fixture;
  server.workspaces = [];
  server.lost.add(device.page.id);
  server.refusals.set('makeDocumentAgain', weftError('WF001', 'no such workspace'));
  server.refusals.set('documents', weftError('WF001', 'no such workspace'));
  void device.me.refreshWorkspaces();
  await device.fixture.clock.run(2_000);
  expect(queued(device)).toMatchObject({ refused: 'WF001', title: 'Tide table' });
  expect(device.device.cachedDocuments).toHaveLength(1);
});

test('a page that nothing is stored of is only gone from the lists', async () => {
  const device = await withPage({ held: null });
  await device.goBack();
  expect(device.fixture.server.made).toEqual([]);
  expect(queued(device)).toBeUndefined();
  expect(titles(device)).not.toContain('Tide table');
});

test('a page that the server has in the trash stays while it has less of it: it is opened, so that the rest waits for its restoration', async () => {
  const device = await withPage();
  device.fixture.server.documents = device.fixture.server.documents.filter(({ id }) => id !== device.page.id);
  device.fixture.server.behind.add(device.page.id);
  void device.workspace.refresh();
  await device.fixture.clock.run(2_000);
  expect(device.device.cachedDocuments).toHaveLength(1);
  expect(device.fixture.sessions.has(device.page.id)).toBe(true);
  expect(device.fixture.server.made).toEqual([]);
});

test('the topic of a workspace whose epoch went back is joined anew', async () => {
  const device = await withPage();
  device.fixture.server.workspaces = [{ ...northquay, epoch: 7 }];
  void device.workspace.refresh();
  await device.fixture.clock.run(2_000);
  device.fixture.server.workspaces = [{ ...northquay, epoch: 2 }];
  void device.workspace.refresh();
  await device.fixture.clock.run(2_000);
  expect(device.fixture.stream.opened).toEqual([1, -1, 7, -1, 2]);
});

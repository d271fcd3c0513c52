// Moves and trashings: shown at once, kept over a reload, sent in order, and taken back if the server rejects them.
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { appFixture, documentId, memoryDevice, memoryListCache, northquay } from '../../../support/app/app-fixture.ts';
import { personOf } from '../../../support/app/render-in-app.tsx';

async function inWorkspace(start: Parameters<typeof appFixture>[0] = {}) {
  const fixture = appFixture(start);
  await fixture.clock.run(10);
  const me = personOf(fixture);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await fixture.clock.run(10);
  const top = () => (me.store.get(workspace.indexAtom).below.get(null) ?? []).map(numberOf);
  const below = (n: number) => (me.store.get(workspace.indexAtom).below.get(documentId(n)) ?? []).map(numberOf);
  const sent = () => fixture.server.calls.filter((name) => /move|trash|create/.test(name));
  const edits = () => me.store.get(me.deviceReceiptAtom).unsent.edits;
  return { fixture, me, workspace, top, below, sent, edits };
}
const numberOf = (id: string) => Number(id.slice(-12));
const into = (parent: number | null, after: number | null = null) => ({
  parent: parent === null ? null : documentId(parent),
  after: after === null ? null : documentId(after),
});

test('a move is shown at once and sent', async () => {
  const { fixture, workspace, top, below, sent, edits } = await inWorkspace();
  workspace.movePage(documentId(1), into(2));
  expect([top(), below(2), edits()]).toEqual([[2], [1], 1]);
  await fixture.clock.run(2_000);
  expect([top(), below(2), edits(), sent()]).toEqual([[2], [1], 0, ['moveDocument']]);
  expect(fixture.server.documents.find(({ id }) => id === documentId(1))?.parentId).toBe(documentId(2));
});

test('a list that was on its way does not take the move back on the screen', async () => {
  const { fixture, me, workspace, top } = await inWorkspace();
  const seen = new Set<string>();
  me.store.sub(workspace.indexAtom, () => seen.add(top().join()));
  void workspace.refresh();
  workspace.movePage(documentId(1), into(null, 2));
  await fixture.clock.run(5_000);
  expect(Array.from(seen)).toEqual(['2,1']);
});

test('offline, moves and trashings wait on the device with a receipt, over a reload, and go out in order', async () => {
  const [device, listCache] = [memoryDevice(), memoryListCache()];
  const before = await inWorkspace({ device, listCache });
  await before.fixture.clock.run(1_000);
  before.fixture.goOffline();
  before.workspace.movePage(documentId(1), into(2));
  before.workspace.trashPage(documentId(2));
  await before.fixture.clock.run(5_000);
  expect([before.top(), before.edits()]).toEqual([[], 2]);

  const after = await inWorkspace({ device, listCache, offline: true });
  await after.fixture.clock.run(10);
  expect([after.top(), after.edits()]).toEqual([[], 2]);
  after.fixture.server.calls.length = 0;
  after.fixture.goOnline();
  await after.fixture.clock.run(60_000);
  expect(after.sent()).toEqual(['moveDocument', 'trashDocument']);
  expect([after.top(), after.edits(), device.changes.size]).toEqual([[], 0, 0]);
});

test('a page goes to the trash after the edits that are on their way, or after three seconds', async () => {
  const { fixture, me, workspace, top, sent } = await inWorkspace();
  const edit = async (n: number, edits: number) => {
    fixture.sessions.get(documentId(n))?.setView({ unsent: { edits, oldestAt: edits === 0 ? null : 5 } });
    await fixture.clock.run(10);
  };
  for (const n of [1, 2]) {
    me.pages.acquire(documentId(n));
    await fixture.clock.run(10);
    await edit(n, 1);
  }
  workspace.trashPage(documentId(1));
  await fixture.clock.run(1_000);
  expect([top(), sent()]).toEqual([[2], []]);
  await edit(1, 0);
  expect(sent()).toEqual(['trashDocument']);
  workspace.trashPage(documentId(2));
  await fixture.clock.run(2_000);
  expect(sent().length).toBe(1);
  await fixture.clock.run(2_000);
  expect([top(), sent()]).toEqual([[], ['trashDocument', 'trashDocument']]);
});

test('only the last of two moves that were not sent goes out', async () => {
  const { fixture, workspace, top, sent } = await inWorkspace();
  fixture.goOffline();
  await fixture.clock.run(10);
  workspace.movePage(documentId(1), into(2));
  await fixture.clock.run(100);
  workspace.movePage(documentId(1), into(null, 2));
  expect(top()).toEqual([2, 1]);
  await fixture.clock.run(100);
  fixture.server.calls.length = 0;
  fixture.goOnline();
  await fixture.clock.run(60_000);
  expect([sent(), top()]).toEqual([['moveDocument'], [2, 1]]);
});

test.each(['WF001', 'WF002', 'WF010', 'unknown'] as const)(
  'a move rejected with %s is taken back, and said',
  async (code) => {
    const { fixture, me, workspace, top, edits } = await inWorkspace();
    fixture.server.refusals.set('moveDocument', weftError(code));
    workspace.movePage(documentId(1), into(2));
    expect(top()).toEqual([2]);
    await fixture.clock.run(2_000);
    expect([top(), edits()]).toEqual([[1, 2], 0]);
    expect(me.store.get(me.pageChanges.refusedAtom)).toMatchObject({
      change: { kind: 'move', page: documentId(1) },
      error: { code },
    });
  },
);

test('a new page that is moved before the server has it is created first', async () => {
  const { fixture, workspace, below, sent } = await inWorkspace();
  fixture.goOffline();
  void workspace.createPage(into(null), documentId(50));
  await fixture.clock.run(2_000);
  workspace.movePage(documentId(50), into(1));
  expect(below(1)).toEqual([50]);
  fixture.server.calls.length = 0;
  fixture.goOnline();
  await fixture.clock.run(60_000);
  expect(sent()).toEqual(['createDocument', 'moveDocument']);
  expect(below(1)).toEqual([50]);
});

test('on a device that stores nothing a change waits in its tab', async () => {
  const { fixture, me, workspace, top, edits } = await inWorkspace();
  fixture.device.isBroken = true;
  fixture.goOffline();
  workspace.movePage(documentId(1), into(2));
  await fixture.clock.run(100);
  await me.pageChanges.refresh();
  expect([top(), edits()]).toEqual([[2], 1]);
  fixture.goOnline();
  await fixture.clock.run(60_000);
  expect([top(), edits()]).toEqual([[2], 0]);
});

test('a change can be taken back until it is sent', async () => {
  const { fixture, me, workspace, top } = await inWorkspace();
  fixture.goOffline();
  workspace.trashPage(documentId(1));
  await fixture.clock.run(10);
  fixture.server.isSilent = false;
  const [change] = me.store.get(me.pageChanges.atom);
  await fixture.clock.run(1_500);
  if (change === undefined) throw new Error('no change waits');
  const isTakenBack = me.pageChanges.takeBack(change);
  expect([isTakenBack, top(), fixture.device.changes.size]).toEqual([true, [1, 2], 0]);
  fixture.goOnline();
  await fixture.clock.run(60_000);
  expect(top()).toEqual([1, 2]);
});

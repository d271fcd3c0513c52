// Several tabs of one person in one browser, and the edits that a closed tab leaves behind.
import { expect, test } from 'vitest';
import {
  appFixture,
  documentId,
  memoryBrowser,
  memoryDevice,
  memoryListCache,
  northquay,
  pageSummary,
} from '../../support/app/app-fixture.ts';
import { personOf } from '../../support/app/render-in-app.tsx';

/** Tabs of one browser, each on the home screen. An opened page shows unsent edits until a test changes that. */
async function tabs(count: number) {
  const view = { unsent: { edits: 1, oldestAt: 5 }, receipt: 'sending' } as const;
  const shared = { browser: memoryBrowser(), device: memoryDevice(), listCache: memoryListCache(), view };
  const fixtures = Array.from({ length: count }, () => appFixture(shared));
  await shared.browser.clock.run(10);
  const opened = fixtures.map((fixture) => {
    const me = personOf(fixture);
    const { value: workspace } = me.workspaces.acquire(northquay.id);
    const receipt = () => {
      const { receipt: word, unsent } = me.store.get(me.deviceReceiptAtom);
      return [word, unsent.edits];
    };
    const titles = () => me.store.get(workspace.listAtom).value?.documents.map(({ title }) => title);
    return {
      fixture,
      me,
      workspace,
      receipt,
      titles,
      open: () => me.pages.openValues().map((page) => page.documentId),
    };
  });
  const { clock } = shared.browser;
  await clock.run(10);
  /** The edits are on the device, and the tab that has the page open shows them. */
  const writeIn = async ({ fixture, me }: (typeof opened)[number], n: number, edits: number) => {
    const lease = me.pages.acquire(documentId(n));
    await clock.run(10);
    const unsent = { edits, oldestAt: clock.now() };
    shared.device.unsent = [{ document: documentId(n), ...unsent }];
    fixture.sessions.get(documentId(n))?.setView({ unsent, receipt: 'device', lastN: edits });
    return lease;
  };
  const [first, second] = opened;
  if (first === undefined || second === undefined) throw new Error('two tabs at least');
  return { ...shared, clock, first, second, writeIn };
}

test('edits of another tab are shown and left to that tab; once it is closed this tab sends them', async () => {
  const { clock, device, first, second, writeIn } = await tabs(2);
  const lease = await writeIn(second, 7, 2);
  await clock.run(5_000);
  expect(first.receipt()).toEqual(['device', 2]);
  await clock.run(60_000);
  expect(first.open()).toEqual([]);

  lease.release();
  await clock.run(5_000);
  expect(first.open()).toEqual([documentId(7)]);
  expect(second.open()).toEqual([]);
  device.unsent = [];
  first.fixture.sessions.get(documentId(7))?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved' });
  await clock.run(10_000);
  expect(first.open()).toEqual([]);
  expect([first.receipt(), second.receipt()]).toEqual([
    ['saved', 0],
    ['saved', 0],
  ]);
});

test('a killed tab notifies no one, and its edits are sent all the same', async () => {
  const { clock, device, first, second, writeIn } = await tabs(2);
  await writeIn(second, 7, 1);
  await clock.run(5_000);
  expect(first.open()).toEqual([]);
  device.open = [];
  await clock.run(15_000);
  expect(first.open()).toEqual([documentId(7)]);
});

test('when the network is back, unsent edits on the device are found without a notification', async () => {
  const { clock, device, first } = await tabs(2);
  device.unsent = [{ document: documentId(7), edits: 1, oldestAt: 5 }];
  await clock.run(60_000);
  expect(first.receipt()).toEqual(['saved', 0]);
  first.me.retryAll();
  await clock.run(10);
  expect(first.open()).toEqual([documentId(7)]);
});

test('typing online in one tab makes nothing flicker or open in the other, and signing out counts the edits', async () => {
  const { clock, device, first, second, writeIn } = await tabs(2);
  await writeIn(second, 7, 1);
  const seen = new Set<string>();
  for (let key = 0; key < 40; key++) {
    const unsent = { edits: 1, oldestAt: clock.now() };
    device.unsent = [{ document: documentId(7), ...unsent }];
    second.fixture.sessions.get(documentId(7))?.setView({ unsent, receipt: 'sending' });
    await clock.run(200);
    seen.add(String(first.receipt()));
    expect(first.open()).toEqual([]);
    second.fixture.sessions.get(documentId(7))?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved' });
    await clock.run(10);
  }
  expect(Array.from(seen)).toEqual(['saved,0']);
  expect(first.me.store.get(first.me.lostOnSignOutAtom)).toMatchObject([{ document: documentId(7), edits: 1 }]);
});

test('edits that cannot be sent are not retried at each refresh; the return of the network retries them', async () => {
  const { clock, device, first, second } = await tabs(2);
  await second.me.close();
  device.unsent = [{ document: documentId(7), edits: 1, oldestAt: 5 }];
  first.me.retryAll();
  await clock.run(10);
  first.fixture.sessions.get(documentId(7))?.setView({ unsent: { edits: 1, oldestAt: 5 }, receipt: 'refused' });
  await clock.run(5_000);
  expect(first.open()).toEqual([]);
  await clock.run(40_000);
  expect(first.open()).toEqual([]);
  first.me.retryAll();
  await clock.run(10);
  expect(first.open()).toEqual([documentId(7)]);
});

test('a page that was closed before its text copy was saved is opened once more when the network is back', async () => {
  const { clock, first, second } = await tabs(2);
  await second.me.close();
  const lease = first.me.pages.acquire(documentId(1));
  await clock.run(10);
  const session = first.fixture.sessions.get(documentId(1));
  session?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved', connection: 'offline' });
  Object.assign(session ?? {}, { isCopyDue: true });
  lease.release();
  await clock.run(30_000);
  expect(first.open()).toEqual([]);

  first.me.retryAll();
  await clock.run(10);
  const again = first.fixture.sessions.get(documentId(1));
  again?.setView({ unsent: { edits: 0, oldestAt: null }, receipt: 'saved' });
  await clock.run(5_000);
  // The server has not answered yet.
  expect(first.open()).toEqual([documentId(1)]);
  again?.setView({ document: pageSummary(1, '') });
  await clock.run(5_000);
  expect(first.open()).toEqual([]);
  first.me.retryAll();
  await clock.run(5_000);
  expect(first.open()).toEqual([]);
});

test('a page created offline by another tab is in the tree here with its title, and is created when that tab is gone', async () => {
  const { clock, device, first, second } = await tabs(2);
  for (const { fixture } of [first, second]) fixture.goOffline();
  const making = second.workspace.createPage({ parent: null }, documentId(50));
  await clock.run(2_000);
  await making;
  second.me.pendingPages.saveTitle(documentId(50), 'Tides');
  await clock.run(3_000);
  expect(first.titles()).toEqual(['Plan for 14 June', 'Minutes', 'Tides']);
  expect(first.receipt()).toEqual(['device', 1]);
  await second.me.close();
  first.fixture.goOnline();
  first.me.retryAll();
  await clock.run(1_000);
  expect(first.fixture.server.made.map(({ id }) => id)).toEqual([documentId(50)]);
  expect(Array.from(device.queue)).toEqual([]);
  expect(first.receipt()).toEqual(['saved', 0]);
});

test('a page that another tab created on the server leaves the queue here and stays in the tree', async () => {
  const { clock, first, second } = await tabs(2);
  first.fixture.goOffline();
  const making = first.workspace.createPage({ parent: null }, documentId(50));
  await clock.run(1_600);
  await making;
  expect(first.receipt()).toEqual(['device', 1]);
  second.me.retryAll();
  await clock.run(100);
  expect(second.fixture.server.made.map(({ id }) => id)).toEqual([documentId(50)]);
  first.fixture.server.documents = second.fixture.server.documents;
  first.fixture.server.refusal = null;
  const calls = first.fixture.server.calls.filter((name) => name === 'createDocument').length;
  await clock.run(3_000);
  expect(first.receipt()).toEqual(['saved', 0]);
  expect(first.titles()).toHaveLength(3);
  expect(first.fixture.server.calls.filter((name) => name === 'createDocument')).toHaveLength(calls);
});

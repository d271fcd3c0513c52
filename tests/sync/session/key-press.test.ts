// The way of one key press, in the order in which its effects happen: ARCHITECTURE.md, "One edit's journey".
import { expect, test } from 'vitest';
import { decodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { SyncHarness, type TestTab } from '../sync-harness.ts';

/** Two users on a page who have both typed, so that their sessions are registered and know of each other. */
async function aliceAndBob() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const alice = harness.user('alice');
  const [a, b] = [await alice.opened(), await harness.user('bob').opened()];
  await harness.run(200);
  for (const tab of [a, b]) {
    tab.type('-');
    await harness.run(5_000);
  }
  return { harness, store: alice.store, a, b };
}

/** Notes what happens at alice's ports, in her view, and in bob's document. */
function observe(a: TestTab, b: TestTab, store: Awaited<ReturnType<typeof aliceAndBob>>['store']) {
  const steps: string[] = [];
  const { addEntry, acknowledge } = store;
  store.addEntry = (document, outbox, entry) => {
    steps.push(`store writes entry ${entry.n}`);
    return addEntry.call(store, document, outbox, entry);
  };
  store.acknowledge = (document, session, lastN, meta, rows) => {
    steps.push(`store deletes entries up to ${lastN} and saves ${rows.length} rows, up to row ${meta.seq}`);
    return acknowledge.call(store, document, session, lastN, meta, rows);
  };
  let { receipt, ackedN } = a.view;
  a.session.subscribe(() => {
    if (a.view.ackedN !== ackedN) steps.push(`edit ${a.view.ackedN} is acknowledged`);
    if (a.view.receipt !== receipt) steps.push(`receipt: ${a.view.receipt}`);
    ({ receipt, ackedN } = a.view);
  });
  b.onMessage = (event, payload) => {
    const update = event === EVENTS.liveUpdate ? decodeLiveUpdate(payload) : null;
    if (update?.ok === true && update.value.nTo > 0) steps.push(`live update with edit ${update.value.nTo}`);
  };
  b.session.doc.on('update', () => steps.push('bob sees it'));
  a.faults.before = (name) => {
    if (name === 'append') steps.push('append');
    return null;
  };
  return steps;
}

test('[D5] [I5] [L1] [D2] [I2] a key press: stored, shown to others, appended, acknowledged', async () => {
  const { harness, store, a, b } = await aliceAndBob();
  const steps = observe(a, b, store);
  a.type('x');
  await harness.run(5_000);
  expect(steps).toEqual([
    'store writes entry 2',
    'receipt: sending',
    'live update with edit 2',
    'bob sees it',
    'append',
    'store deletes entries up to 2 and saves 1 rows, up to row 3',
    'edit 2 is acknowledged',
    'receipt: saved',
  ]);
  expect([a.text, b.text, harness.logText]).toEqual(['--x', '--x', '--x']);
});

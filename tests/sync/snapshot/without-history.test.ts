// People whose only access is a link that does not show the history: they get a snapshot and the rows after it (SN11).
import { beforeEach, expect, test } from 'vitest';
import { WATCH_AGAIN_MS } from 'weft-sync/protocol/topics.ts';
import { IDLE_MS, JITTER_MS } from 'weft-sync/snapshot/snapshot-scheduler.ts';
import * as Y from 'yjs';
import { DOCUMENT, SECRET, SyncHarness, type TestTab } from '../sync-harness.ts';
import { deflated, sha256Of, timelyMaker } from './timely-maker.ts';

const LONG_ENOUGH_MS = IDLE_MS + JITTER_MS + 1_000;
const RETRIED_MS = 5_000;

let harness: SyncHarness;
let alice: TestTab;

beforeEach(async () => {
  harness = new SyncHarness();
  harness.maker = timelyMaker();
  alice = await harness.user('alice').opened();
});

/** The server has a snapshot of everything written so far, or bytes that are none. */
function plantSnapshot(isDamaged = false): void {
  const state = deflated(isDamaged ? Uint8Array.of(1, 2, 3) : Y.encodeStateAsUpdateV2(harness.replay()));
  const seq = harness.server.rows(DOCUMENT).length;
  harness.server.plantSnapshot(DOCUMENT, { seq, state, sha256: sha256Of(state) });
}

async function guest(): Promise<TestTab> {
  const person = harness.user('guest', 'editor');
  harness.server.hideHistory(DOCUMENT, person.user);
  return person.opened();
}

test('[SN11] an editor’s tab makes a snapshot as soon as the server wants one, however short the tail is', async () => {
  alice.type('short');
  await harness.run(LONG_ENOUGH_MS);
  expect(harness.server.snapshots(DOCUMENT)).toEqual([]);
  harness.server.hideHistory(DOCUMENT, harness.user('guest', 'viewer').user);
  alice.type('!');
  await harness.run(LONG_ENOUGH_MS);
  expect(harness.server.snapshots(DOCUMENT)).toEqual([2]);
  await harness.run(10 * LONG_ENOUGH_MS);
  expect(harness.server.snapshots(DOCUMENT)).toEqual([2]);
});

test('[SN11] a tab that misses rows which it may not read any more opens again, and has them by the snapshot', async () => {
  const bob = await guest();
  alice.type('before ');
  await harness.run(RETRIED_MS);
  // Its call for the missing rows comes just after the snapshot.
  bob.faults.before = (name) => {
    if (name === 'rowsSince') {
      bob.faults.before = () => null;
      plantSnapshot();
    }
    return null;
  };
  const text = 'x'.repeat(300_000);
  alice.type(text);
  await harness.run(RETRIED_MS);
  expect(bob.text.length).toBe(alice.text.length);
  expect(bob.view).toMatchObject({ receipt: 'saved', error: null });
  bob.type('!');
  await harness.run(RETRIED_MS);
  expect([alice.text === bob.text, bob.view.receipt]).toEqual([true, 'saved']);
});

test('[SN11] what they append meanwhile is saved', async () => {
  const bob = await guest();
  bob.loseServer();
  alice.type('one ');
  await harness.run(1_000);
  alice.type('two ');
  await harness.run(1_000);
  plantSnapshot();
  bob.type('three');
  bob.findServer();
  await harness.run(RETRIED_MS);
  expect([bob.text === alice.text, bob.text.includes('three'), bob.view.receipt]).toEqual([true, true, 'saved']);
});

test('[SN11] a damaged snapshot is said, asked for ever more rarely, and replaced after the next edit', async () => {
  alice.type('words');
  await harness.run(1_000);
  plantSnapshot(true);
  const bob = await guest();
  await harness.run(60_000);
  expect([bob.text, bob.view.error?.code]).toEqual(['', 'WF019']);
  const before = bob.calls.length;
  await harness.run(10 * 60_000);
  expect(bob.calls.length - before).toBeLessThan(100);
  alice.type('!');
  await harness.run(2 * 60_000);
  expect([bob.text, bob.view.error]).toEqual([alice.text, null]);
});

test('[SN11] a watcher by such a link says that the snapshot is damaged, and shows the page when there is a right one', async () => {
  harness.server.createLink(DOCUMENT, SECRET, 'viewer', false);
  alice.type('words');
  await harness.run(1_000);
  plantSnapshot(true);
  const watcher = harness.watch();
  await harness.run(5_000);
  expect([watcher.text, watcher.view.error?.code]).toEqual(['', 'WF019']);
  alice.type('!');
  await harness.run(1_000);
  plantSnapshot();
  await harness.run(2 * WATCH_AGAIN_MS);
  expect([watcher.text, watcher.view.error]).toEqual([alice.text, null]);
});

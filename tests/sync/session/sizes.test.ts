// Limits of size, seen through a whole session over the memory server.
import { describe, expect, test } from 'vitest';
import { MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import * as Y from 'yjs';
import { DOCUMENT, SyncHarness } from '../sync-harness.ts';

const MEGABYTE = 1024 * 1024;
const largestRow = (harness: SyncHarness) => Math.max(...harness.server.rows(DOCUMENT).map((row) => row.update.length));

for (const liveUpdates of [true, false]) {
  describe(liveUpdates ? 'with live updates' : 'in log-only mode', () => {
    test('[SZ1] one transaction of 5 MB is saved in rows below 1 MiB, and the others have it', async () => {
      const harness = new SyncHarness(1, { liveUpdates });
      const [alice, bob] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
      alice.type('before ');
      await harness.run(500);
      alice.type('word '.repeat(MEGABYTE));
      alice.type('after');
      expect(alice.view.unsent.edits).toBeGreaterThan(20);
      expect(alice.view.receipt).not.toBe('saved');
      await harness.run(20_000);
      expect(alice.view).toMatchObject({ receipt: 'saved', unsent: { edits: 0 }, editable: true });
      expect(largestRow(harness)).toBeLessThanOrEqual(MAX_UPDATE_BYTES);
      expect(bob.text === alice.text).toBe(true);
      expect(harness.logText === alice.text).toBe(true);
    });
  });
}

test('[SZ1] redo of a deletion of megabytes can be saved', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const [alice, bob] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
  const text = alice.session.doc.getText('t');
  const undo = new Y.UndoManager(text);
  alice.type('word '.repeat(MEGABYTE / 2));
  await harness.run(10_000);
  undo.undo();
  await harness.run(2_000);
  expect([alice.view.receipt, bob.text]).toEqual(['saved', '']);
  undo.redo();
  bob.type('meanwhile');
  await harness.run(10_000);
  expect([alice.view.receipt, bob.view.receipt]).toEqual(['saved', 'saved']);
  expect(alice.text.length).toBe(2.5 * MEGABYTE + 9);
  expect(docContent(bob.session.doc) === docContent(alice.session.doc)).toBe(true);
  expect(largestRow(harness)).toBeLessThanOrEqual(MAX_UPDATE_BYTES);
});

test('[SZ1] [D6] a tab that dies in the middle of a large edit leaves pieces that the next one sends', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const user = harness.user('alice');
  const alice = await user.opened();
  alice.type('start ');
  await harness.run(500);
  alice.goOffline();
  alice.type('word '.repeat(MEGABYTE / 2));
  await harness.run(100);
  alice.die();
  const again = await user.opened();
  await harness.run(20_000);
  expect(again.view.receipt).toBe('saved');
  expect(again.text.length).toBe(6 + 2.5 * MEGABYTE);
  expect(harness.logText === again.text).toBe(true);
});

test('[SZ1] [SY5] one value that no row can hold is refused without a call, kept, and offered as a file', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  alice.session.doc.getText('t').insertEmbed(0, { picture: 'p'.repeat(2 * MEGABYTE) });
  await harness.run(1_000);
  expect(alice.view).toMatchObject({ receipt: 'refused', error: { code: 'WF020' }, editable: false });
  expect(alice.calls).not.toContain('append');
  expect(alice.session.unsentFile().length).toBeGreaterThan(2 * MEGABYTE);
});

test('[SZ2] [SZ3] everyone sees that a page is large, then full; edits that grow it without asking are saved all the same', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.pageLimits = { largeBytes: 10_000, fullBytes: 20_000 };
  const [alice, bob] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
  alice.type('x'.repeat(12_000));
  await harness.run(5_000);
  expect([alice.view.size, bob.view.size]).toEqual(['large', 'large']);
  expect([bob.session.mayGrow(1_000), bob.session.mayGrow(9_000), bob.view.size]).toEqual([true, false, 'full']);
  bob.type('y'.repeat(12_000));
  await harness.run(5_000);
  expect([alice.view.size, bob.view.size, bob.view.receipt, bob.view.editable]).toEqual([
    'full',
    'full',
    'saved',
    true,
  ]);
  expect([harness.logText.length, alice.session.mayGrow(1)]).toEqual([24_000, false]);
  alice.session.doc.getText('t').delete(0, 20_000);
  await harness.run(5_000);
  expect([alice.view.size, bob.view.size, bob.session.mayGrow(1_000)]).toEqual(['ordinary', 'ordinary', true]);
  const late = await harness.user('carol').opened();
  await harness.run(5_000);
  expect(late.view.size).toBe('ordinary');
});

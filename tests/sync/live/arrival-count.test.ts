// Counting how edits of others were first shown.
import { expect, test } from 'vitest';
import { SyncHarness } from '../sync-harness.ts';

test('edits shown live before an outage count when the page is opened again after it, and so do those made during it', async () => {
  const harness = new SyncHarness(4, { liveUpdates: true });
  const ada = await harness.user('ada').opened();
  const bob = await harness.user('bob').opened();
  await harness.run(2_000);
  bob.type('registered');
  await harness.run(30_000);
  for (const character of ' live') {
    bob.type(character, bob.text.length);
    await harness.run(60);
  }
  await harness.run(100);
  const before = ada.session.liveDiagnostics();
  ada.goOffline();
  await harness.run(1_000);
  bob.type(' missed', bob.text.length);
  await harness.run(1_000);
  ada.goOnline();
  await harness.run(30_000);
  const { shownLive, shownByRow } = ada.session.liveDiagnostics();
  expect([ada.text, shownLive - before.shownLive, shownByRow - before.shownByRow]).toEqual([
    'registered live missed',
    5,
    1,
  ]);
  await Promise.all([ada.session.close(), bob.session.close(), harness.run(5_000)]);
});

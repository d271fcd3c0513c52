// A reader becomes an editor while the page is open. Found by the simulation (seed 141).
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { DOCUMENT, SyncHarness } from '../sync-harness.ts';

test('[L6] a new editor joins the topic anew: the old channel would lose what they send', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob', 'viewer').opened();
  await harness.run(100);
  alice.type('a');
  await harness.run(500);
  const text = bob.session.doc.getText('t');
  const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, 0));
  bob.session.awareness.setLocalStateField('cursor', { anchor: position, head: position });
  await harness.run(500);
  expect(bob.liveUpdatesSent).toBeGreaterThan(0);

  harness.server.setRole(DOCUMENT, harness.userId('bob'), 'editor');
  bob.environment.set('visible');
  await harness.run(3_000);
  expect(bob.view).toMatchObject({ role: 'editor', editable: true, connection: 'live' });
  bob.type('b');
  await harness.run(500);
  // Registered by now: from here on live updates show what is typed, and rows are not published.
  bob.type('c');
  await harness.run(500);
  expect(alice.text).toBe('abc');
});

test('[L6] also when the new role became known while calls failed and the topic worked', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob', 'viewer').opened();
  await harness.run(100);
  alice.type('a');
  await harness.run(500);
  const text = bob.session.doc.getText('t');
  const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, 0));
  bob.session.awareness.setLocalStateField('cursor', { anchor: position, head: position });
  await harness.run(500);

  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  bob.hold = (name) => (name === 'rowsSince' ? held : null);
  bob.environment.set('visible');
  await harness.run(50);
  harness.server.setRole(DOCUMENT, harness.userId('bob'), 'editor');
  bob.environment.set('offline');
  await harness.run(50);
  release();
  await harness.run(3_000);
  expect(bob.view).toMatchObject({ role: 'editor', editable: true, connection: 'live' });
  bob.type('b');
  await harness.run(500);
  bob.type('c');
  await harness.run(500);
  expect(alice.text).toBe('abc');
});

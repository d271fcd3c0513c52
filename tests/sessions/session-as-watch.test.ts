// A member's session presented as a watch session, with real sessions on the sync harness.
import { expect, test } from 'vitest';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import * as Y from 'yjs';
import { sessionAsWatch } from '../../src/sessions/session-as-watch.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { DOCUMENT, SyncHarness } from '../sync/sync-harness.ts';

const textsOf = (doc: Y.Doc) =>
  bodyViewOf(doc)
    .get()
    .map((block) => (block.type === 'block' ? block.runs.map(({ text }) => text).join('') : block.type));

function firstText(doc: Y.Doc): Y.XmlText {
  const block = bodyOf(doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) return text;
  throw new Error('no text');
}

test('[L6] after a rebuild the watch session shows the new document and follows it', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.server.createDocument(DOCUMENT, new Uint8Array(pageSeed('one')));
  const [alice, bob] = [harness.user('alice'), harness.user('bob')];
  const [a, b] = [await alice.opened(), await bob.opened()];
  const v = await harness.user('carol', 'viewer').opened();
  await harness.run(200);
  titleOf(a.session.doc).insert(0, 'Plan');
  titleOf(b.session.doc).insert(0, 'The ');
  await harness.run(3_000);
  const watch = sessionAsWatch(v.session);
  let notified = 0;
  const stop = watch.subscribe(() => (notified += 1));
  const shown = watch.doc;
  a.faults.before = () => weftError('WF011', 'cut');
  firstText(a.session.doc).insert(0, 'secret ');
  titleOf(a.session.doc).insert(0, 'Secret ');
  await harness.run(100);
  expect([textsOf(watch.doc), notified > 0]).toEqual([['secret one'], true]);
  const before = watch.getView();
  expect(before.title).toContain('Secret');
  harness.server.setRole(DOCUMENT, alice.user, null);
  await harness.run(6_000);
  expect(watch.doc).not.toBe(shown);
  expect(textsOf(watch.doc)).toEqual(['one']);
  const after = watch.getView();
  expect([after === before, after.title.includes('Secret')]).toEqual([false, false]);
  notified = 0;
  firstText(b.session.doc).insert(3, ' more');
  await harness.run(1_000);
  expect([textsOf(watch.doc), notified > 0]).toEqual([['one more'], true]);
  stop();
  notified = 0;
  firstText(b.session.doc).insert(3, '!');
  await harness.run(1_000);
  expect(notified).toBe(0);
});

test('[WA7] the watch page of a member has the time of the newest row, also when the page comes from the device', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  alice.type('x');
  await harness.run(500);
  const changedAt = Math.floor((harness.server.rows(DOCUMENT).at(-1)?.at ?? 0) / 1000) * 1000;
  await harness.run(60_000);
  const bob = harness.user('bob', 'viewer');
  const first = await bob.opened();
  expect(sessionAsWatch(first.session).getView().changedAt).toBe(changedAt);
  await first.session.close();
  const offline = bob.open();
  offline.faults.before = () => weftError('WF011', 'cut');
  await harness.run(5_000);
  expect(sessionAsWatch(offline.session).getView()).toMatchObject({ phase: 'reconnecting', changedAt });
});

// A member's session seen as a watcher's, over real sessions on the memory harness.
import * as Y from 'yjs';
import { expect, test } from 'vitest';
import { sessionAsWatch } from '../../../src/app/sessions/session-as-watch.ts';
import { bodyViewOf } from '../../../src/document/body/body-view.ts';
import { bodyOf, titleOf } from '../../../src/document/names.ts';
import { weftError } from '../../../src/protocol/errors.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { DOCUMENT, WORKSPACE, SyncHarness } from '../../sync/sync-harness.ts';

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

test('[L6] a watching page turns to the document that replaced the one it showed, and follows it', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.server.createDocument(DOCUMENT, WORKSPACE, new Uint8Array(pageSeed('one')));
  const [ada, ben] = [harness.user('ada'), harness.user('ben')];
  const [a, b] = [await ada.opened(), await ben.opened()];
  const v = await harness.user('vera', 'viewer').opened();
  await harness.run(200);
  titleOf(a.session.doc).insert(0, 'Plan');
  titleOf(b.session.doc).insert(0, 'The ');
  await harness.run(3_000);
  const watch = sessionAsWatch(v.session);
  let told = 0;
  const stop = watch.subscribe(() => (told += 1));
  const shown = watch.doc;
  a.faults.before = () => weftError('WF011', 'cut');
  firstText(a.session.doc).insert(0, 'secret ');
  titleOf(a.session.doc).insert(0, 'Secret ');
  await harness.run(100);
  expect([textsOf(watch.doc), told > 0]).toEqual([['secret one'], true]);
  const before = watch.getView();
  expect(before.title).toContain('Secret');
  harness.server.setRole(DOCUMENT, ada.user, null);
  await harness.run(6_000);
  expect(watch.doc).not.toBe(shown);
  expect(textsOf(watch.doc)).toEqual(['one']);
  const after = watch.getView();
  expect([after === before, after.title.includes('Secret')]).toEqual([false, false]);
  told = 0;
  firstText(b.session.doc).insert(3, ' more');
  await harness.run(1_000);
  expect([textsOf(watch.doc), told > 0]).toEqual([['one more'], true]);
  stop();
  told = 0;
  firstText(b.session.doc).insert(3, '!');
  await harness.run(1_000);
  expect(told).toBe(0);
});

// Words that are erased for good: the page's history begins again.
import { expect, test } from 'vitest';
import { erasedPage } from 'weft-document/history/erased-page.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { emptyLog, replayLog } from 'weft-sync/recovery/replay-log.ts';
import * as Y from 'yjs';
import { partContext } from '../part-context.ts';
import { DOCUMENT, SyncHarness } from '../sync-harness.ts';

const HEALED_MS = 60_000;
/** Longer than nothing may be appended. */
const PAUSE_MS = 40_000;

/** Has the history begin again without the word that Alice wrote first. */
function eraseFirst({ server }: SyncHarness): boolean {
  const { doc, replica } = emptyLog();
  const rows = server.rows(DOCUMENT);
  replica.take(rows);
  const structs = Array.from(doc.store.clients.values()).flat();
  const characters = structs.find((one) => one instanceof Y.Item && one.content.getContent().join('') === 'secret');
  if (characters === undefined) throw new Error('the word is not there');
  const { client, clock } = characters.id;
  return server.eraseHistory(DOCUMENT, replica.seq, erasedPage(doc, [[client, clock, characters.length]]).update);
}

async function written() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const [a, b] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
  a.type('secret', 0);
  await harness.run(1_000);
  return { harness, a, b };
}

const inRows = ({ server }: SyncHarness): string =>
  server
    .rows(DOCUMENT)
    .flatMap(({ update, dependencies }) => [update, ...dependencies.map((part) => part.update)])
    .map((update) => new TextDecoder().decode(update))
    .join('\n');

test('[HI10] while someone erases nothing is appended, and afterwards everything', async () => {
  const { harness, a, b } = await written();
  const head = harness.server.prepareErasing(DOCUMENT);
  b.type(' stays', 6);
  await harness.run(2_000);
  expect([harness.logText, b.view.receipt]).toEqual(['secret', 'device']);
  expect(harness.server.rows(DOCUMENT)).toHaveLength(head);
  expect(eraseFirst(harness)).toBe(true);
  await harness.run(HEALED_MS);
  expect([harness.logText, a.text, b.text, b.view.receipt]).toEqual([' stays', ' stays', ' stays', 'saved']);
});

test('[HI10] a person who prepared and did not erase keeps no one from writing for long', async () => {
  const { harness, b } = await written();
  harness.server.prepareErasing(DOCUMENT);
  b.type('!', 6);
  await harness.run(PAUSE_MS + HEALED_MS);
  expect([harness.logText, b.view.receipt]).toEqual(['secret!', 'saved']);
  const { doc, replica } = emptyLog();
  replica.take(harness.server.rows(DOCUMENT).slice(0, 2));
  // A newer row is there.
  expect(harness.server.eraseHistory(DOCUMENT, replica.seq, erasedPage(doc, []).update)).toBe(false);
});

test('[HI9] a device that was away brings no erased word back, and loses nothing of its own', async () => {
  const { harness, a, b } = await written();
  b.goOffline();
  b.type(' mine', 6);
  await harness.run(1_000);
  expect(eraseFirst(harness)).toBe(true);
  await harness.run(HEALED_MS);
  expect(a.text).toBe('');
  b.goOnline();
  await harness.run(HEALED_MS);
  for (const tab of [a, b]) expect([tab.text, tab.view.receipt, tab.view.upToDate]).toEqual([' mine', 'saved', true]);
  expect(inRows(harness)).not.toContain('secret');
});

test('[HI9] rows of a history that began again are not taken on top of the former one', async () => {
  const { harness } = await written();
  const { doc, replica } = emptyLog();
  replica.take(harness.server.rows(DOCUMENT));
  expect(eraseFirst(harness)).toBe(true);
  expect(replica.take(harness.server.rows(DOCUMENT))).toMatchObject({ taken: [], isRefused: true });
  expect(doc.getText('t').toString()).toBe('secret');
});

test('[HI9] what a device had not sent is put back as unsent edits, and so is what was typed meanwhile', async () => {
  const { harness, b } = await written();
  // The row comes after its live update.
  await harness.run(5_000);
  b.goOffline();
  b.type(' mine', 6);
  await harness.run(1_000);
  const { doc } = b.session;
  expect(eraseFirst(harness)).toBe(true);
  b.goOnline();
  b.faults.before = (name) => (name === 'putBack' ? weftError('WF011', 'lost') : null);
  await harness.run(400);
  doc.getText('t').insert(doc.getText('t').length, '!');
  await harness.run(3_000);
  expect(b.view).toMatchObject({ isRestoring: true, puttingBack: { after: 'erasing' } });
  b.faults.before = () => null;
  await harness.run(HEALED_MS);
  expect([harness.logText, b.text, b.view.puttingBack]).toEqual([' mine!', ' mine!', null]);
});

test('[HI9] [L6] a document is not rebuilt from another history than the one it shows', async () => {
  const { harness } = await written();
  const context = partContext({}, () => {}, { harness });
  const opened = await context.ports.log.open(DOCUMENT, 0);
  if (!opened.ok) throw new Error(opened.error.code);
  await context.state.opened(opened.value, 0);
  expect(eraseFirst(harness)).toBe(true);
  // The device's rows are of the shown history, so nothing is asked: a rebuild works offline.
  expect(await replayLog(context)).toMatchObject({ ok: true });
  await context.store.settled();
  await context.ports.store.forget(DOCUMENT);
  expect(await replayLog(context)).toMatchObject({ ok: false, error: { code: 'WF016' } });
});

test('[HI9] an outbox whose first numbers are lost brings back nothing that was erased since', async () => {
  const { harness } = await written();
  const [row] = harness.server.rows(DOCUMENT).slice(-1);
  if (row === undefined) throw new Error('nothing was written');
  const doc = harness.replay();
  const before = Y.encodeStateVector(doc);
  doc.getText('t').insert(6, ' mine');
  const update = new Uint8Array(Y.encodeStateAsUpdate(doc, before));
  // Its edits 1 to 4 could not be stored. It builds on Alice's word, which was a live update when it was typed.
  const { session, clientId, nFrom, nTo, update: word } = row;
  const entry = { n: 5, update, at: harness.clock.now(), buildsOn: [{ session, clientId, nFrom, nTo, update: word }] };
  const carol = harness.user('carol');
  await carol.store.addEntry(DOCUMENT, { session: harness.unopenedSession(), clientId: doc.clientID }, entry);
  expect(eraseFirst(harness)).toBe(true);
  const c = await carol.opened();
  await harness.run(HEALED_MS);
  expect([harness.logText, c.text, c.view.receipt]).toEqual([' mine', ' mine', 'saved']);
  expect(inRows(harness)).not.toContain('secret');
});

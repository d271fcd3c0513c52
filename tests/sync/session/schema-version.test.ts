// A newer app edits a page that older apps have open. Their editors do not know the new content and tidy it away, as
// an editor’s binding does with an unknown node: in a local transaction, the moment they see it.
import { describe, expect, test } from 'vitest';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import type * as Y from 'yjs';
import { DOCUMENT, OFFLINE, type TestTab, SyncHarness } from '../sync-harness.ts';

const [OLD, NEW] = [1, 2] as const;
const BLOCK = '▦';

/** The newer app's migrations are applied, and no one has used it yet. */
function knowingNew(liveUpdates: boolean): SyncHarness {
  const harness = new SyncHarness(1, { liveUpdates });
  harness.server.setSchemaVersion(DOCUMENT, NEW);
  harness.server.setSchemaVersion(DOCUMENT, OLD);
  return harness;
}

/** Binds an editor of the old app, and reports whether the page was editable when it met the new content. */
function bindOldEditor({ session }: TestTab): boolean[] {
  const met: boolean[] = [];
  const { doc } = session;
  doc.on('afterAllTransactions', (_doc: Y.Doc, transactions: Y.Transaction[]) => {
    if (transactions.every(({ local }) => local)) return;
    const text = doc.getText('t');
    const at = text.toString().indexOf(BLOCK);
    if (at < 0) return;
    met.push(session.getView().editable);
    text.delete(at, 1);
  });
  return met;
}

async function oldAndNew(harness: SyncHarness) {
  const users = { old: harness.user('old'), newer: harness.user('newer') };
  const old = await users.old.opened(OLD);
  old.type('ab');
  await harness.run(1_000);
  const met = bindOldEditor(old);
  const newer = await users.newer.opened(NEW);
  return { users, old, newer, met };
}

async function nothingIsDamaged(harness: SyncHarness, old: TestTab, met: readonly boolean[], text: string) {
  await harness.run(120_000);
  expect(old.view).toMatchObject({ phase: 'ready', editable: false, receipt: 'readonly', error: { code: 'WF004' } });
  expect(old.view).toMatchObject({ lastN: 1, unsent: { edits: 0 } });
  expect(met.includes(true)).toBe(false);
  expect(harness.logText).toBe(text);
}

for (const liveUpdates of [false, true]) {
  describe(`a page that becomes newer while an older app has it open (${liveUpdates ? 'liveUpdates' : 'rows'})`, () => {
    test('[SY2] is read-only there before the first new content reaches its editor, and nothing of the tidying is kept', async () => {
      const harness = knowingNew(liveUpdates);
      const { old, newer, met, users } = await oldAndNew(harness);
      newer.type(BLOCK, 1);
      await nothingIsDamaged(harness, old, met, `a${BLOCK}b`);
      expect(met.length).toBeGreaterThan(0);
      expect(newer.view).toMatchObject({ receipt: 'saved', connection: 'live', editable: true });
      expect(await users.old.store.unsent()).toEqual([]);
      // The same device with the new app, after the reload that WF004 asks for.
      await old.session.close();
      const updated = await users.old.opened(NEW);
      await harness.run(5_000);
      expect(updated.text).toBe(`a${BLOCK}b`);
      expect(updated.view).toMatchObject({ editable: true, receipt: 'saved' });
      expect(harness.logText).toBe(`a${BLOCK}b`);
    });

    for (const lost of [[EVENTS.moved], [EVENTS.rows], [EVENTS.moved, EVENTS.rows, EVENTS.liveUpdate]]) {
      test(`[SY2] [I7] the same when messages are lost: ${lost.join(', ')}`, async () => {
        const harness = knowingNew(liveUpdates);
        const { old, newer, met } = await oldAndNew(harness);
        old.lose = (event) => lost.some((one) => one === event);
        newer.type(BLOCK, 1);
        await nothingIsDamaged(harness, old, met, `a${BLOCK}b`);
        expect(newer.view.receipt).toBe('saved');
      });
    }

    test('[SY2] [I7] the same after an absence; edits made before it wait for the new app', async () => {
      const harness = knowingNew(liveUpdates);
      const { old, newer, met, users } = await oldAndNew(harness);
      old.goOffline();
      old.type('c');
      newer.type(BLOCK, 1);
      await harness.run(5_000);
      old.goOnline();
      await harness.run(60_000);
      expect(old.view).toMatchObject({ editable: false, lastN: 2, unsent: { edits: 1 }, error: { code: 'WF004' } });
      expect(met.includes(true)).toBe(false);
      // Edits of an older app do no harm: with live updates the newer app sees them and relays them into the log.
      expect(harness.logText).toBe(liveUpdates ? `a${BLOCK}bc` : `a${BLOCK}b`);
      await old.session.close();
      const updated = await users.old.opened(NEW);
      await harness.run(5_000);
      expect(updated.view.receipt).toBe('saved');
      expect(harness.logText).toBe(`a${BLOCK}bc`);
    });

    test('[SY2] the same when the page is shown from the device before the open call is answered', async () => {
      const harness = knowingNew(liveUpdates);
      const { old, newer, users } = await oldAndNew(harness);
      await old.session.close();
      newer.type(BLOCK, 1);
      await harness.run(5_000);
      const again = users.old.open(OLD);
      let answer: () => void = () => undefined;
      again.hold = (name) => (name === 'open' ? new Promise<void>((resolve) => (answer = resolve)) : null);
      await harness.run(2_000);
      expect(again.view).toMatchObject({ phase: 'ready', editable: true });
      const met = bindOldEditor(again);
      again.hold = () => null;
      answer();
      await harness.run(60_000);
      expect(again.view).toMatchObject({ editable: false, lastN: 0, error: { code: 'WF004' } });
      expect(met).toEqual([false]);
      expect(harness.logText).toBe(`a${BLOCK}b`);
    });

    test('[SY2] [L1] no live update of a newer app reaches an older one, however long the append takes and whichever "moved" is lost', async () => {
      const harness = knowingNew(liveUpdates);
      const { old, newer, met } = await oldAndNew(harness);
      old.lose = (event) => event === EVENTS.moved;
      newer.lose = (event) => event === EVENTS.moved;
      newer.hold = (name) => (name === 'append' ? new Promise(() => undefined) : null);
      newer.type(BLOCK, 1);
      await harness.run(3_000);
      newer.type(BLOCK, 1);
      await harness.run(5_000);
      expect(met).toEqual([]);
      expect(old.text).toBe('ab');
    });

    test('[SY2] two newer apps raise the schema once and both go on', async () => {
      const harness = knowingNew(liveUpdates);
      const { newer, users } = await oldAndNew(harness);
      const second = await users.newer.opened(NEW);
      newer.type('1', 0);
      second.type('2', 0);
      await harness.run(10_000);
      newer.type('3', 0);
      second.type('4', 0);
      await harness.run(10_000);
      for (const tab of [newer, second]) {
        expect(tab.view).toMatchObject({ receipt: 'saved', connection: 'live', upToDate: true });
        expect(tab.text).toBe(harness.logText);
        expect(tab.epoch).toBe('2.1');
      }
    });
  });
}

test('[SY2] [L1] a tab that returns to the raised page because of an answer sends live updates with text again', async () => {
  const harness = knowingNew(true);
  const users = { first: harness.user('first'), second: harness.user('second') };
  const [first, second] = [await users.first.opened(NEW), await users.second.opened(NEW)];
  first.type('1', 0);
  await harness.run(20);
  // Between its topic and the next one: the answer to its own first append brings the epoch, without an open call.
  first.link.close('closed');
  await harness.run(20_000);
  first.hold = (name) => (name === 'append' ? new Promise(() => undefined) : null);
  first.type('2', 0);
  await harness.run(500);
  expect(second.text).toBe('21');
});

test('[SY2] an older app without network does not show a newer page from the device', async () => {
  const harness = knowingNew(false);
  const { old, newer, users } = await oldAndNew(harness);
  newer.type(BLOCK, 1);
  await harness.run(60_000);
  await old.session.close();
  const again = users.old.open(OLD);
  again.faults.before = () => OFFLINE;
  await harness.run(10_000);
  expect(again.view).toMatchObject({ phase: 'opening', editable: false });
});

test('[SY2] [D6] offline edits of a closed tab of a newer app wait for a newer app: an older one neither shows nor sends them', async () => {
  const harness = knowingNew(true);
  const user = harness.user('alice');
  const newer = await user.opened(NEW);
  newer.goOffline();
  newer.type('in the new way');
  await harness.run(50);
  newer.die();

  const older = await user.opened(OLD);
  older.type('old ');
  await harness.run(40_000);
  expect([older.text, older.view.receipt, harness.logText]).toEqual(['old ', 'saved', 'old ']);
  expect(older.view.unsent.edits).toBe(0);
  await older.session.close();
  // Nothing is lost, and signing out warns of them.
  expect(await user.store.unsent()).toMatchObject([{ edits: 1 }]);

  const again = await user.opened(NEW);
  await harness.run(1_000);
  expect([...again.text].sort().join('')).toBe([...'old in the new way'].sort().join(''));
  expect([again.view.receipt, harness.logText]).toEqual(['saved', again.text]);
  expect(await user.store.unsent()).toEqual([]);
});

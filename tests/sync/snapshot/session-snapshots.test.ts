// When snapshots are made and by whom, and what happens to wrong ones: real sessions on the memory server. Rules SN*.
import { describe, expect, test } from 'vitest';
import type { Log, MadeSnapshot, SnapshotMaker, StoredSnapshot } from 'weft-sync/ports.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { IDLE_MS, JITTER_MS, LEASE_MS, TRY_AGAIN_MS } from 'weft-sync/snapshot/snapshot-scheduler.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { DOCUMENT, OFFLINE, type TestTab, SyncHarness } from '../sync-harness.ts';
import { deflated, sha256Of, timelyMaker } from './timely-maker.ts';

/** One random wait, and another one because someone typed. */
const LONG_ENOUGH_MS = 2 * IDLE_MS + JITTER_MS + 1_000;

function harnessWithMaker(maker: SnapshotMaker = timelyMaker()): SyncHarness {
  const harness = new SyncHarness();
  harness.maker = maker;
  return harness;
}

/** Writes rows of 10 kB each, so that the tail is long after eleven. */
async function writeRows(harness: SyncHarness, tab: TestTab, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    tab.type(String.fromCharCode(97 + (i % 26)).repeat(10_000));
    await harness.run(400);
  }
}

async function longPage(): Promise<{ harness: SyncHarness; alice: TestTab }> {
  const harness = harnessWithMaker();
  const alice = await harness.user('alice').opened();
  await writeRows(harness, alice, 11);
  return { harness, alice };
}

/** Ten thousand times one character, which packs small. */
const short = (text: string): string =>
  text.replaceAll(/(.)\1{9,}/gu, (run, character) => `${character}${run.length} `);

const callsOf = (tab: TestTab, name: keyof Log) => tab.calls.filter((call) => call === name).length;
const contentOfText = (text: string): string => {
  const doc = newDoc();
  doc.getText('t').insert(0, text);
  return docContent(doc);
};

function snapshotOf(seq: number, write: (doc: Y.Doc) => void): MadeSnapshot {
  const doc = newDoc(666_666);
  write(doc);
  const state = deflated(Y.encodeStateAsUpdateV2(doc));
  return { seq, state, sha256: sha256Of(state) };
}

async function contentOfSnapshot(snapshot: StoredSnapshot | null): Promise<string> {
  const state = snapshot === null ? null : await timelyMaker().unpack(snapshot.state, null);
  const doc = newDoc();
  if (state !== null) Y.applyUpdateV2(doc, state);
  return short(docContent(doc));
}

const newest = async (harness: SyncHarness): Promise<MadeSnapshot | null> => {
  const reader = harness.user('reader', 'viewer').user;
  const opened = await harness.server.log(reader).open(DOCUMENT, 0);
  return opened.ok ? opened.value.snapshot : null;
};

describe('made', () => {
  test('[SN1] [SN2] by the client that made the tail long, a while after its last edit: the content of the log, and no more', async () => {
    const { harness } = await longPage();
    expect(harness.server.snapshots(DOCUMENT)).toEqual([]);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
    expect(await contentOfSnapshot(await newest(harness))).toBe(short(docContent(harness.replay())));
  });

  test('[SN2] not before the tail is long', async () => {
    const harness = harnessWithMaker();
    const alice = await harness.user('alice').opened();
    await writeRows(harness, alice, 9);
    await harness.run(10 * LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([]);
    expect(callsOf(alice, 'claimSnapshot')).toBe(0);
  });

  test('[SN2] the next one when the new tail is long too, and longer than half of the first snapshot', async () => {
    const { harness, alice } = await longPage();
    await harness.run(LONG_ENOUGH_MS);
    await writeRows(harness, alice, 9);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
    await writeRows(harness, alice, 2);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11, 22]);
    expect(await contentOfSnapshot(await newest(harness))).toBe(short(docContent(harness.replay())));
  });

  test('[SN2] by a client that opens a page with a long tail', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    await writeRows(harness, alice, 11);
    await alice.session.close();
    harness.maker = timelyMaker();
    const bob = await harness.user('bob').opened();
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
    expect(bob.view.receipt).toBe('saved');
  });

  test('[SN2] never while someone types, or in a hidden tab; as soon as there is a pause', async () => {
    const { harness, alice } = await longPage();
    for (let i = 0; i < 40; i++) {
      alice.type('.');
      await harness.run(IDLE_MS / 2);
    }
    expect(callsOf(alice, 'claimSnapshot')).toBe(0);
    alice.environment.set('hidden');
    await harness.run(10 * LONG_ENOUGH_MS);
    expect(callsOf(alice, 'claimSnapshot')).toBe(0);
    alice.environment.set('visible');
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toHaveLength(1);
  });

  test('[SN1] without edits that are not in the log yet', async () => {
    const { harness, alice } = await longPage();
    await alice.session.close();
    const log = short(docContent(harness.replay()));
    const bob = harness.user('bob');
    const maker = timelyMaker();
    let isTyped = false;
    harness.maker = {
      ...maker,
      make: (from, rows) => {
        // In the outbox of this very device while its snapshot is made.
        tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
        tab.type('only on this device', 0);
        isTyped = true;
        return maker.make(from, rows);
      },
    };
    const tab = await bob.opened();
    await harness.run(LONG_ENOUGH_MS);
    expect(isTyped).toBe(true);
    expect(await contentOfSnapshot(await newest(harness))).toBe(log);
    const stored = await bob.store.load(DOCUMENT);
    expect(stored?.outboxes.map(({ entries }) => entries.length)).toEqual([1]);
    expect(await contentOfSnapshot(stored?.snapshot ?? null)).toBe(log);
  });

  test('[SN1] damaged rows are skipped as in every view of the page', async () => {
    const { harness, alice } = await longPage();
    const mallory = await harness.user('mallory').opened();
    mallory.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    mallory.type('!');
    await harness.run(LONG_ENOUGH_MS);
    expect(alice.view.damaged).toEqual([12]);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([12]);
    const carol = await harness.user('carol').opened();
    expect(short(carol.text)).toBe(short(alice.text));
    alice.type('goes on');
    await harness.run(300);
    expect(short(carol.text)).toBe(short(alice.text));
    expect(carol.view.damaged).toEqual([]);
  });
});

describe('by one client', () => {
  test('[SN3] one of two clients makes it; the other waits for the lease and finds it made', async () => {
    const { harness, alice } = await longPage();
    const bob = await harness.user('bob').opened();
    await harness.run(LONG_ENOUGH_MS);
    expect(callsOf(alice, 'saveSnapshot') + callsOf(bob, 'saveSnapshot')).toBe(1);
    await harness.run(LEASE_MS + JITTER_MS + LONG_ENOUGH_MS);
    expect(callsOf(alice, 'saveSnapshot') + callsOf(bob, 'saveSnapshot')).toBe(1);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
  });

  test('[SN3] one of many who have the page open, each with a claim of their own, makes it', async () => {
    const harness = harnessWithMaker();
    const tabs: TestTab[] = [];
    for (let n = 0; n < 8; n++) tabs.push(await harness.user(`person ${n}`).opened());
    const [first] = tabs;
    if (first === undefined) return;
    await writeRows(harness, first, 11);
    for (const tab of tabs) tab.type('.');
    await harness.run(3 * (LEASE_MS + LONG_ENOUGH_MS));
    expect(tabs.map((tab) => callsOf(tab, 'saveSnapshot')).reduce((a, b) => a + b)).toBe(1);
    expect(harness.server.snapshots(DOCUMENT)).toHaveLength(1);
  });

  test('[SN3] when its maker is gone, another client makes it after the lease', async () => {
    const { harness, alice } = await longPage();
    alice.faults.before = (name) => (name === 'saveSnapshot' ? 'never' : null);
    await harness.run(LONG_ENOUGH_MS);
    expect(callsOf(alice, 'saveSnapshot')).toBe(1);
    const bob = await harness.user('bob').opened();
    await harness.run(LONG_ENOUGH_MS);
    expect([callsOf(bob, 'claimSnapshot'), callsOf(bob, 'saveSnapshot')]).toEqual([1, 0]);
    await harness.run(LEASE_MS + JITTER_MS);
    expect([callsOf(bob, 'claimSnapshot'), callsOf(bob, 'saveSnapshot')]).toEqual([2, 1]);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
  });
});

describe('on the device', () => {
  test('[SN4] the maker stores the snapshot in place of its rows, and opens from it without another call for rows', async () => {
    const { harness, alice } = await longPage();
    await alice.session.close();
    const user = harness.user('bob');
    const bob = await user.opened();
    await harness.run(LONG_ENOUGH_MS);
    bob.type('later');
    await harness.run(300);
    const stored = await user.store.load(DOCUMENT);
    expect([stored?.snapshot?.seq, stored?.rows.map(({ seq }) => seq)]).toEqual([11, [12]]);
    await bob.session.close();
    const again = user.open();
    again.faults.before = () => OFFLINE;
    await harness.run(2_000);
    expect(short(again.text)).toBe(`${'abcdefghijk'.replaceAll(/./gu, (character) => `${character}10000 `)}later`);
  });

  test('[SN4] a reader stores one too, and saves none on the server', async () => {
    const { harness, alice } = await longPage();
    await alice.session.close();
    const reader = harness.user('reader', 'viewer');
    const tab = await reader.opened();
    await harness.run(LONG_ENOUGH_MS);
    expect((await reader.store.load(DOCUMENT))?.snapshot?.seq).toBe(11);
    expect([callsOf(tab, 'claimSnapshot'), callsOf(tab, 'saveSnapshot')]).toEqual([0, 0]);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([]);
  });

  test('[SN4] the late one of two tabs does not undo the newer snapshot', async () => {
    const { harness } = await longPage();
    const { store } = harness.user('bob');
    const meta = { seq: 0, schemaVersion: 1, title: '', role: 'editor' as const };
    const rows = harness.server.rows(DOCUMENT);
    await store.saveRows(DOCUMENT, meta, rows);
    await store.saveRows(DOCUMENT, meta, [], { seq: 9, state: Uint8Array.of(9) });
    await store.saveRows(DOCUMENT, meta, [], { seq: 4, state: Uint8Array.of(4) });
    const stored = await store.load(DOCUMENT);
    expect([stored?.snapshot?.seq, stored?.rows.map(({ seq }) => seq)]).toEqual([9, [10, 11]]);
  });

  test('[SN4] a tab that was closed meanwhile stores nothing more: its store may have been wiped', async () => {
    const { harness, alice } = await longPage();
    await alice.session.close();
    const maker = timelyMaker();
    let finish: () => void = () => {};
    harness.maker = {
      ...maker,
      make: async (from, rows) => {
        await new Promise<void>((resolve) => (finish = resolve));
        return maker.make(from, rows);
      },
    };
    const bob = harness.user('bob');
    const tab = await bob.opened();
    await harness.run(LONG_ENOUGH_MS);
    await tab.session.close();
    await bob.store.forgetAll();
    finish();
    await harness.run(LONG_ENOUGH_MS);
    expect(await bob.store.load(DOCUMENT)).toBeNull();
    expect(harness.server.snapshots(DOCUMENT)).toEqual([]);
    expect(harness.clock.pending).toBe(0);
  });
});

describe('failing', () => {
  test.each<[string, (harness: SyncHarness, alice: TestTab) => void]>([
    ['a claim', (_, alice) => (alice.faults.before = (name) => (name === 'claimSnapshot' ? OFFLINE : null))],
    ['an upload', (_, alice) => (alice.faults.before = (name) => (name === 'saveSnapshot' ? OFFLINE : null))],
  ])('[SN5] %s that failed is tried again much later, and no error is shown', async (_name, fail) => {
    const { harness, alice } = await longPage();
    fail(harness, alice);
    await harness.run(LONG_ENOUGH_MS);
    alice.faults.before = () => null;
    const calls = callsOf(alice, 'claimSnapshot');
    expect(calls).toBe(1);
    expect(alice.view).toMatchObject({ receipt: 'saved', error: null, connection: 'live' });
    await harness.run(TRY_AGAIN_MS / 2);
    expect(callsOf(alice, 'claimSnapshot')).toBe(calls);
    await harness.run(2 * TRY_AGAIN_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([11]);
  });

  test('[SN5] a worker that dies does not stop writing', async () => {
    const harness = harnessWithMaker({ ...timelyMaker(), make: () => Promise.reject(new Error('out of memory')) });
    const alice = await harness.user('alice').opened();
    await writeRows(harness, alice, 11);
    await harness.run(LONG_ENOUGH_MS);
    alice.type('goes on');
    await harness.run(300);
    expect(alice.view).toMatchObject({ receipt: 'saved', error: null });
    expect(harness.logText).toBe(alice.text);
  });

  test('[SN5] with a broken store nothing is made and nothing claimed', async () => {
    const harness = harnessWithMaker();
    const user = harness.user('alice');
    user.store.setBroken(true);
    const alice = await user.opened();
    await writeRows(harness, alice, 11);
    await harness.run(LONG_ENOUGH_MS);
    expect(callsOf(alice, 'claimSnapshot')).toBe(0);
    expect(alice.view.receipt).toBe('saved');
  });
});

describe('opening', () => {
  test('[SN9] a snapshot and a tail of up to a megabyte are one request', async () => {
    const { harness, alice } = await longPage();
    await harness.run(LONG_ENOUGH_MS);
    harness.maker = null;
    // More rows than any other answer holds.
    for (let i = 0; i < 700; i++) {
      alice.type('x'.repeat(1_000));
      alice.session.retry();
      await harness.run(60);
    }
    expect(harness.server.rows(DOCUMENT).length).toBeGreaterThan(600);
    const bob = harness.user('bob').open();
    while (bob.view.phase !== 'ready') await harness.run(0);
    expect(bob.calls).toEqual(['open']);
    expect(short(bob.text)).toBe(short(alice.text));
  });

  const good = (text: string) => (doc: Y.Doc) => doc.getText('t').insert(0, text);
  const forgeries: Record<string, (seq: number) => MadeSnapshot> = {
    'not what its sha256 says': (seq) => ({ ...snapshotOf(seq, good('forged')), sha256: 'f'.repeat(64) }),
    'not deflated': (seq) => {
      const state = Uint8Array.of(1, 2, 3);
      return { seq, state, sha256: sha256Of(state) };
    },
    'no state': (seq) => {
      const state = deflated(Uint8Array.of(1, 2, 3, 250));
      return { seq, state, sha256: sha256Of(state) };
    },
    'V1 instead of V2': (seq) => {
      const doc = newDoc(666_666);
      good('forged')(doc);
      const state = deflated(Y.encodeStateAsUpdate(doc));
      return { seq, state, sha256: sha256Of(state) };
    },
    'lacking what it builds on': (seq) => {
      const doc = newDoc(666_666);
      good('not in it')(doc);
      const since = Y.encodeStateVector(doc);
      doc.getText('t').insert(3, 'forged');
      const state = deflated(Y.encodeStateAsUpdateV2(doc, since));
      return { seq, state, sha256: sha256Of(state) };
    },
    'far too large when unfolded': (seq) => {
      const state = deflated(new Uint8Array(65 * 1024 * 1024));
      return { seq, state, sha256: sha256Of(state) };
    },
  };

  test.each(Object.entries(forgeries))(
    '[SN6] [SN8] a snapshot %s: rows instead, and a right one after the next edit',
    async (_name, forge) => {
      const harness = harnessWithMaker();
      const alice = await harness.user('alice').opened();
      await writeRows(harness, alice, 3);
      harness.server.plantSnapshot(DOCUMENT, forge(2));
      harness.watchLink();
      const watcher = harness.watch();
      const bob = await harness.user('bob').opened();
      await harness.run(100);
      expect([bob.text, watcher.text].map(short)).toEqual([alice.text, alice.text].map(short));
      expect(bob.view).toMatchObject({ phase: 'ready', receipt: 'saved', error: null });
      await harness.run(LONG_ENOUGH_MS);
      expect(harness.server.snapshots(DOCUMENT)).toEqual([2, 3]);
      expect(await contentOfSnapshot(await newest(harness))).toBe(short(docContent(harness.replay())));
      const carol = await harness.user('carol').opened();
      expect([short(carol.text), callsOf(carol, 'rowsSince')]).toEqual([short(alice.text), 1]);
    },
  );
});

describe('in place of rows', () => {
  test('[D8] own edits that a snapshot lacks are refused, although it has the number of their row', async () => {
    const harness = harnessWithMaker();
    const [alice, bob] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
    alice.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    alice.lose = () => true;
    alice.faults.after = (name) => (name === 'append' ? OFFLINE : null);
    alice.faults.before = () => (harness.server.rows(DOCUMENT).length === 0 ? null : OFFLINE);
    alice.type('lost on the way');
    await harness.run(300);
    expect([alice.view.receipt, bob.view.damaged]).toEqual(['device', [1]]);
    bob.type('fine');
    await harness.run(500);
    const log = newDoc();
    for (const { seq, update } of harness.server.rows(DOCUMENT)) if (seq > 1) Y.applyUpdate(log, update);
    const state = deflated(Y.encodeStateAsUpdateV2(log));
    harness.server.plantSnapshot(DOCUMENT, { seq: 2, state, sha256: sha256Of(state) });
    alice.faults.after = () => null;
    alice.faults.before = () => null;
    await harness.run(60_000);
    expect(alice.view).toMatchObject({ receipt: 'refused', damaged: [], error: { code: 'WF005' } });
  });
});

describe('verified', () => {
  /** A page whose newest snapshot differs from the log; bob opens it as the one in a hundred. */
  async function forgedPage(seq: number, role: DocumentRole = 'editor') {
    const harness = harnessWithMaker();
    const alice = await harness.user('alice').opened();
    for (const word of ['one ', 'two ', 'three ']) {
      alice.type(word);
      await harness.run(400);
    }
    const received = harness.server.rows(DOCUMENT)[0];
    harness.server.plantSnapshot(
      DOCUMENT,
      snapshotOf(seq, (doc) => {
        if (received !== undefined) Y.applyUpdate(doc, received.update);
        doc.getText('t').insert(0, 'forged ');
      }),
    );
    const user = harness.user('bob', role);
    const bob = user.open();
    harness.random = () => 0;
    await harness.run(20);
    harness.random = null;
    return { harness, alice, bob, user };
  }

  test('[SN7] one open in a hundred compares its snapshot with the log, once the page is idle', async () => {
    const { harness, bob } = await forgedPage(1);
    expect(bob.text).toContain('forged');
    expect(bob.view.wrongSnapshot).toBeNull();
    await harness.run(LONG_ENOUGH_MS);
    expect(bob.view).toMatchObject({ wrongSnapshot: 1, error: null, editable: true });
  });

  test('[SN7] the other ninety-nine do not', async () => {
    const { harness } = await forgedPage(1);
    const seen: (number | null)[] = [];
    for (let n = 1; n < 100; n += 14) {
      const user = harness.user(`reader ${n}`, 'viewer');
      const tab = user.open();
      harness.random = () => n / 100;
      await harness.run(20);
      harness.random = null;
      const calls = callsOf(tab, 'rowsSince');
      await harness.run(LONG_ENOUGH_MS);
      seen.push(tab.view.wrongSnapshot);
      expect(callsOf(tab, 'rowsSince')).toBe(calls);
      await tab.session.close();
    }
    expect(new Set(seen)).toEqual(new Set([null]));
  });

  test('[SN7] a correct snapshot is never found wrong, in whatever pieces it came', async () => {
    const { harness, alice } = await longPage();
    alice.session.doc.getText('t').format(5, 20_000, { bold: true });
    alice.delete(3, 30_000);
    await harness.run(LONG_ENOUGH_MS);
    await writeRows(harness, alice, 11);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT).length).toBe(2);
    const bob = harness.user('bob').open();
    harness.random = () => 0;
    await harness.run(50);
    harness.random = null;
    const calls = callsOf(bob, 'rowsSince');
    await harness.run(LONG_ENOUGH_MS);
    expect(callsOf(bob, 'rowsSince')).toBeGreaterThan(calls);
    expect(bob.view.wrongSnapshot).toBeNull();
  });

  test('[SN8] a wrong one is replaced, on the device and on the server, and the next client sees the log', async () => {
    const { harness, alice, user } = await forgedPage(1);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([1, 3]);
    const right = short(docContent(harness.replay()));
    expect(right).toBe(contentOfText(alice.text));
    expect(await contentOfSnapshot(await newest(harness))).toBe(right);
    expect(await contentOfSnapshot((await user.store.load(DOCUMENT))?.snapshot ?? null)).toBe(right);
    const carol = await harness.user('carol').opened();
    expect(short(carol.text)).toBe(short(alice.text));
    expect((await user.opened()).text).toBe(alice.text);
  });

  test('[SN8] one at the head of the log is replaced on the server after the next edit', async () => {
    const { harness, alice, user } = await forgedPage(3);
    await harness.run(LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([3]);
    const right = short(docContent(harness.replay()));
    expect(await contentOfSnapshot((await user.store.load(DOCUMENT))?.snapshot ?? null)).toBe(right);
    alice.type('four');
    await harness.run(LEASE_MS + LONG_ENOUGH_MS);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([3, 4]);
    expect(await contentOfSnapshot(await newest(harness))).toBe(short(docContent(harness.replay())));
  });

  test('[SN8] a reader corrects what this device stores', async () => {
    const { harness, alice, bob, user } = await forgedPage(1, 'viewer');
    await harness.run(LONG_ENOUGH_MS);
    expect(bob.view.wrongSnapshot).toBe(1);
    expect(harness.server.snapshots(DOCUMENT)).toEqual([1]);
    await bob.session.close();
    expect((await user.opened()).text).toBe(alice.text);
  });
});

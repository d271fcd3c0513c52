// Rebuilding the document: from whatever is there, and without keeping the former ones for ever.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { deflated, sha256Of, timelyMaker } from '../snapshot/timely-maker.ts';
import { DOCUMENT, type TestTab, SyncHarness } from '../sync-harness.ts';

async function aliceAndBob() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  // Its work ends in the task that began it, because the clock is a virtual one.
  harness.maker = timelyMaker();
  const [alice, bob] = [harness.user('alice'), harness.user('bob')];
  const [a, b] = [await alice.opened(), await bob.opened()];
  await harness.run(100);
  a.type('a');
  await harness.run(500);
  b.type('b');
  await harness.run(5_000);
  return { harness, alice, bob, a, b };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

const cutHttp = (tab: TestTab) => (tab.faults.before = () => weftError('WF011', 'cut'));

/** A state that no one wrote, as the server may hold it after a fault of its disk. */
function strangeState(): Uint8Array<ArrayBuffer> {
  const doc = newDoc(4_711);
  doc.getText('t').insert(0, 'never written');
  return deflated(Y.encodeStateAsUpdateV2(doc));
}

describe('from what there is', () => {
  test.each([
    ['is not what its SHA-256 says', { state: strangeState(), sha256: sha256Of(Uint8Array.of(1)) }],
    ['cannot be unfolded', { state: Uint8Array.of(1, 2, 3), sha256: sha256Of(Uint8Array.of(1, 2, 3)) }],
  ])(
    '[L6] [SN6] where the device keeps nothing and the snapshot of the server %s, from the rows',
    async (_, damaged) => {
      const { harness, alice, bob, a, b } = await aliceAndBob();
      // Not even the stored snapshot can be read.
      bob.store.setBroken(true);
      harness.server.plantSnapshot(DOCUMENT, { seq: 2, ...damaged });
      cutHttp(a);
      a.type(' secret');
      await harness.run(30);
      expect(b.text).toBe('ab secret');
      harness.server.setRole(DOCUMENT, alice.user, 'viewer');
      await harness.run(20_000);
      expect([b.text, b.view.rebuilds, b.view.connection]).toEqual(['ab', 1, 'live']);
      const { length } = b.calls;
      await harness.run(120_000);
      // Nothing is tried again and again.
      expect(b.calls.length - length).toBeLessThanOrEqual(6);
    },
  );
});

describe('former documents', () => {
  /** Edits of a user who is removed at once, again and again: each time the document is rebuilt. */
  async function renewals(times: number) {
    const { harness, alice, a, b } = await aliceAndBob();
    const docs: WeakRef<Y.Doc>[] = [];
    for (let i = 0; i < times; i++) {
      docs.push(new WeakRef(b.session.doc));
      cutHttp(a);
      a.type(' secret');
      await harness.run(30);
      harness.server.setRole(DOCUMENT, alice.user, 'viewer');
      await harness.run(20_000);
      expect(b.view.rebuilds).toBe(i + 1);
      harness.server.setRole(DOCUMENT, alice.user, 'editor');
      a.faults.before = () => null;
      a.session.retry();
      await harness.run(20_000);
    }
    return { harness, docs, b };
  }

  test('[L6] are released, all but the last', async () => {
    const { docs, b } = await renewals(4);
    await new Promise((resolve) => void setTimeout(resolve, 10));
    collectGarbage();
    expect(docs.map((doc) => doc.deref() !== undefined)).toEqual([false, false, false, true]);
    expect(b.view.receipt).toBe('saved');
  });
});

// The document made anew: from what there is, and without keeping the one before for ever.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as Y from 'yjs';
import { describe, expect, test } from 'vitest';
import { weftError } from '../../../src/protocol/errors.ts';
import { newDoc } from '../../../src/sync/updates/new-doc.ts';
import { deflated, sha256Of, timelyMaker } from '../snapshot/timely-maker.ts';
import { DOCUMENT, type Tab, World } from '../sync-harness.ts';

async function company() {
  const world = new World(1, { frames: true });
  // Its work ends in the task that began it: the clock is a virtual one.
  world.maker = timelyMaker();
  const [alice, bob] = [world.person('alice'), world.person('bob')];
  const [a, b] = [await alice.opened(), await bob.opened()];
  await world.run(100);
  a.type('a');
  await world.run(500);
  b.type('b');
  await world.run(5_000);
  return { world, alice, bob, a, b };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

const cutHttp = (tab: Tab) => (tab.faults.before = () => weftError('WF011', 'cut'));

/** A state that nobody wrote, as the server may hold it after a fault of its disk. */
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
      const { world, alice, bob, a, b } = await company();
      // Not even what was kept so far can be read.
      bob.store.setBroken(true);
      world.server.plantSnapshot(DOCUMENT, { seq: 2, ...damaged });
      cutHttp(a);
      a.type(' secret');
      await world.run(30);
      expect(b.text).toBe('ab secret');
      world.server.setRole(DOCUMENT, alice.user, 'viewer');
      await world.run(20_000);
      expect([b.text, b.view.rebuilds, b.view.connection]).toEqual(['ab', 1, 'live']);
      const { length } = b.calls;
      await world.run(120_000);
      // Nothing is tried again and again.
      expect(b.calls.length - length).toBeLessThanOrEqual(6);
    },
  );
});

describe('documents before', () => {
  /** Words of somebody who is let out at once, again and again: each time the document is made anew. */
  async function renewals(times: number) {
    const { world, alice, a, b } = await company();
    const docs: WeakRef<Y.Doc>[] = [];
    for (let i = 0; i < times; i++) {
      docs.push(new WeakRef(b.session.doc));
      cutHttp(a);
      a.type(' secret');
      await world.run(30);
      world.server.setRole(DOCUMENT, alice.user, 'viewer');
      await world.run(20_000);
      expect(b.view.rebuilds).toBe(i + 1);
      world.server.setRole(DOCUMENT, alice.user, 'editor');
      a.faults.before = () => null;
      a.session.retry();
      await world.run(20_000);
    }
    return { world, docs, b };
  }

  test('[L6] are let go, all but the last', async () => {
    const { docs, b } = await renewals(4);
    await new Promise((resolve) => void setTimeout(resolve, 10));
    collectGarbage();
    expect(docs.map((doc) => doc.deref() !== undefined)).toEqual([false, false, false, true]);
    expect(b.view.receipt).toBe('saved');
  });
});

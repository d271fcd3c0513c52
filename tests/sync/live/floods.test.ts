// Someone on the topic who sends a lot: what it costs the others in calls, and what honest people notice of it.
import { describe, expect, test } from 'vitest';
import { encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { DOCUMENT, type TestTab, SyncHarness } from '../sync-harness.ts';

const NOTHING = new Uint8Array(0);

async function aliceAndBob() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const [a, b] = [await harness.user('alice').opened(), await harness.user('bob').opened()];
  await harness.run(100);
  a.type('a');
  await harness.run(500);
  b.type('b');
  await harness.run(5_000);
  expect([a.text, b.text]).toEqual(['ab', 'ab']);
  const mallory = harness.user('mallory').user;
  const link = harness.server.hub.link(mallory, (deliver) => void harness.clock.after(1, deliver));
  const on = { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} };
  const channel = link.join(harness.server.topic(DOCUMENT), { presence: null }, on);
  await harness.run(50);
  const send = (liveUpdate: Partial<Parameters<typeof encodeLiveUpdate>[0]>) =>
    channel.send(
      EVENTS.liveUpdate,
      encodeLiveUpdate({
        session: harness.unopenedSession(),
        nFrom: 0,
        nTo: 0,
        head: 0,
        update: NOTHING,
        caret: NOTHING,
        ...liveUpdate,
      }),
    );
  const [doc, session, log] = [newDoc(77_000), harness.unopenedSession(), harness.server.log(mallory)];
  await log.startSession({ document: DOCUMENT, session, clientId: 77_000, schemaVersion: 1 });
  let n = 0;
  /** A row that the database publishes to everyone. */
  const publish = async (word: string) => {
    const before = Y.encodeStateVector(doc);
    doc.getText('t').insert(doc.getText('t').length, word);
    const update = new Uint8Array(Y.encodeStateAsUpdate(doc, before));
    n += 1;
    const numbers = { nFrom: n, nTo: n, knownSeq: 0, schemaVersion: 1 };
    await log.append({ document: DOCUMENT, session, ...numbers, update, dependencies: [], livePeers: null });
  };
  return { harness, a, b, send, publish };
}

/** Calls take as long as on a real network. */
const slowly = (harness: SyncHarness, tab: TestTab) => {
  tab.hold = () => new Promise((resolve) => void harness.clock.after(40, () => resolve()));
};

const count = (tab: TestTab, name: string) => tab.calls.filter((call) => call === name).length;

describe('false heads', () => {
  test('[L4] a flood of them costs a call now and then', async () => {
    const { harness, b, send } = await aliceAndBob();
    slowly(harness, b);
    b.calls.length = 0;
    for (let i = 0; i < 3_000; i++) {
      send({ head: 1_000_000 + i });
      await harness.run(20);
    }
    // A minute: the head check alone makes two.
    expect(count(b, 'rowsSince')).toBeLessThanOrEqual(12);
    expect(b.view).toMatchObject({ receipt: 'saved', upToDate: true, connection: 'live' });
  });

  test('[L4] rows that the database reports are fetched as fast as ever meanwhile', async () => {
    const { harness, b, send, publish } = await aliceAndBob();
    slowly(harness, b);
    for (let i = 0; i < 500; i++) {
      send({ head: 1_000_000 + i });
      await harness.run(20);
    }
    // The first of two rows is lost, and the second reveals it.
    b.lose = () => true;
    await publish('!');
    await harness.run(10);
    b.lose = () => false;
    await publish('?');
    for (let i = 0; i < 28; i++) {
      send({ head: 2_000_000 + i });
      await harness.run(20);
    }
    expect([...b.text].sort().join('')).toBe('!?ab');
  });

  test('[L4] an honest head is fetched within 2 to 3 s, also when it is reported during a call', async () => {
    const { harness, a, b } = await aliceAndBob();
    slowly(harness, b);
    b.lose = (event) => event === EVENTS.rows;
    for (let round = 0; round < 5; round++) {
      b.environment.set('visible');
      await harness.run(10);
      a.type('x');
      await harness.run(3_000 + 700);
      expect(b.view.upToDate).toBe(true);
      expect(b.text).toBe(a.text);
    }
  });
});

describe('invented sessions', () => {
  test('[L2] a flood of them is asked about now and then, and a real session among them is still shown', async () => {
    const { harness, a, b, send } = await aliceAndBob();
    const random = seededRandom(7);
    slowly(harness, b);
    b.calls.length = 0;
    const flood = async (seconds: number) => {
      for (let i = 0; i < seconds * 50; i++) {
        send({ session: random.session(), nFrom: 1, nTo: 1, update: Uint8Array.of(0, 0) });
        await harness.run(20);
      }
    };
    await flood(60);
    expect(count(b, 'sessionInfo')).toBeLessThanOrEqual(12);
    const carol = await harness.user('carol').opened();
    carol.faults.before = (name) => (name === 'append' ? 'never' : null);
    carol.type('c');
    await flood(1);
    expect(b.text).toBe('abc');
    expect(a.text).toBe('abc');
  });

  test('[L2] new sessions of real people are asked about at once, one after the other', async () => {
    const { harness, b } = await aliceAndBob();
    slowly(harness, b);
    b.calls.length = 0;
    for (let n = 0; n < 5; n++) {
      const tab = await harness.user(`new ${n}`).opened();
      tab.faults.before = (name) => (name === 'append' ? 'never' : null);
      await harness.run(50);
      const before = b.text.length;
      tab.type('!');
      await harness.run(400);
      expect(b.text.length).toBe(before + 1);
    }
  });
});

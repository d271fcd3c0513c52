// The live topic: gaps, heads, presence, carets. Rules L*, CA*.
import { describe, expect, test, vi } from 'vitest';
import { packCaret, unpackCaret } from 'weft-sync/live/caret.ts';
import { encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import { liveTopic } from 'weft-sync/protocol/topics.ts';
import { HEAD_CHECK_MS, QUIET_AFTER_MS, WITHOUT_TOPIC_MAX_MS } from 'weft-sync/session/machine-runner.ts';
import * as Y from 'yjs';
import { DOCUMENT, type TestTab, SyncHarness } from '../sync-harness.ts';

const two = async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  await harness.run(100);
  return { harness, alice, bob };
};

function placeCaret(tab: TestTab, anchor: number, head = anchor): void {
  const text = tab.session.doc.getText('t');
  const at = (index: number) => Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, index));
  tab.session.awareness.setLocalStateField('cursor', { anchor: at(anchor), head: at(head) });
}

/** The carets of others that a tab shows: whose, and the absolute position of the head. */
function carets(tab: TestTab): { user: unknown; head: number | null }[] {
  return [...tab.session.awareness.getStates()]
    .filter(([key]) => key !== tab.session.awareness.clientID)
    .map(([, state]) => {
      const head = Y.createRelativePositionFromJSON(state['cursor'].head);
      return {
        user: state['user'],
        head: Y.createAbsolutePositionFromRelativePosition(head, tab.session.doc)?.index ?? null,
      };
    });
}

describe('rows by message', () => {
  test('[L4] a gap is fetched at once', async () => {
    const { harness, alice, bob } = await two();
    bob.dropMessages = 1;
    alice.type('a');
    await harness.run(60);
    expect(bob.text).toBe('');
    alice.type('b');
    await harness.run(2);
    expect(bob.text).toBe('ab');
  });

  test('[L4] a storm of gaps costs two calls a second', async () => {
    const { harness, alice, bob } = await two();
    bob.dropMessages = 1;
    alice.type('a');
    await harness.run(60);
    bob.faults.after = (name) => (name === 'rowsSince' ? { code: 'WF011', detail: '' } : null);
    bob.faults.before = (name) => (name === 'open' ? { code: 'WF011', detail: '' } : null);
    const before = bob.calls.length;
    for (let i = 0; i < 40; i++) {
      alice.type('x');
      await harness.run(50);
    }
    const fetches = bob.calls.slice(before).filter((name) => name === 'rowsSince').length;
    expect(fetches).toBeLessThanOrEqual(5);
  });

  test('[L4] a lost last message is found by the head that a live update names 200 ms after the acknowledgement', async () => {
    const { harness, alice, bob } = await two();
    bob.dropMessages = 1;
    alice.type('a');
    await harness.run(300);
    expect(bob.text).toBe('');
    await harness.run(3_100);
    expect(bob.text).toBe('a');
  });

  test('[L4] when every message is lost the head check finds the rest within 30 s, not in a hidden tab, at once on focus', async () => {
    const { harness, alice, bob } = await two();
    bob.dropMessages = Number.POSITIVE_INFINITY;
    alice.type('a');
    await harness.run(30_000);
    expect(bob.text).toBe('a');
    bob.environment.set('hidden');
    alice.type('b');
    await harness.run(120_000);
    expect(bob.text).toBe('a');
    bob.environment.set('visible');
    await harness.run(10);
    expect(bob.text).toBe('ab');
  });

  test('[L7] without the topic rows come within 5 s, as long as someone writes; later within 30 s', async () => {
    const { harness, alice, bob } = await two();
    bob.loseServer(() => null);
    for (const letter of 'abc') {
      alice.type(letter);
      await harness.run(WITHOUT_TOPIC_MAX_MS + 100);
      expect(bob.text).toContain(letter);
    }
    await harness.run(QUIET_AFTER_MS + HEAD_CHECK_MS);
    const { length } = bob.calls;
    await harness.run(4 * HEAD_CHECK_MS);
    // A try to join the topic checks the head too.
    expect(bob.calls.length - length).toBeLessThanOrEqual(16);
    alice.type('d');
    await harness.run(HEAD_CHECK_MS);
    expect(bob.text).toBe('abcd');
    bob.environment.set('hidden');
    alice.type('e');
    await harness.run(HEAD_CHECK_MS);
    expect(bob.text).toBe('abcd');
  });

  test('[L7] the slower the server answers, the more rarely pages without the topic ask', async () => {
    const { harness, alice, bob } = await two();
    bob.loseServer(() => null);
    bob.holdAnswer = () => new Promise((resolve) => harness.clock.after(1_000, resolve));
    await harness.run(WITHOUT_TOPIC_MAX_MS);
    const { length } = bob.calls;
    await harness.run(4 * 60_000);
    // From 8 to 20 s between two.
    expect(bob.calls.length - length).toBeLessThanOrEqual(30);
    bob.holdAnswer = () => null;
    alice.type('a');
    await harness.run(HEAD_CHECK_MS);
    expect(bob.text).toBe('a');
  });

  test('[L5] rows between the open call and the join are fetched after the join', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    const bob = harness.user('bob').open();
    let joined = false;
    bob.faults.after = (name) => {
      // Right after bob's open call alice appends. She does not know of anyone else, so no message is published.
      if (name === 'open' && !joined) {
        joined = true;
        alice.type('between');
        alice.environment.set('hidden');
      }
      return null;
    };
    await harness.run(400);
    expect(bob.text).toBe('between');
  });

  test('[L5] a client that appended recently names the head to a newcomer, in case presence was slower than the append', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    alice.type('x');
    await harness.run(400);
    const bob = harness.user('bob').open();
    const liveUpdates: string[] = [];
    bob.onMessage = (event) => liveUpdates.push(event);
    await harness.run(100);
    expect(liveUpdates).toContain('live-update');
  });

  test('[L5] before presence is known, no one counts as being alone', async () => {
    const { harness, alice, bob } = await two();
    void bob;
    const carol = harness.user('carol').open();
    const livePeers: (number | null)[] = [];
    carol.tamper = (append) => {
      livePeers.push(append.livePeers);
      return append;
    };
    carol.session.subscribe(() => {
      if (carol.view.connection !== 'live' || carol.view.lastN > 0) return;
      carol.type('first word');
      carol.environment.set('hidden');
    });
    await harness.run(50);
    expect(livePeers).toEqual([null]);
    expect(alice.text).toBe('first word');
  });

  test('[I7] rows and "moved" that do not come from the database are ignored', async () => {
    const { harness, alice, bob } = await two();
    const forged = encodeRows({ kind: 'rows', head: 9, rows: [] });
    const [row] = harness.server.rows(DOCUMENT);
    expect(row).toBeUndefined();
    const channel = harness.server.hub
      .link(harness.userId('bob'))
      .join(
        liveTopic(DOCUMENT, bob.epoch),
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
      );
    await harness.run(10);
    const rowCalls = () => alice.calls.filter((name) => name !== 'announce' && name !== 'sessionInfo').length;
    const calls = rowCalls();
    channel.send('rows', forged);
    channel.send('moved', forged);
    channel.send('live-update', Uint8Array.of(255, 1, 2));
    await harness.run(3_000);
    expect(alice.view.connection).toBe('live');
    expect(rowCalls()).toBe(calls);
    channel.leave();
  });
});

describe('carets', () => {
  test('[CA1] [L1] alone, nothing is sent, whatever moves', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const sent = vi.spyOn(harness.server.hub, 'publish');
    alice.type('abc');
    for (let i = 0; i < 4; i++) {
      placeCaret(alice, i % 3);
      await harness.run(300);
    }
    expect(alice.liveUpdatesSent).toBe(0);
    expect(sent).not.toHaveBeenCalled();
  });

  test('[CA1] a caret is sent at once, then at most ten times a second; the last position wins', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abcdefghij');
    await harness.run(300);
    const before = alice.liveUpdatesSent;
    placeCaret(alice, 1);
    await harness.run(2);
    expect(carets(bob)).toEqual([{ user: harness.userId('alice'), head: 1 }]);
    for (let i = 0; i < 50; i++) {
      placeCaret(alice, i % 9);
      await harness.run(20);
    }
    await harness.run(200);
    expect(alice.liveUpdatesSent - before).toBeLessThanOrEqual(12);
    expect(carets(bob)[0]?.head).toBe(49 % 9);
  });

  test('[CA1] a caret that did not move is not sent again', async () => {
    const { harness, alice } = await two();
    alice.type('abc');
    placeCaret(alice, 1);
    await harness.run(1_000);
    const before = alice.liveUpdatesSent;
    for (let i = 0; i < 10; i++) {
      placeCaret(alice, 1);
      await harness.run(200);
    }
    expect(alice.liveUpdatesSent).toBe(before);
  });

  test('[CA1] with many people carets are sent less often: 100 deliveries a second for all', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    for (let i = 0; i < 20; i++) await harness.user(`reader ${i}`).opened();
    await harness.run(1_000);
    alice.type('abcdef');
    await harness.run(500);
    const before = alice.liveUpdatesSent;
    for (let i = 0; i < 100; i++) {
      placeCaret(alice, i % 5);
      await harness.run(20);
    }
    expect(alice.liveUpdatesSent - before).toBeLessThanOrEqual(11);
  });

  test('[CA2] a caret disappears with its session, and comes back with it', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abc');
    placeCaret(alice, 2);
    await harness.run(300);
    expect(carets(bob).length).toBe(1);
    alice.link.close('closed');
    await harness.run(5);
    expect(carets(bob)).toEqual([]);
    await harness.run(1_500);
    expect(carets(bob)).toEqual([{ user: harness.userId('alice'), head: 2 }]);
    await alice.session.close();
    await harness.run(5);
    expect(carets(bob)).toEqual([]);
  });

  test('[CA2] live updates of a session that presence does not list show no caret', async () => {
    const { harness, alice, bob } = await two();
    const ghost = harness.unopenedSession();
    const channel = harness.server.hub
      .link(harness.userId('bob'))
      .join(
        liveTopic(DOCUMENT, bob.epoch),
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
      );
    await harness.run(10);
    const empty = new Uint8Array(0);
    const caret = packCaret({ anchor: { tname: 't' }, head: { tname: 't' } });
    expect(unpackCaret(caret)).toEqual({ anchor: { tname: 't', assoc: 0 }, head: { tname: 't', assoc: 0 } });
    channel.send('live-update', encodeLiveUpdate({ session: ghost, nFrom: 0, nTo: 0, head: 0, update: empty, caret }));
    await harness.run(10);
    expect(carets(alice)).toEqual([]);
    channel.leave();
  });

  test('[CA2] a selection is two positions, and no caret is no state', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abcdef');
    placeCaret(alice, 1, 4);
    await harness.run(300);
    const [state] = [...bob.session.awareness.getStates()].filter(([key]) => key !== bob.session.awareness.clientID);
    expect(state?.[1]).toMatchObject({ session: alice.session.sessionId, user: harness.userId('alice') });
    expect(carets(bob)[0]?.head).toBe(4);
    alice.session.awareness.setLocalStateField('cursor', null);
    await harness.run(300);
    expect(carets(bob)).toEqual([]);
  });

  test('[CA2] the binding is notified of a caret exactly when it changes', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abc');
    await harness.run(300);
    const changes: unknown[] = [];
    bob.session.awareness.on('change', (change: unknown, origin: unknown) => changes.push([change, origin]));
    placeCaret(alice, 1);
    await harness.run(200);
    placeCaret(alice, 2);
    await harness.run(200);
    alice.session.awareness.setLocalState(null);
    await harness.run(200);
    const [key] = [...bob.session.awareness.meta.keys()].filter((one) => one !== bob.session.awareness.clientID);
    expect(changes).toEqual([
      [{ added: [key], updated: [], removed: [] }, 'remote'],
      [{ added: [], updated: [key], removed: [] }, 'remote'],
      [{ added: [], updated: [], removed: [key] }, 'remote'],
    ]);
  });

  test('[CA4] no interval is left running', async () => {
    const started = vi.spyOn(globalThis, 'setInterval');
    const stopped = vi.spyOn(globalThis, 'clearInterval');
    const harness = new SyncHarness();
    await harness.user('alice').opened();
    const left = started.mock.results.filter(({ value }) => !stopped.mock.calls.some(([id]) => id === value));
    expect(left).toEqual([]);
    started.mockRestore();
    stopped.mockRestore();
  });

  test('[CA3] a caret travels as 24 bytes, not as JSON', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abc');
    await harness.run(300);
    const payloads: Uint8Array[] = [];
    bob.onMessage = (event, payload) => {
      if (event === 'live-update') payloads.push(payload);
    };
    placeCaret(alice, 1);
    await harness.run(10);
    expect(payloads.length).toBe(1);
    expect(payloads[0]?.length).toBeLessThan(34);
    expect(unpackCaret(payloads[0]?.slice(-9) ?? new Uint8Array())).not.toBeNull();
  });
});

// The receiver of live updates: one receiver on a real document and the memory server, with a virtual clock.
import { describe, expect, test } from 'vitest';
import { LiveUpdateReceiver } from 'weft-sync/live/live-update-receiver.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { Part } from 'weft-sync/protocol/row.ts';
import type { SessionEvent } from 'weft-sync/session-event.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { err } from '../../../src/lib/result.ts';
import { partContext } from '../part-context.ts';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

const NOTHING: Bytes = new Uint8Array(0);
const OFFLINE_STATE = { status: 'offline', reason: 'network', attempt: 1, topic: 'left', calling: false } as const;

/** A receiver, and one registered author whose live updates are made by hand. */
async function setup({ mayAppend = true } = {}) {
  const harness = new SyncHarness();
  const reader = harness.user('reader').user;
  const author = harness.user('author');
  const random = seededRandom(9);
  const session = random.session();
  const authorLog = harness.server.log(author.user);
  await authorLog.startSession({ document: DOCUMENT, session, clientId: 5_001, schemaVersion: 1 });
  const log = harness.server.log(reader);
  const events: { readonly at: number; readonly what: string }[] = [];
  const began = harness.clock.now();
  const note = (what: string) => void events.push({ at: Math.round(harness.clock.now() - began), what });
  const faults: { answer: () => Promise<WeftError | null> } = { answer: () => Promise.resolve(null) };
  const counted = {
    ...log,
    sessionInfo: async (...args: Parameters<typeof log.sessionInfo>) => {
      note('session info');
      const infos = await log.sessionInfo(...args);
      const error = await faults.answer();
      return error === null ? infos : err(error);
    },
  };
  const emit = (event: SessionEvent) => {
    if (event.type === 'liveUpdatesDropped') note(`drop ${[...event.upTo.values()].join()}`);
    else if (event.type === 'callFailed') note(`failed ${event.error.code}`);
  };
  const context = partContext({ clock: harness.clock, random, log: counted }, emit, { harness });
  const { connection, presence, rights, state } = context;
  const { held: liveUpdates, known } = state.pending;
  presence.set([session]);
  rights.restore(mayAppend ? 'editor' : 'viewer');
  const setLive = (isLive: boolean) => {
    connection.state = isLive ? { status: 'live', attempt: 0 } : OFFLINE_STATE;
  };
  const fetcher = {
    catchUp: async () => {
      note('fetch');
      const answer = await log.rowsSince(DOCUMENT, state.log.seq, 500);
      if (answer.ok) state.log.replica.take(answer.value.rows);
      liveUpdates.settle();
      return answer.ok;
    },
  };
  const sender = {
    relay: async (parts: readonly Part[]) => {
      note(`relay ${parts.map(({ nFrom, nTo }) => `${nFrom}-${nTo}`).join()}`);
      return err(weftError('WF011', 'not now'));
    },
  };
  const receiver = new LiveUpdateReceiver(context, fetcher, sender, { ask: () => note('ask tabs') });
  const theirs = newDoc(5_001);
  const words: Bytes[] = [];
  theirs.on('update', (update: Uint8Array) => words.push(new Uint8Array(update)));
  for (const word of ['one', ' two', ' three']) theirs.getText('t').insert(theirs.getText('t').length, word);
  const liveUpdate = (n: number) => {
    const update = words[n - 1] ?? NOTHING;
    return { session, nFrom: n, nTo: n, head: 0, update, caret: NOTHING };
  };
  const append = (n: number) => {
    const update = words[n - 1] ?? NOTHING;
    const numbers = { nFrom: n, nTo: n, knownSeq: 0, schemaVersion: 1 };
    return authorLog.append({ document: DOCUMENT, session, ...numbers, update, dependencies: [], livePeers: 0 });
  };
  const text = () => state.doc.getText('t').toString();
  const times = (what: string) => events.filter((event) => event.what.startsWith(what)).map(({ at }) => at);
  /** Receives one as the inbox does. */
  const receive = (...received: Parameters<LiveUpdateReceiver['receive']>) => {
    receiver.receive(...received);
    receiver.schedule();
  };
  return {
    receive,
    harness,
    receiver,
    liveUpdates,
    known,
    liveUpdate,
    append,
    text,
    times,
    setLive,
    session,
    events,
    state,
    faults,
  };
}

describe('a live update', () => {
  test('[L2] of an unknown session is shown when the database has named its client id, asked once', async () => {
    const { harness, receive, liveUpdate, text, times } = await setup();
    receive(liveUpdate(1));
    expect(text()).toBe('');
    await harness.run(1);
    expect(text()).toBe('one');
    receive(liveUpdate(2));
    expect([text(), times('session info').length]).toEqual(['one two', 1]);
  });

  test('[L2] that lacks something waits: rows are fetched after half a second, other tabs asked', async () => {
    const { harness, receive, liveUpdate, append, text, times } = await setup();
    await append(1);
    receive(liveUpdate(2));
    await harness.run(400);
    expect([text(), times('fetch')]).toEqual(['', []]);
    await harness.run(200);
    expect([text(), times('fetch'), times('ask tabs')]).toEqual(['one two', [500], [500]]);
  });

  test('[L4] that stays unconfirmed is fetched after 2 to 3 s, and no more once its row is here', async () => {
    const { harness, receive, liveUpdate, append, times, liveUpdates } = await setup();
    receive(liveUpdate(1));
    await harness.run(1_900);
    expect(times('fetch')).toEqual([]);
    await append(1);
    await harness.run(1_100);
    expect(times('fetch').length).toBe(1);
    expect(liveUpdates.isEmpty).toBe(true);
    await harness.run(60_000);
    expect([times('fetch').length, harness.clock.pending]).toEqual([1, 0]);
  });

  test('[D7] whose author is silent is relayed after 5 to 8 s, tried again as long after a failure', async () => {
    const { harness, receive, liveUpdate, times } = await setup();
    receive(liveUpdate(1));
    await harness.run(17_000);
    const [first = 0, second = 0] = times('relay 1-1');
    expect(first).toBeGreaterThanOrEqual(5_000);
    expect(first).toBeLessThanOrEqual(8_001);
    expect(second - first).toBeGreaterThanOrEqual(5_000);
    expect(times('failed WF011').length).toBeGreaterThan(0);
  });

  test('[D7] is dropped after 15 s by a client that may not write', async () => {
    const { harness, receive, liveUpdate, times } = await setup({ mayAppend: false });
    receive(liveUpdate(1));
    await harness.run(14_900);
    expect([times('drop'), times('relay')]).toEqual([[], []]);
    await harness.run(200);
    expect(times('drop 1')).toEqual([15_000]);
  });

  test('[D7] is not dropped when the log has it by then, although no message said so', async () => {
    const { harness, receive, liveUpdate, append, text, times } = await setup({ mayAppend: false });
    receive(liveUpdate(1));
    await harness.run(14_999);
    await append(1);
    await harness.run(20_000);
    expect([text(), times('drop')]).toEqual(['one', []]);
  });

  test('[D7] is not dropped when the log has it in a snapshot, which has no numbers', async () => {
    const { harness, receive, liveUpdate, append, text, times, liveUpdates, state } = await setup({ mayAppend: false });
    await append(1);
    const copy = newDoc();
    Y.applyUpdate(copy, liveUpdate(1).update);
    expect(state.log.replica.applySnapshot(2, new Uint8Array(Y.encodeStateAsUpdateV2(copy)))).toBe(true);
    receive(liveUpdate(1));
    await harness.run(14_900);
    expect([text(), liveUpdates.shown.length]).toEqual(['one', 1]);
    await harness.run(5_100);
    expect([text(), times('drop'), liveUpdates.isEmpty]).toEqual(['one', [], true]);
  });

  test('[D7] does not age while there is no connection', async () => {
    const { harness, receive, receiver, liveUpdate, times, setLive } = await setup();
    receive(liveUpdate(1));
    await harness.run(10);
    setLive(false);
    receiver.schedule();
    await harness.run(60_000);
    expect([times('fetch'), times('relay')]).toEqual([[], []]);
    setLive(true);
    receiver.cameLive();
    await harness.run(4_900);
    expect([times('fetch').length > 0, times('relay')]).toEqual([true, []]);
    await harness.run(3_200);
    expect(times('relay 1-1').length).toBe(1);
  });

  test('[L6] [I8] of a person who may no longer edit is dropped when rights are checked', async () => {
    const { harness, receive, receiver, liveUpdate, times } = await setup();
    receive(liveUpdate(1));
    await harness.run(10);
    harness.server.setRole(DOCUMENT, harness.userId('author'), 'viewer');
    await receiver.checkRights();
    expect(times('drop 1').length).toBe(1);
  });

  test('[L6] [I8] also when the answer to that is lost, and an older one comes after it', async () => {
    const { harness, receive, receiver, liveUpdate, times, setLive, faults } = await setup();
    receive(liveUpdate(1));
    await harness.run(10);
    let answerFirst = () => {};
    faults.answer = () => new Promise((resolve) => (answerFirst = () => resolve(null)));
    const first = receiver.checkRights();
    await harness.run(10);
    harness.server.setRole(DOCUMENT, harness.userId('author'), 'viewer');
    faults.answer = () => Promise.resolve(OFFLINE);
    await receiver.checkRights();
    answerFirst();
    await first;
    faults.answer = () => Promise.resolve(null);
    setLive(false);
    receiver.schedule();
    setLive(true);
    receiver.cameLive();
    await harness.run(10);
    expect(times('drop 1').length).toBe(1);
  });

  test('[L4] many that lack something, of many sessions, are fetched together, twice a second at most', async () => {
    const { harness, receive, known, times } = await setup();
    const random = seededRandom(77);
    // Live updates of known sessions, on top of text that no one ever wrote.
    for (let i = 0; i < 50; i++) {
      const [session, clientId] = [random.session(), 6_000 + i];
      known.learnRegistered({ session, clientId });
      const lies = newDoc(clientId);
      lies.getText('t').insert(0, 'never sent');
      const before = Y.encodeStateVector(lies);
      lies.getText('t').insert(10, '!');
      const update = new Uint8Array(Y.encodeStateAsUpdate(lies, before));
      receive({ session, nFrom: 2, nTo: 2, head: 0, update, caret: NOTHING });
      await harness.run(37);
    }
    await harness.run(8_150);
    expect(times('fetch').length).toBeLessThanOrEqual(20);
    expect(times('fetch').length).toBeGreaterThan(2);
  });

  test('[I9] after stopping, nothing is asked and no timer is left', async () => {
    const { harness, receive, receiver, liveUpdate, events } = await setup();
    receive(liveUpdate(1));
    receive(liveUpdate(3));
    receiver.stop();
    const { length } = events;
    await harness.run(60_000);
    expect([harness.clock.pending, events.length - length]).toEqual([0, 0]);
  });
});

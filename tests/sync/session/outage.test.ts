// The server goes away and comes back (SY22). The browser says nothing of it, except where a test says so.
import { expect, test } from 'vitest';
import { OFFLINE, SyncHarness, type TestTab } from '../sync-harness.ts';

/** How long a call without an answer takes to fail. */
const CALL_TIMEOUT_MS = 10_000;
/** The join and the call that opens the page. */
const BACK_MS = 100;

/** Alice's page after an outage of minutes, when the next try may be half a minute away. */
async function outage(): Promise<{ harness: SyncHarness; alice: TestTab }> {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  await harness.run(100);
  harness.random = () => 0.99;
  alice.loseServer();
  alice.type('during');
  await harness.run(5 * 60_000);
  expect(alice.view).toMatchObject({ connection: 'offline', receipt: 'device' });
  return { harness, alice };
}

/** When the timer would try again. */
const retryInMs = (harness: SyncHarness, alice: TestTab) => (alice.view.retryAt ?? 0) - harness.clock.now();

async function untilRetryIsFarAway(harness: SyncHarness, alice: TestTab): Promise<void> {
  while (retryInMs(harness, alice) < 25_000) await harness.run(1_000);
}

test('[SY22] once the topic is joined the page is opened at once, without waiting for the timer', async () => {
  const { harness, alice } = await outage();
  await untilRetryIsFarAway(harness, alice);
  alice.findServer();
  await harness.run(BACK_MS);
  expect(alice.view).toMatchObject({ connection: 'live', receipt: 'saved' });
});

for (const way of ['the topic is joined', 'the network is back'] as const) {
  test(`[SY22] [SY6] also while a call from before gets no answer, whose end then changes nothing: ${way}`, async () => {
    const { harness, alice } = await outage();
    let ended = 0;
    alice.hold = () =>
      new Promise<void>((done) =>
        harness.clock.after(CALL_TIMEOUT_MS, () => {
          ended += 1;
          alice.faults.before = () => {
            alice.faults.before = () => null;
            return OFFLINE;
          };
          done();
        }),
      );
    const { length } = alice.calls;
    while (alice.calls.length === length) await harness.run(1_000);
    expect([alice.calls.at(-1), ended]).toEqual(['open', 0]);
    alice.hold = () => null;
    if (way === 'the topic is joined') {
      alice.findServer();
    } else {
      alice.faults.before = () => null;
      alice.environment.set('online');
    }
    await harness.run(BACK_MS);
    expect(alice.view.receipt).toBe('saved');
    const seen = new Set<string>();
    alice.session.subscribe(() => seen.add(alice.view.connection));
    await harness.run(CALL_TIMEOUT_MS);
    expect([ended, seen.has('offline')]).toEqual([1, false]);
  });
}

test('[SY22] a join that was lost with its connection is repeated', async () => {
  const { harness, alice } = await outage();
  await untilRetryIsFarAway(harness, alice);
  alice.findServer();
  alice.link.close('disconnected');
  await harness.run(BACK_MS);
  expect(alice.view).toMatchObject({ connection: 'live', receipt: 'saved' });
});

test('[SY22] the topic waits to be joined also when it was lost before the browser noticed that it is offline', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  await harness.run(100);
  harness.random = () => 0.99;
  alice.loseServer();
  alice.environment.set('offline');
  await harness.run(5 * 60_000);
  await untilRetryIsFarAway(harness, alice);
  // The server cannot be reached yet.
  alice.environment.set('online');
  await harness.run(1_000);
  await untilRetryIsFarAway(harness, alice);
  alice.findServer();
  await harness.run(BACK_MS);
  expect(alice.view.connection).toBe('live');
});

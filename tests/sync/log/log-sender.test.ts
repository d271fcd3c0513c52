// The loop that brings outboxes into the log, with outboxes and answers made by hand.
import { expect, test } from 'vitest';
import { LogSender } from 'weft-sync/log/log-sender.ts';
import type { Append, Log } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { SessionEvent } from 'weft-sync/session-event.ts';
import { AppendDependencies } from 'weft-sync/state/append-dependencies.ts';
import { DocumentState } from 'weft-sync/state/document-state.ts';
import { type Batch, Outbox } from 'weft-sync/state/outbox.ts';
import { PendingState } from 'weft-sync/state/pending-state.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import { err, ok } from '../../../src/lib/result.ts';
import { partContext } from '../part-context.ts';

const random = seededRandom(1);

function outboxWith(edits: number): Outbox {
  const outbox = new Outbox({ session: random.session(), clientId: 5000 });
  const doc = new Y.Doc();
  doc.on('update', (update: Uint8Array) => outbox.add(new Uint8Array(update), 0, []));
  for (let i = 0; i < edits; i++) doc.getText('t').insert(0, 'x');
  return outbox;
}

type SetupOptions = {
  readonly dependenciesOf?: AppendDependencies['of'];
  readonly catchUp?: () => Promise<boolean>;
};

/** A sender of these outboxes, with someone else on the topic and live updates off. */
function setup(outboxes: Outbox[], { dependenciesOf = () => [], catchUp }: SetupOptions = {}) {
  const clock = new SimClock();
  const received: string[] = [];
  const name = (outbox: Outbox) => outboxes.indexOf(outbox);
  const emit = (event: SessionEvent) => {
    if (event.type === 'appendAnswered') {
      received.push(`acknowledged ${name(event.outbox)}`);
      event.outbox.acknowledge(event.answer.lastN);
    } else if (event.type === 'sessionRegistered') {
      received.push(`registered ${name(event.outbox)}`);
    } else if (event.type === 'callFailed') {
      received.push(`failed ${event.error.code}`);
    }
  };
  const fetcher = {
    catchUp:
      catchUp ??
      (async () => {
        received.push('catchUp');
        return true;
      }),
  };
  const appends: Append[] = [];
  const log: Pick<Log, 'append' | 'startSession'> = {
    startSession: async ({ clientId }) => ok({ clientId, lastN: 0 }),
    append: async (append) => {
      appends.push(append);
      const { nTo } = append;
      // The log of these tests has no rows, so none of the answer's is missing (I2).
      return ok({
        seq: 0,
        lastN: nTo,
        head: 0,
        epoch: '1.1',
        role: 'editor',
        rows: [],
        more: false,
        unpublished: false,
        publishIn: 0,
      });
    },
  };
  const never = () => Promise.reject(new Error('not asked for here'));
  const notAsked = {
    open: never,
    putBack: never,
    rowsSince: never,
    keepWatching: never,
    present: never,
    announce: never,
    sessionInfo: never,
    publishPending: never,
    saveText: never,
  };
  const full: Log = { ...log, ...notAsked, claimSnapshot: never, saveSnapshot: never };
  const context = partContext({ clock, log: full }, emit);
  const peers = [context.sessionId, random.session()];
  context.presence.joinedLive();
  context.presence.set(peers);
  class StagedDependencies extends AppendDependencies {
    override of(outbox: Outbox, batch: Batch) {
      return dependenciesOf(outbox, batch);
    }
  }
  class StagedPending extends PendingState {
    override toSend() {
      return outboxes;
    }
    override readonly dependencies = new StagedDependencies(this);
    override refuse(outbox: Outbox, error: WeftError) {
      received.push(`refused ${name(outbox)} ${error.code}`);
      outbox.refuse(error);
    }
  }
  const { sessionId, awareness, state, store, ports, unpack } = context;
  const own = { session: sessionId, clientId: state.doc.clientID };
  class StagedState extends DocumentState {
    override readonly pending = new StagedPending(own, state.log, store, clock, emit);
  }
  const stagedState = new StagedState(sessionId, awareness, store, { ...ports, unpack }, emit);
  const stagedContext = { ...context, hasLiveUpdates: false, state: stagedState };
  const sender = new LogSender(stagedContext, fetcher, { audienceOf: () => 1 });
  return { clock, received, appends, log: full, sender };
}

test('[D6] recovered outboxes go first, each registered before its first append', async () => {
  const { clock, received, sender } = setup([outboxWith(1), outboxWith(2), outboxWith(1)]);
  sender.sendNow();
  await clock.run(0);
  expect(received).toEqual([
    ...['registered 0', 'acknowledged 0', 'registered 1', 'acknowledged 1'],
    ...['registered 2', 'acknowledged 2'],
  ]);
});

test('[D4] edits that build on missing rows wait for them', async () => {
  let isThere = false;
  const { clock, received, appends, sender } = setup([outboxWith(1)], {
    dependenciesOf: () => (isThere ? [] : null),
    catchUp: async () => {
      isThere = true;
      return true;
    },
  });
  sender.sendNow();
  await clock.run(0);
  expect([received, appends.length]).toEqual([['registered 0', 'acknowledged 0'], 1]);
});

test('[I11] edits that build on edits missing from the log are refused, not appended', async () => {
  const { clock, received, appends, sender } = setup([outboxWith(1)], { dependenciesOf: () => null });
  sender.sendNow();
  await clock.run(0);
  expect([received, appends.length]).toEqual([['registered 0', 'catchUp', 'refused 0 WF005'], 0]);
});

test('[D4] rows that cannot be fetched count as a lost network, not as a refusal', async () => {
  const { clock, received, appends, sender } = setup([outboxWith(1)], {
    dependenciesOf: () => null,
    catchUp: async () => false,
  });
  sender.sendNow();
  await clock.run(0);
  expect([received, appends.length]).toEqual([['registered 0', 'failed WF011'], 0]);
});

test('[I11] a hidden page does not send edits that build on an outbox still in flight', async () => {
  const recovered = outboxWith(1);
  const own = outboxWith(1);
  for (const outbox of [recovered, own]) outbox.markRegistered();
  const { clock, appends, sender } = setup([recovered, own], {
    dependenciesOf: (outbox) => (outbox === recovered || recovered.isEmpty ? [] : null),
  });
  sender.sendWhileHidden();
  expect(appends.map(({ session }) => session)).toEqual([recovered.session]);
  await clock.run(0);
  expect(appends.map(({ session }) => session)).toEqual([recovered.session, own.session]);
});

test('[D4] seed 13583: edits made while rows are fetched go along when the live update underneath now builds on them', async () => {
  const own = outboxWith(1);
  const { clock, received, appends, sender } = setup([own], {
    // The live update that the first edit builds on was replaced by one that builds on the second edit.
    dependenciesOf: (_outbox, { nTo }) => (nTo === 1 ? null : []),
    catchUp: async () => {
      own.add(Uint8Array.of(0, 0), clock.now(), []);
      return true;
    },
  });
  sender.sendNow();
  await clock.run(0);
  expect(appends.map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([[1, 2]]);
  expect(received).not.toContain('refused 0 WF005');
});

test('[D2] one append is in flight; later edits follow at the pace for company', async () => {
  const own = outboxWith(1);
  const { clock, appends, log, sender } = setup([own]);
  let answer: () => void = () => {};
  const { append } = log;
  log.append = (one) => new Promise((resolve) => (answer = () => resolve(append(one))));
  sender.sendNow();
  await clock.run(10);
  sender.edited();
  sender.sendNow();
  await clock.run(500);
  expect(appends.length).toBe(0);
  own.add(Uint8Array.of(0, 0), clock.now(), []);
  answer();
  await clock.run(0);
  answer();
  await clock.run(0);
  expect(appends.map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('[SY5] a refused outbox is skipped', async () => {
  const { clock, received, log, sender } = setup([outboxWith(1), outboxWith(1)]);
  log.append = async (one) =>
    one.nTo === 1 && received.length < 2 ? err(weftError('WF005')) : err(weftError('WF011'));
  sender.sendNow();
  await clock.run(0);
  expect(received).toEqual(['registered 0', 'refused 0 WF005', 'registered 1', 'failed WF011']);
});

test('[SY11] draining sends everything, in as many appends as it takes, and schedules nothing', async () => {
  const own = outboxWith(3);
  const { clock, appends, sender } = setup([own]);
  await sender.drain();
  expect([appends.length, own.isEmpty, clock.pending]).toEqual([1, true, 0]);
  own.add(Uint8Array.of(0, 0), clock.now(), []);
  sender.edited();
  sender.sendNow();
  sender.sendWhileHidden();
  await clock.run(1_000);
  expect(appends.length).toBe(1);
});

test('[SY6] seed 3171: a request to send while a run is failing is not forgotten', async () => {
  const own = outboxWith(1);
  const { clock, received, log, sender } = setup([own]);
  const { append } = log;
  let fail: () => void = () => {};
  log.append = () => new Promise((resolve) => (fail = () => resolve(err(weftError('WF011')))));
  sender.sendNow();
  await clock.run(10);
  log.append = append;
  // The failure and the answer that ends the outage arrive in the same moment.
  fail();
  sender.sendNow();
  await clock.run(1_000);
  expect(received).toEqual(['registered 0', 'failed WF011', 'acknowledged 0']);
});

test('[SY6] a failed run waits unless someone asks to repeat it', async () => {
  const { clock, received, log, sender } = setup([outboxWith(1)]);
  log.append = async () => err(weftError('WF011'));
  sender.sendNow();
  await clock.run(10_000);
  expect([received, clock.pending]).toEqual([['registered 0', 'failed WF011'], 0]);
});

test('[LG3] an overlap that another answer has acknowledged meanwhile refuses nothing', async () => {
  const outbox = outboxWith(3);
  const { clock, received, appends, log, sender } = setup([outbox]);
  const { append } = log;
  log.append = async (one) => {
    const answer = await append(one);
    if (appends.length > 1 || !answer.ok) return answer;
    // The page was hidden meanwhile, and that call was answered first.
    outbox.acknowledge(2);
    return ok({ ...answer.value, seq: null, lastN: 2 });
  };
  sender.sendNow();
  await clock.run(1_000);
  expect(received).toEqual(['registered 0', 'acknowledged 0', 'acknowledged 0']);
  expect(appends.map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([
    [1, 3],
    [3, 3],
  ]);
});

// The comments behind a link to watch: asked for while the link shows them, followed, and forgotten at once.
import { expect, test } from 'vitest';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { LinkThread } from '../../../src/protocol/comments.ts';
import { linkComments } from '../../../src/state/comments/link-comments.ts';
import { secret } from '../../support/app/app-fixture.ts';
import { PAGE_ANCHOR, commentId, paragraph, threadId } from '../../support/app/memory-comments.ts';

const threadOf = (n: number, change: number, text: string): LinkThread => ({
  id: threadId(n),
  anchor: PAGE_ANCHOR,
  at: n,
  resolved: null,
  change,
  comments: [{ id: commentId(n), author: 1, at: n, editedAt: null, body: paragraph(text), change, reactions: [] }],
});

function opened(first: number | null) {
  const clock = new SimClock();
  const changes = new Subscribable();
  const server = {
    named: first,
    threads: [threadOf(1, 1, 'Which tide?')] as (LinkThread & { readonly removed?: true })[],
    refusal: null as WeftError | null,
    asked: [] as number[],
    /** Answers wait for it. */
    held: Promise.resolve(),
  };
  const getView = () => ({ comments: server.named }) as ReturnType<LinkWatch['getView']>;
  const state = linkComments({
    secret: secret('1'),
    watch: { getView, subscribe: changes.subscribe },
    timing: { after: (ms, run) => clock.after(ms, run), random: () => 0.5 },
    comments: {
      async list(_secret, after) {
        server.asked.push(after);
        const { refusal } = server;
        if (refusal !== null) {
          await server.held;
          return err(refusal);
        }
        const change = Math.max(0, ...server.threads.map((one) => one.change));
        const answer = {
          change,
          threads: server.threads
            .filter((one) => one.change > after)
            .map((one) => (one.removed === true ? { id: one.id, removed: true as const } : one)),
        };
        await server.held;
        return ok(answer);
      },
    },
  });
  return {
    clock,
    server,
    state,
    name(change: number | null) {
      server.named = change;
      changes.notify();
    },
    shown: () => {
      const { phase, threads } = state.getView();
      return [phase, threads.map(({ id }) => id)];
    },
  };
}

test('they load at once, and then only what changed since, at a random moment within 2 s', async () => {
  const { clock, server, name, shown } = opened(1);
  expect(shown()).toEqual(['loading', []]);
  await clock.run(10);
  expect(shown()).toEqual(['ready', [threadId(1)]]);
  server.threads.push(threadOf(2, 2, 'East'));
  name(2);
  await clock.run(900);
  expect(server.asked).toEqual([0]);
  await clock.run(200);
  expect(shown()).toEqual(['ready', [threadId(1), threadId(2)]]);
  server.threads = [server.threads[1]!, { ...threadOf(1, 3, ''), removed: true }];
  name(3);
  await clock.run(1_100);
  expect(shown()).toEqual(['ready', [threadId(2)]]);
  expect(server.asked).toEqual([0, 1, 2]);
  name(3);
  await clock.run(60_000);
  expect(server.asked).toEqual([0, 1, 2]);
});

test('they go in the same moment in which the link shows them no more, and come back anew', async () => {
  const { clock, server, name, shown } = opened(1);
  await clock.run(10);
  name(null);
  expect(shown()).toEqual(['hidden', []]);
  await clock.run(60_000);
  expect(server.asked).toEqual([0]);
  name(1);
  await clock.run(10);
  expect([shown(), server.asked]).toEqual([
    ['ready', [threadId(1)]],
    [0, 0],
  ]);
});

test('an answer that comes after the link stopped showing them is not shown', async () => {
  const { clock, name, shown } = opened(1);
  void clock.run(1);
  name(null);
  await clock.run(10);
  expect(shown()).toEqual(['hidden', []]);
});

for (const refusal of [null, weftError('WF002')]) {
  const answers = refusal === null ? 'has what changed' : 'is a refusal';
  test(`an answer from before the link stopped and began again to show them is asked for anew: it ${answers}`, async () => {
    const { clock, server, name, shown } = opened(1);
    await clock.run(10);
    server.threads.push(threadOf(2, 2, 'East'));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    server.held = promise.then(() => undefined);
    server.refusal = refusal;
    name(2);
    await clock.run(1_100);
    name(null);
    server.held = Promise.resolve();
    server.refusal = null;
    name(2);
    await clock.run(10);
    expect([shown(), server.asked]).toEqual([
      ['hidden', []],
      [0, 1],
    ]);
    resolve(undefined);
    await clock.run(10);
    expect([shown(), server.asked]).toEqual([
      ['ready', [threadId(1), threadId(2)]],
      [0, 1, 0],
    ]);
  });
}

test('the server’s refusal empties the list; what it can’t answer now is asked again', async () => {
  const { clock, server, name, shown } = opened(1);
  server.refusal = weftError('WF011');
  await clock.run(10);
  expect(shown()).toEqual(['loading', []]);
  server.refusal = null;
  await clock.run(5_100);
  expect(shown()).toEqual(['ready', [threadId(1)]]);
  server.refusal = weftError('WF002');
  name(2);
  await clock.run(2_000);
  expect(shown()).toEqual(['hidden', []]);
  const { length } = server.asked;
  await clock.run(60_000);
  expect(server.asked).toHaveLength(length);
});

test('of a server that was restored from an earlier state everything is asked for anew', async () => {
  const { clock, server, name, shown } = opened(5);
  server.threads = [threadOf(1, 5, 'Which tide?')];
  await clock.run(10);
  server.threads = [threadOf(2, 2, 'East')];
  name(2);
  await clock.run(2_000);
  expect([shown(), server.asked]).toEqual([
    ['ready', [threadId(2)]],
    [0, 5, 0],
  ]);
});

test('nothing is asked after it was closed', async () => {
  const { clock, server, state, name } = opened(1);
  await clock.run(10);
  state.close();
  name(2);
  await clock.run(10_000);
  expect(server.asked).toEqual([0]);
});

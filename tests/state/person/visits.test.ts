import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { Visit } from '../../../src/protocol/home-answers.ts';
import { visits } from '../../../src/state/person/visits.ts';
import { documentId, memoryListCache } from '../../support/app/app-fixture.ts';

function visitsFixture(listCache = memoryListCache()) {
  const clock = new SimClock();
  const store = createStore();
  const server = {
    refusal: null as 'WF011' | 'WF001' | null,
    seen: [] as number[],
    before: null as Visit['before'],
    visited: [] as string[],
  };
  const made = visits({
    store,
    listCache,
    timing: { now: () => clock.now(), after: (ms, run) => clock.after(ms, run), random: () => 0.5 },
    home: {
      async markVisited(_document, seq) {
        if (server.refusal !== null) return err(weftError(server.refusal));
        server.seen.push(seq);
        const { before } = server;
        server.before = { seenSeq: seq, seenAt: clock.now() };
        return ok({ ...server.before, before });
      },
    },
    onVisited: (page) => void server.visited.push(page),
  });
  const waiting = () => Array.from(store.get(made.waitingAtom));
  return { clock, server, listCache, waiting, ...made };
}
const PAGE = documentId(1);

test('the first visit is sent at once, later rows at most twice a minute, and the last one on leaving', async () => {
  const { clock, server, see, leave } = visitsFixture();
  see(PAGE, 5);
  await clock.run(10);
  expect([server.seen, server.visited]).toEqual([[5], [PAGE]]);
  for (const seq of [6, 7, 8]) see(PAGE, seq);
  await clock.run(10_000);
  expect(server.seen).toEqual([5]);
  await clock.run(25_000);
  expect(server.seen).toEqual([5, 8]);
  see(PAGE, 9);
  leave(PAGE);
  await clock.run(10);
  expect(server.seen).toEqual([5, 8, 9]);
  leave(PAGE);
  see(PAGE, 9);
  await clock.run(60_000);
  expect(server.seen).toEqual([5, 8, 9]);
});

test('a visit without the server waits, also over a restart, and its page counts as read meanwhile', async () => {
  const offline = visitsFixture();
  offline.server.refusal = 'WF011';
  offline.see(PAGE, 5);
  await offline.clock.run(10);
  expect(offline.waiting()).toEqual([PAGE]);
  offline.close();
  const online = visitsFixture(offline.listCache);
  await online.clock.run(10);
  expect([online.server.seen, online.waiting()]).toEqual([[5], []]);
  await online.clock.run(10);
  expect(await online.listCache.load('visits')).toEqual([]);
});

test('a page that is gone is not asked about again', async () => {
  const { clock, server, see, waiting, sendAll } = visitsFixture();
  server.refusal = 'WF001';
  see(PAGE, 5);
  await clock.run(10);
  server.refusal = null;
  sendAll();
  await clock.run(60_000);
  expect([server.seen, waiting()]).toEqual([[], []]);
});

test('the last visit is the one before this opening, by what the server says first and by what this tab knows right after', async () => {
  const { clock, server, see, leave, lastVisit } = visitsFixture();
  server.before = { seenSeq: 3, seenAt: 1 };
  const first = lastVisit(PAGE);
  see(PAGE, 5);
  await clock.run(10);
  expect(await first).toEqual({ seenSeq: 3, seenAt: 1 });
  see(PAGE, 6);
  leave(PAGE);
  await clock.run(10);
  const again = lastVisit(PAGE);
  see(PAGE, 9);
  await clock.run(60_000);
  expect((await again)?.seenSeq).toBe(6);
});

test('a page that is opened again in this tab asks for the last visit anew: it may have been on another device', async () => {
  const { clock, server, see, leave, lastVisit } = visitsFixture();
  see(PAGE, 5);
  await clock.run(60_000);
  leave(PAGE);
  server.before = { seenSeq: 20, seenAt: 50_000 };
  const again = lastVisit(PAGE);
  // First what this device stores, then the rows that it lacks.
  see(PAGE, 5);
  see(PAGE, 21);
  await clock.run(40_000);
  expect(await again).toEqual({ seenSeq: 20, seenAt: 50_000 });
  expect(server.seen).toEqual([5, 5, 21]);
});

test('someone who was never here has no last visit', async () => {
  const { clock, see, lastVisit } = visitsFixture();
  const first = lastVisit(PAGE);
  see(PAGE, 5);
  await clock.run(10);
  expect(await first).toBe(null);
});

test('after the server went back in time, rows with lower numbers count as seen', async () => {
  const { clock, server, see } = visitsFixture();
  see(PAGE, 9);
  await clock.run(40_000);
  see(PAGE, 3);
  see(PAGE, 3);
  await clock.run(40_000);
  see(PAGE, 4);
  await clock.run(40_000);
  expect(server.seen).toEqual([9, 3, 4]);
});

import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { cachedList } from '../../../src/state/offline/cached-list.ts';
import { memoryListCache } from '../../support/app/app-fixture.ts';

const parse = (stored: unknown) =>
  Array.isArray(stored) && stored.every((one) => typeof one === 'string') ? stored : null;

function listFixture(answers: (() => Promise<Result<readonly string[], WeftError>>)[], listCache = memoryListCache()) {
  const clock = new SimClock();
  const store = createStore();
  let calls = 0;
  const list = cachedList<readonly string[]>({
    store,
    listCache,
    key: 'list',
    parse,
    timing: { now: () => clock.now(), after: (ms, run) => clock.after(ms, run), random: () => 0.5 },
    fetch: () => {
      const answer = answers[Math.min(calls, answers.length - 1)];
      calls++;
      return answer === undefined ? Promise.resolve(ok([])) : answer();
    },
  });
  return { clock, listCache, list, calls: () => calls, now: () => store.get(list.atom) };
}

const answering =
  (...names: string[]) =>
  () =>
    Promise.resolve(ok(names));
const offline = () => Promise.resolve(err(weftError('WF011')));

test('the cached list shows before the server answers, and its answer replaces it', async () => {
  const listCache = memoryListCache();
  await listCache.save('list', ['old']);
  let send: (value: Result<readonly string[], WeftError>) => void = () => undefined;
  const { clock, now } = listFixture([() => new Promise((resolve) => (send = resolve))], listCache);
  await clock.run(10);
  expect(now()).toEqual({ value: ['old'], isFresh: false, error: null });
  send(ok(['new']));
  await clock.run(10);
  expect(now()).toEqual({ value: ['new'], isFresh: true, error: null });
  expect(listCache.entries.get('list')).toEqual(['new']);
});

test('a cold start offline shows the cached list, says so, and catches up by itself', async () => {
  const listCache = memoryListCache();
  await listCache.save('list', ['kept']);
  const { clock, now } = listFixture([offline, offline, answering('new')], listCache);
  await clock.run(100);
  expect(now()).toEqual({ value: ['kept'], isFresh: false, error: weftError('WF011') });
  await clock.run(60_000);
  expect(now()).toEqual({ value: ['new'], isFresh: true, error: null });
});

test('a cache that does not answer in time is read again as long as the server does not answer either', async () => {
  const listCache = memoryListCache();
  await listCache.save('list', ['kept']);
  let loads = 0;
  const slow = { ...listCache, load: async (key: string) => (++loads < 3 ? undefined : listCache.load(key)) };
  const { clock, now } = listFixture([offline], slow);
  await clock.run(100);
  expect(now().value).toBeNull();
  await clock.run(60_000);
  expect(now()).toEqual({ value: ['kept'], isFresh: false, error: weftError('WF011') });
  expect(loads).toBe(3);
});

test('a list without access disappears from the view and from the device', async () => {
  const listCache = memoryListCache();
  await listCache.save('list', ['secret']);
  const { clock, now, calls } = listFixture([() => Promise.resolve(err(weftError('WF001')))], listCache);
  await clock.run(60_000);
  expect(now()).toEqual({ value: null, isFresh: false, error: weftError('WF001') });
  expect(listCache.entries.get('list')).toBeNull();
  expect(calls()).toBe(1);
});

test('a cached value of another shape is ignored', async () => {
  const listCache = memoryListCache();
  await listCache.save('list', [{ version: 7 }]);
  const { clock, now } = listFixture([offline], listCache);
  await clock.run(100);
  expect(now().value).toBeNull();
});

test('a burst of changes causes one fetch at its start and one at its end', async () => {
  const { clock, list, calls } = listFixture([answering('a')]);
  await clock.run(10);
  expect(calls()).toBe(1);
  for (let change = 0; change < 40; change++) {
    void list.refresh();
    await clock.run(9);
  }
  await clock.run(5_000);
  expect(calls()).toBe(2);
});

test('a refresh resolves when a fetch that began after it is over', async () => {
  const { clock, list, now } = listFixture([answering('first'), answering('second')]);
  await clock.run(10);
  let isDone = false;
  void list.refresh().then(() => (isDone = true));
  await clock.until(() => isDone);
  expect(now().value).toEqual(['second']);
});

test('a closed list changes no more and leaves no timer', async () => {
  const { clock, list, now } = listFixture([offline, answering('late')]);
  await clock.run(10);
  list.close();
  await clock.run(120_000);
  expect(now().value).toBeNull();
  expect(clock.pending).toBe(0);
});

test('what an older fetch answers late does not replace the answer of a newer one', async () => {
  let answerLate: () => void = () => undefined;
  const slow = () => new Promise<Result<readonly string[], WeftError>>((end) => (answerLate = () => end(ok(['old']))));
  const { clock, list, listCache, now } = listFixture([slow, answering('new')]);
  list.noteOffline();
  await clock.run(10);
  answerLate();
  await clock.run(10);
  expect(now()).toEqual({ value: ['new'], isFresh: true, error: null });
  expect(listCache.entries.get('list')).toEqual(['new']);
});

test('without network a list says so although a fetch hangs, and what that fetch answers in the end does not count', async () => {
  let fail: () => void = () => undefined;
  const hanging = () =>
    new Promise<Result<readonly string[], WeftError>>((end) => (fail = () => end(err(weftError('WF011')))));
  const { clock, list, now } = listFixture([answering('here'), hanging, offline, answering('back')]);
  await clock.run(1_000);
  void list.refresh();
  list.noteOffline();
  await clock.run(10);
  expect(now()).toEqual({ value: ['here'], isFresh: false, error: weftError('WF011') });
  await clock.run(10_000);
  fail();
  await clock.run(10);
  expect(now()).toEqual({ value: ['back'], isFresh: true, error: null });
});

import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineWorker, type JobWorker, READY } from '../../src/lib/async/deadline-worker.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const LIMITS = { deadlineMs: 1_000, shortestDeadlineMs: 250 };
/** When an answer is late, it still gets 50 ms. */
const GRACE_MS = 50;

/** Workers that answer a number with its double, as soon as the test says so. */
function workerFixture({ loadsAtOnce = false } = {}) {
  const workers: ReturnType<typeof fakeWorker>[] = [];
  const pool = new DeadlineWorker<number, number>(
    () => {
      const worker = fakeWorker();
      workers.push(worker);
      if (loadsAtOnce) queueMicrotask(() => worker.say(READY));
      return worker;
    },
    v.number(),
    LIMITS,
  );
  const newest = () => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error('no worker was started');
    return worker;
  };
  return { pool, workers, newest };
}

function fakeWorker() {
  const listeners: { message?: (event: { data: unknown }) => void; error?: () => void } = {};
  const jobs: unknown[] = [];
  let isTerminated = false;
  return {
    jobs,
    isTerminated: () => isTerminated,
    say: (data: unknown) => listeners.message?.({ data }),
    breaks: () => listeners.error?.(),
    postMessage: (job: unknown) => void jobs.push(job),
    terminate: () => (isTerminated = true),
    addEventListener(type: 'message' | 'error', listener: (event: { readonly data: unknown }) => void) {
      if (type === 'message') listeners.message = listener;
      else listeners.error = () => listener({ data: null });
    },
  } satisfies JobWorker & Record<string, unknown>;
}

test('jobs are answered one after the other by one worker', async () => {
  const { pool, workers, newest } = workerFixture();
  const [one, two] = [pool.run(1), pool.run(2)];
  newest().say(READY);
  expect(newest().jobs).toEqual([1]);
  newest().say(2);
  expect(newest().jobs).toEqual([1, 2]);
  newest().say(4);
  expect(await Promise.all([one, two])).toEqual([
    { ok: true, value: 2 },
    { ok: true, value: 4 },
  ]);
  expect(workers).toHaveLength(1);
});

test('a worker that misses the deadline is terminated, and the next job goes to a new one', async () => {
  const { pool, workers, newest } = workerFixture();
  const [slow, next] = [pool.run(1), pool.run(2)];
  newest().say(READY);
  await vi.advanceTimersByTimeAsync(LIMITS.deadlineMs + GRACE_MS);
  expect(await slow).toEqual({ ok: false, error: 'tooSlow' });
  expect(workers.map((worker) => worker.isTerminated())).toEqual([true, false]);
  // An answer that was on its way belongs to no one.
  workers[0]?.say(99);
  newest().say(READY);
  newest().say(4);
  expect(await next).toEqual({ ok: true, value: 4 });
});

test('loading does not count as time of the job, and an answer in the last moment counts', async () => {
  const { pool, newest } = workerFixture();
  const job = pool.run(1);
  await vi.advanceTimersByTimeAsync(LIMITS.deadlineMs * 5);
  newest().say(READY);
  await vi.advanceTimersByTimeAsync(LIMITS.deadlineMs + GRACE_MS - 1);
  newest().say(2);
  expect(await job).toEqual({ ok: true, value: 2 });
});

test('thirty jobs that hang are given up after twelve seconds altogether', async () => {
  const { pool, workers } = workerFixture({ loadsAtOnce: true });
  const jobs = Array.from({ length: 30 }, (_, at) => pool.run(at));
  await vi.advanceTimersByTimeAsync(12_000);
  const results = await Promise.all(jobs);
  expect(results.every((result) => !result.ok && result.error === 'tooSlow')).toBe(true);
  expect(workers.filter((worker) => !worker.isTerminated())).toEqual([]);
});

test('a worker that does not load fails all jobs, and the next job tries again', async () => {
  const { pool, workers, newest } = workerFixture();
  const jobs = [pool.run(1), pool.run(2)];
  newest().breaks();
  expect(await Promise.all(jobs)).toEqual([
    { ok: false, error: 'failed' },
    { ok: false, error: 'failed' },
  ]);
  const again = pool.run(3);
  expect(workers).toHaveLength(2);
  newest().say(READY);
  newest().say(6);
  expect(await again).toEqual({ ok: true, value: 6 });
});

test('without workers every job fails', async () => {
  const pool = new DeadlineWorker<number, number>(
    () => {
      throw new ReferenceError('Worker is not defined');
    },
    v.number(),
    LIMITS,
  );
  expect(await pool.run(1)).toEqual({ ok: false, error: 'failed' });
});

test('a job that no one waits for is dropped before its turn', async () => {
  const { pool, newest } = workerFixture();
  const abort = new AbortController();
  const [one, dropped, three] = [pool.run(1), pool.run(2, abort.signal), pool.run(3)];
  newest().say(READY);
  abort.abort();
  newest().say(2);
  expect(newest().jobs).toEqual([1, 3]);
  newest().say(6);
  expect(await Promise.all([one, dropped, three])).toEqual([
    { ok: true, value: 2 },
    { ok: false, error: 'cancelled' },
    { ok: true, value: 6 },
  ]);
});

test('an idle worker is terminated', async () => {
  const { pool, newest } = workerFixture();
  const job = pool.run(1);
  newest().say(READY);
  newest().say(2);
  await job;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(newest().isTerminated()).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(newest().isTerminated()).toBe(true);
});

import { expect, test } from 'vitest';
import { type Computed, SharedResults } from '../../src/lib/async/shared-results.ts';

/** Computes the length of a text, when the test says so. */
function resultsFixture(maxSize = 100) {
  const asked: {
    readonly text: string;
    readonly signal: AbortSignal;
    finish(computed: Computed<number> | null): void;
  }[] = [];
  const results = new SharedResults<number>(
    (text, signal) => new Promise((resolve) => asked.push({ text, signal, finish: resolve })),
    () => 1,
    maxSize,
  );
  const finish = async (at: number, isFinal = true) => {
    const one = asked[at];
    one?.finish({ value: one.text.length, isFinal });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { results, asked, finish };
}

test('everyone who watches the same text gets the value, which is computed once and remembered', async () => {
  const { results, asked, finish } = resultsFixture();
  const got: number[] = [];
  results.watch('abc', (value) => got.push(value));
  results.watch('abc', (value) => got.push(value));
  await finish(0);
  results.watch('abc', (value) => got.push(value));
  expect([got, asked.length, results.known('abc')]).toEqual([[3, 3, 3], 1, 3]);
});

test('when the last one stops watching, the computation is cancelled', async () => {
  const { results, asked, finish } = resultsFixture();
  const got: number[] = [];
  const stops = [results.watch('abc', (value) => got.push(value)), results.watch('abc', (value) => got.push(value))];
  stops[0]?.();
  expect(asked[0]?.signal.aborted).toBe(false);
  stops[1]?.();
  expect(asked[0]?.signal.aborted).toBe(true);
  results.watch('abc', (value) => got.push(value * 10));
  await finish(0);
  expect(got).toEqual([]);
  await finish(1);
  expect(got).toEqual([30]);
});

test('a value that is not final is not remembered', async () => {
  const { results, asked, finish } = resultsFixture();
  results.watch('abc', () => {});
  await finish(0, false);
  expect(results.known('abc')).toBeUndefined();
  results.watch('abc', () => {});
  expect(asked).toHaveLength(2);
});

test('the values that were not used for the longest time are forgotten', async () => {
  const { results, finish } = resultsFixture(12);
  for (const [at, text] of ['aaa', 'bbb', 'ccc'].entries()) {
    results.watch(text, () => {});
    await finish(at);
  }
  results.known('aaa');
  results.watch('ddd', () => {});
  await finish(3);
  expect(['aaa', 'bbb', 'ccc', 'ddd'].filter((text) => results.known(text) !== undefined)).toEqual([
    'aaa',
    'ccc',
    'ddd',
  ]);
});

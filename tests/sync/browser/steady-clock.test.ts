// The session's clock when someone changes the system clock.
import { expect, test } from 'vitest';
import { steadyNow } from 'weft-sync/browser/clock.ts';

const HOUR_MS = 3_600_000;

function clocks() {
  const at = { wall: 1_000 * HOUR_MS, elapsed: 0 };
  const now = steadyNow(
    () => at.wall,
    () => at.elapsed,
  );
  const pass = (ms: number) => {
    at.wall += ms;
    at.elapsed += ms;
  };
  return { at, now, pass };
}

test('it follows the system clock', () => {
  const { now, pass } = clocks();
  expect(now()).toBe(1_000 * HOUR_MS);
  pass(25.4);
  expect(now()).toBe(1_000 * HOUR_MS + 25);
});

test('if the clock is set back, time never runs backwards and continues at the same pace', () => {
  const { at, now, pass } = clocks();
  pass(100);
  const before = now();
  at.wall -= 24 * HOUR_MS;
  expect(now()).toBe(before);
  pass(50);
  expect(now()).toBe(before + 50);
  pass(50);
  expect(now()).toBe(before + 100);
});

test('after the clock is set forward, or the machine wakes up, it follows at once', () => {
  const { at, now } = clocks();
  now();
  at.wall += 8 * HOUR_MS;
  expect(now()).toBe(1_008 * HOUR_MS);
});

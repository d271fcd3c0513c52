// The session's clock when somebody sets the one on the wall.
import { expect, test } from 'vitest';
import { steadyNow } from '../../../src/platform/browser/clock.ts';

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

test('it goes with the wall’s', () => {
  const { now, pass } = clocks();
  expect(now()).toBe(1_000 * HOUR_MS);
  pass(25.4);
  expect(now()).toBe(1_000 * HOUR_MS + 25);
});

test('set back it never goes back, and goes on at the same pace', () => {
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

test('set forward, or woken from sleep, it follows at once', () => {
  const { at, now } = clocks();
  now();
  at.wall += 8 * HOUR_MS;
  expect(now()).toBe(1_008 * HOUR_MS);
});

import { expect, test } from 'vitest';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2026-11-22T12:00:00Z');

/** A clock after one answer: the server's time is known to the second, the request took 300 ms. */
function answeredAt(server: number, device: number): ServerClock {
  const clock = new ServerClock();
  const date = new Date(Math.floor(server / 1000) * 1000).toUTCString();
  clock.answered(new Headers({ date }), device - 150, device + 150);
  return clock;
}

test('two clocks that agree are never corrected, whatever the part of the second and the time of the request', () => {
  for (let ms = 0; ms < 2_000; ms += 50) {
    expect(answeredAt(AT + ms, AT + ms).toDevice(AT)).toBe(AT);
    expect(answeredAt(AT + ms, AT + ms + 140).toDevice(AT)).toBe(AT);
  }
});

test('a device an hour fast or slow shows the server’s times by its own clock, to the second', () => {
  for (const wrong of [HOUR_MS, -HOUR_MS]) {
    for (let ms = 0; ms < 2_000; ms += 100) {
      const shown = answeredAt(AT + ms, AT + ms + wrong).toDevice(AT);
      expect(Math.abs(shown - (AT + wrong))).toBeLessThanOrEqual(1_150);
    }
  }
});

test('an answer without a time changes nothing', () => {
  const clock = answeredAt(AT, AT + HOUR_MS);
  const before = clock.toDevice(AT);
  clock.answered(new Headers(), AT, AT);
  clock.answered(new Headers({ date: 'soon' }), AT, AT);
  expect(clock.toDevice(AT)).toBe(before);
});

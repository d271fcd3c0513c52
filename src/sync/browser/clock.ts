// The Clock and Random ports for browsers (and Node).
import type { Clock, Random } from '../ports.ts';
import { newSessionId } from '../protocol/new-ids.ts';

/**
 * The wall clock, but it never runs backwards. If someone sets the clock back, time continues at its normal pace from
 * where it stood: a session compares times (when it sent something, when it may retry), and an hour that came twice
 * would be an hour of silence. If the clock is set forward, or the machine slept (`performance.now()` stands still
 * then), we follow at once.
 */
export function steadyNow(wall: () => number, elapsed: () => number): () => number {
  let at = wall();
  let since = elapsed();
  return () => {
    const now = elapsed();
    at = Math.max(at + (now - since), wall());
    since = now;
    return Math.round(at);
  };
}

export const browserClock: Clock = {
  now: steadyNow(
    () => Date.now(),
    () => performance.now(),
  ),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Random numbers are drawn in batches: every live update of every person needs a jitter, and one call for each was a
 * tenth of its cost.
 */
const drawn = new Uint32Array(64);
let left = 0;

const next = (): number => {
  if (left === 0) left = crypto.getRandomValues(drawn).length;
  left -= 1;
  return (drawn[left] ?? 0) / 2 ** 32;
};

export const browserRandom: Random = {
  next,
  session: newSessionId,
};

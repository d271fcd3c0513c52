// A seeded random number generator (mulberry32) for simulations and tests. Not for secrets.
import { uuidOf } from './random-uuid.ts';

/** Returns a function that yields the same numbers in [0, 1) for the same seed. */
export function prng(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes a version 4 UUID from numbers in [0, 1). */
export const uuidFrom = (next: () => number): string =>
  uuidOf(Uint8Array.from({ length: 16 }, () => Math.floor(next() * 256)));

// How many blocks the editor or a reading view draws in one go. A page with more is drawn in slices, a frame each, so that
// the browser is not busy for long, also on a slow machine: each slice is as large as the one before allows.

/**
 * Blocks (or cells, or runs of text with other marks) drawn at once on a machine that is not measured yet, in about 60 ms.
 * No later slice is larger.
 */
export const FIRST_SLICE = 1_000;
/** The time that counts as one block. A text that takes longer counts as several: 5,000 Arabic letters as 1,000. */
export const UNIT_MS = 60 / FIRST_SLICE;
/** A code block has a head with buttons: 1,000 at once took 300 ms of style and layout. */
export const UNITS_PER_CODE = 8;
/** How long a slice may take, with layout and paint. */
const SLICE_MS = 40;
/** Each slice also costs a walk through the page, so smaller ones would take longer in all. */
const MIN_SLICE = 200;
/** One fast slice does not prove that the next one is as cheap. */
const MAX_GROWTH = 1.5;

/** The size of the slice after one of `cost` that took `ms`. */
export function nextSlice(cost: number, ms: number): number {
  const fitting = (cost * SLICE_MS) / Math.max(1, ms);
  return Math.round(Math.max(MIN_SLICE, Math.min(FIRST_SLICE, cost * MAX_GROWTH, fitting)));
}

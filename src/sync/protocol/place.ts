// A place in a page that means the same in windows of every size: a top-level block and how far into its text.
import * as v from 'valibot';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { MAX_N } from './limits.ts';

/** The database checks the same form, and people choose both values: neither says that there is such a block. */
export const place = v.strictObject({
  /** The id of a top-level block. */
  block: v.pipe(v.string(), v.regex(/^[0-9A-Za-z_-]{1,64}$/u)),
  /** Characters before the place. */
  offset: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_N)),
});
export type Place = v.InferOutput<typeof place>;

/** Null for everything else than a place. */
export const parsePlace = (value: unknown): Place | null => parseOrNull(place, value);

export const isSamePlace = (a: Place | null, b: Place | null): boolean =>
  a === b || (a !== null && b !== null && a.block === b.block && a.offset === b.offset);

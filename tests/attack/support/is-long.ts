/** `npm run attack` sets it: attacks run in full length and measure. */
export const IS_LONG = import.meta.env['WEFT_ATTACK'] === '1';

/** Milliseconds of this machine are held against a limit in the full length only. */
export const msIfLong = (ms: number): number => (IS_LONG ? ms : 0);

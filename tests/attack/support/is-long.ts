import process from 'node:process';

/** `npm run attack` sets it: attacks run in full length and measure. */
export const IS_LONG = process.env['WEFT_ATTACK'] === '1';

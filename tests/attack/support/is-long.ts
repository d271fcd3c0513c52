/** `npm run attack` sets it: attacks run in full length and measure. */
export const IS_LONG = import.meta.env['WEFT_ATTACK'] === '1';

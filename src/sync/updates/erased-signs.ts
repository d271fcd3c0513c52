// The signs that `weft.mask_texts` writes into the log in place of letters that were erased for good.

const SIGNS = '*·█🟦';
const ALL_SIGNS = new RegExp(`^[${SIGNS}]+$`, 'u');
const UNITS: ReadonlySet<string> = new Set(SIGNS.split(''));

export const isErased = (text: string): boolean => ALL_SIGNS.test(text);

/** Whether some letters of the original were erased, and nothing else changed. Unit by unit, because a range may end within a letter. */
export function isErasedFrom(text: string, original: string): boolean {
  const units = original.split('');
  return text.split('').every((unit, at) => unit === units[at] || UNITS.has(unit));
}

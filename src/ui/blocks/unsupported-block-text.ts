// Shows an unsupported block's text part by part: laying out a long text at once would block the page.
import { cutText } from '../../lib/text/cut-text.ts';
import { UNSUPPORTED_TEXT_CHARACTERS } from './drawing-limits.ts';

/** The first `parts` parts of the text, and how many characters are left. */
export function shownParts(text: string, parts: number): { readonly shown: string; readonly left: number } {
  const shown = cutText(text, parts * UNSUPPORTED_TEXT_CHARACTERS);
  return { shown: calm(shown), left: text.length - shown.length };
}

/**
 * Without what makes plain text costly or confusing: more marks or skin tones on a character than any script has, and direction
 * signs. Long lines get breaks.
 */
const calm = (text: string): string =>
  text
    .replace(/([\p{M}\u{1f3fb}-\u{1f3ff}]{8})[\p{M}\u{1f3fb}-\u{1f3ff}]+/gu, '$1')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(LONG_LINE, '$&\n')
    .replace(MANY_FLAGS, '$&\n')
    .replace(MANY_JOINED, '$&\n');

/** A line takes the browser the square of its length in scripts such as Arabic and Thai (`drawing-cost.ts`). */
const LONG_LINE = /[\u0590-\u10ff\u1200-\u1dff\ua000-\uabff\ufb1d-\ufdff\ufe70-\ufeff][^\n]{500}(?!\n)/gu;
const MANY_FLAGS = /[\u{1f1e6}-\u{1f1ff}]{40}(?=[\u{1f1e6}-\u{1f1ff}])/gu;
const MANY_JOINED = /(?:[^\n\u200d]{1,8}\u200d){40}(?!\n)/gu;

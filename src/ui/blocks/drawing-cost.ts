// Estimates how long the browser takes to lay out a text, in ms. It lays out a line as a whole, and for some content the
// time grows with the square of the line's length. All figures were measured with Chromium 141 on the project's machine.

/** A plain character: a million take 280 ms. */
const CHARACTER_MS = 0.000_3;
/** A line break: 100,000 take 290 ms. */
const LINE_MS = 0.003;
/** A change between Latin letters, Chinese characters and emoji, which need another font: 100,000 take 900 ms. */
const FONT_CHANGE_MS = 0.009;
/** A mark on a letter, such as an accent: a hundred thousand, eight on each letter, take 140 ms. */
const MARK_MS = 0.001_5;
/** The same for each mark below it on its letter: 10,000 on one letter take 300 ms, 30,000 take 2.3 s. */
const STACKED_MARK_MS = 0.000_006;
/**
 * For each character that is not plain, once for each character of its line. In a line of 10,000, Arabic without a space takes
 * 450 ms, Arabic words 150 ms; in one of 60,000, 40,000 direction signs take 2 s.
 */
const COMPLEX_MS = 0.000_003;
/**
 * A skin tone, for each code unit since the last character or emoji that is not joined: 1,000 tones in a row take 150 ms, 3,000
 * take 1.3 s, and with a variation selector between them three times as long; 32,000 joined emoji with a tone take 6 s.
 */
const STACKED_TONE_MS = 0.000_3;
/**
 * A letter of a flag, for each one before it in a row without anything else: 1,600 pairs that are no country take 3 s, 12,500
 * minutes. Countries are quick, but which pairs are one differs from font to font.
 */
const STACKED_FLAG_MS = 0.000_6;
/** A joiner between emoji or characters: 32,000 joined emoji take 750 ms. */
const JOINER_MS = 0.02;
/** An element around characters, for a mark. */
const ELEMENT_MS = 0.02;
/** A formula in a line, without what KaTeX makes of it, which is drawn in later frames. */
const FORMULA_MS = 0.2;

/** A block that costs more is shown as an unsupported one: with the blocks around it, it would keep the page busy for 200 ms. */
export const MAX_DRAWING_MS = 120;

/** A run of characters with the same marks. */
export type DrawnPiece = { readonly text: string; readonly marks: number; readonly formulas: number };

export function drawingCost(pieces: readonly DrawnPiece[]): number {
  const elements = pieces.reduce((sum, { marks }) => sum + marks + 1, 0);
  const formulas = pieces.reduce((sum, piece) => sum + piece.formulas, 0);
  return elements * ELEMENT_MS + formulas * FORMULA_MS + costOfText(pieces.map(({ text }) => text).join(''));
}

function costOfText(text: string): number {
  let cost = text.length * CHARACTER_MS;
  let lineStart = 0;
  let complex = 0;
  let font = 0;
  let stacked = 0;
  let toneStart = 0;
  let flags = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? LINE_FEED : text.charCodeAt(at);
    if (code === LINE_FEED) {
      cost += LINE_MS + complex * (at - lineStart) * COMPLEX_MS;
      lineStart = at;
      complex = 0;
    } else if (!isPlain(code)) complex += 1;
    const isOnLetter = isMark(code);
    stacked = isOnLetter ? stacked + 1 : 0;
    if (stacked > 0) cost += MARK_MS + stacked * STACKED_MARK_MS;
    if (isTone(text, at)) cost += (at - toneStart) * STACKED_TONE_MS;
    else if (!isOnLetter && endsTones(code) && !isJoiner(text.charCodeAt(at - 1))) toneStart = at + 1;
    if (isJoiner(code)) cost += JOINER_MS;
    if (isOfFlag(text, at)) {
      cost += flags * STACKED_FLAG_MS;
      flags += 1;
    } else if (!isSecondHalf(code)) flags = 0;
    const next = fontOf(code);
    if (next !== 0 && font !== 0 && next !== font) cost += FONT_CHANGE_MS;
    if (next !== 0) font = next;
  }
  return cost;
}

const LINE_FEED = 0x0a;

/** The scripts whose layout takes time in proportion to their length: Latin, Greek, Cyrillic, Chinese, Japanese, Korean. */
function isPlain(code: number): boolean {
  if (code < 0x530) return true;
  if (code >= 0x1e00 && code < 0x2c00) return !isDirectionSign(code);
  if (isChinese(code) || isMark(code)) return true;
  // Both halves of an emoji, a rare Chinese character or a mathematical one.
  return (code >= 0xd800 && code <= 0xdfff) || (code >= 0xfe00 && code <= 0xfe0f);
}

/** The marks of no particular script. Those of a script count as its letters. */
const isMark = (code: number): boolean =>
  (code >= 0x300 && code < 0x370) ||
  (code >= 0x483 && code < 0x48a) ||
  (code >= 0x1ab0 && code < 0x1b00) ||
  (code >= 0x1dc0 && code < 0x1e00) ||
  (code >= 0x20d0 && code < 0x2100) ||
  (code >= 0xfe20 && code < 0xfe30);

/** Whether an emoji begins here whose second half is from `first` to `last`. Tones and the letters of flags have the same first half. */
function isEmoji(text: string, at: number, first: number, last: number): boolean {
  const half = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === 0xd83c && half >= first && half <= last;
}

const isTone = (text: string, at: number): boolean => isEmoji(text, at, 0xdffb, 0xdfff);

/** One of the 26 letters, two of which make a flag. */
const isOfFlag = (text: string, at: number): boolean => isEmoji(text, at, 0xdde6, 0xddff);

const isJoiner = (code: number): boolean => code === 0x200c || code === 0x200d;

/** All but joiners, variation selectors, second halves, and 0xdb40: the first half of rarer selectors and of tags. */
const endsTones = (code: number): boolean =>
  !isJoiner(code) && code !== 0xdb40 && !isSecondHalf(code) && !(code >= 0xfe00 && code <= 0xfe0f);

const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const isDirectionSign = (code: number): boolean =>
  (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f);

const isChinese = (code: number): boolean =>
  (code >= 0x1100 && code < 0x1200) ||
  (code >= 0x2e80 && code < 0xa000) ||
  (code >= 0xac00 && code < 0xd7a4) ||
  (code >= 0xf900 && code < 0xfb00) ||
  (code >= 0xff00 && code < 0xfff0);

/** 0 for signs that every font has. */
function fontOf(code: number): 0 | 1 | 2 | 3 {
  if (isChinese(code)) return 2;
  if (code >= 0xd800 && code <= 0xdfff) return 3;
  return code > 0x40 && code < 0x2000 ? 1 : 0;
}

// Guesses whether the author of a plain text, pasted or imported, meant its signs as Markdown.

const LINE_SIGNS: readonly RegExp[] = [
  /^#{1,6} \S/,
  /^\s{0,8}[-*+] (?:\[[ xX]\] )?\S/,
  /^\s{0,8}\d{1,3}[.)] \S/,
  /^> ?\S/,
  /^(?:```|~~~|\$\$)/,
  /^\|.+\|\s*$/,
  /^(?:---|\*\*\*)\s*$/,
];
/**
 * Marks around words. A single star or underscore proves nothing: `2 * 3 * 4`, `a_b_c`. Each search ends at the next mark:
 * otherwise a text of nothing but brackets would take a second.
 */
const INLINE_SIGN =
  /\*\*[^\s*](?:[^*\n]{0,500}[^\s*])?\*\*|~~\S[^~\n]{0,500}~~|`[^`\n]{1,500}`|\[[^[\]\n]{1,500}\]\((?:https?:|mailto:|\/)[^)[\s]{0,2000}\)/;

/** A formula between single signs. Amounts and shell variables have a letter, a digit or a blank at one of these places. */
const FORMULA = /(?:^|[\s(])\$[^\s$](?:[^$\n]{0,500}[^\s$\\])?\$(?=$|[\s).,;:!?])/m;

export const isMarkdown = (text: string): boolean =>
  INLINE_SIGN.test(text) ||
  FORMULA.test(text) ||
  text.split('\n').some((line) => LINE_SIGNS.some((sign) => sign.test(line)));

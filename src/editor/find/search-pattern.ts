// Search patterns: building the regular expression, finding matches, computing replacements. Pure functions.
import { type Result, err, ok } from '../../lib/result.ts';

export type FindQuery = {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  readonly isWholeWord: boolean;
};

export type Match = { readonly from: number; readonly to: number };

/** Null if there is nothing to search. The error is the browser's message about the pattern. */
export function patternOf({ text, isRegex, isCaseSensitive, isWholeWord }: FindQuery): Result<RegExp | null, string> {
  if (text === '') return ok(null);
  const source = isRegex
    ? text
    : text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
  const whole = isWholeWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  const flags = `gmu${isCaseSensitive ? '' : 'i'}`;
  try {
    // Checked alone first: "a)(b" would be valid inside the brackets added below.
    if (isRegex) void new RegExp(source, flags);
    return ok(new RegExp(whole, flags));
  } catch (error) {
    return err(
      error instanceof Error ? error.message.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, '') : '',
    );
  }
}

/** Empty matches are left out: there is nothing to show or to replace. */
export function matchesIn(text: string, pattern: RegExp): readonly Match[] {
  const matches: Match[] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== '') matches.push({ from: match.index, to: match.index + match[0].length });
  }
  return matches;
}

/** The replacement for the match at `from`. For a regular expression `$1`, `$<name>`, `$&` and `$$` are filled in. */
export function replacementFor(
  text: string,
  from: number,
  pattern: RegExp,
  query: FindQuery,
  replacement: string,
): string {
  if (!query.isRegex) return replacement;
  const sticky = new RegExp(pattern.source, pattern.flags.replace('g', 'y'));
  sticky.lastIndex = from;
  const match = sticky.exec(text);
  if (match === null) return replacement;
  return replacement.replace(
    /\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g,
    (sign, dollar, whole, number: string | undefined, name) => {
      if (dollar !== undefined) return '$';
      if (whole !== undefined) return match[0];
      if (number !== undefined) return Number(number) < match.length ? (match[Number(number)] ?? '') : sign;
      return typeof name === 'string' && match.groups !== undefined ? (match.groups[name] ?? '') : sign;
    },
  );
}

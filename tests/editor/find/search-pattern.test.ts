import { expect, test } from 'vitest';
import { type FindQuery, matchesIn, patternOf, replacementFor } from '../../../src/editor/find/search-pattern.ts';

const query = (text: string, more: Partial<FindQuery> = {}): FindQuery => ({
  text,
  isRegex: false,
  isCaseSensitive: false,
  isWholeWord: false,
  ...more,
});

function found(text: string, options: FindQuery): readonly string[] {
  const pattern = patternOf(options);
  if (!pattern.ok) throw new Error(pattern.error);
  return pattern.value === null ? [] : matchesIn(text, pattern.value).map(({ from, to }) => text.slice(from, to));
}

test('plain text is found whatever signs it has, in any case unless requested otherwise', () => {
  expect(found('a.b (A.B) axb', query('a.b'))).toEqual(['a.b', 'A.B']);
  expect(found('a.b (A.B) axb', query('a.b', { isCaseSensitive: true }))).toEqual(['a.b']);
  for (const sign of '\\^$.*+?()[]{}|/-&#,:~"\'') expect(found(`x${sign}y`, query(`x${sign}y`))).toEqual([`x${sign}y`]);
  expect(found('ÉTÉ été', query('été'))).toEqual(['ÉTÉ', 'été']);
  expect(found('anything', query(''))).toEqual([]);
});

test('whole words end where letters of any script end', () => {
  const wholeWord = { isWholeWord: true };
  expect(found('tide tides betide tide.', query('tide', wholeWord))).toEqual(['tide', 'tide']);
  expect(found('größe groß', query('groß', wholeWord))).toEqual(['groß']);
  expect(found('a-b a_b ab', query('a', wholeWord))).toEqual(['a']);
});

test('a pattern finds line ends; empty matches do not count', () => {
  const regex = { isRegex: true };
  expect(found('one\ntwo', query('^\\w+$', regex))).toEqual(['one', 'two']);
  expect(found('aXbX', query('x*', regex))).toEqual(['X', 'X']);
  expect(found('😀a', query('.', regex))).toEqual(['😀', 'a']);
  expect(found('cat dog', query('cat|dog', { ...regex, isWholeWord: true }))).toEqual(['cat', 'dog']);
});

test.each(['(', '[a', 'a)(b', '*', '(?<n', '\\p{Nope}'])('%s is reported as an invalid pattern', (text) => {
  const pattern = patternOf(query(text, { isRegex: true, isWholeWord: true }));
  expect(pattern.ok ? '' : pattern.error).toMatch(/\w/);
});

test('the replacement of a pattern fills in its groups; plain text is inserted as it is', () => {
  const replaced = (text: string, from: number, find: string, by: string, isRegex = true) => {
    const options = query(find, { isRegex });
    const pattern = patternOf(options);
    return pattern.ok && pattern.value !== null ? replacementFor(text, from, pattern.value, options, by) : null;
  };
  expect(replaced('14 June', 0, '(\\d+) (\\w+)', '$2 $1')).toBe('June 14');
  expect(replaced('14 June', 0, '(?<day>\\d+)', '<$<day>|$&|$$|$9>')).toBe('<14|14|$|$9>');
  expect(replaced('x ab', 2, '(?<= )a(?=b)', '[$&]')).toBe('[a]');
  expect(replaced('a', 0, '(a)|(b)', '$1$2')).toBe('a');
  expect(replaced('cost', 0, 'cost', '$1 $&', false)).toBe('$1 $&');
});

import { expect, test } from 'vitest';
import { foldText, marksIn, wordsOf } from '../../src/lib/text/fold-text.ts';

const marked = (text: string, query: string) => marksIn(text, wordsOf(query)).map(([from, to]) => text.slice(from, to));

test('case, accents, width, ß, vowel signs and kana make no difference', () => {
  expect(foldText('ÉCOLE Straße ＡＢＣ')).toBe('ecole strasse abc');
  expect(foldText('كِتَاب')).toBe(foldText('كتاب'));
  expect(foldText('カタカナ')).toBe('かたかな');
  // Voiced kana are other letters.
  expect(foldText('が')).not.toBe(foldText('か'));
});

test('a query is split at white space and punctuation, and each word counts once', () => {
  expect(wordsOf('  Boat, boat crew! ')).toEqual(['boat', 'crew']);
  expect(wordsOf('…')).toEqual([]);
});

test('marks are offsets of the original text, also where folding changes lengths', () => {
  expect(marked('Die Straße am Fluß', 'strasse fluss')).toEqual(['Straße', 'Fluß']);
  expect(marked('Rettungsboot', 'boot')).toEqual(['boot']);
  expect(marked('e\u0301cole 😀 école', 'ecole')).toEqual(['e\u0301cole', 'école']);
});

test('marks that touch or overlap are one', () => {
  expect(marksIn('safety boat', ['safe', 'fety', 'boat'])).toEqual([
    [0, 6],
    [7, 11],
  ]);
});

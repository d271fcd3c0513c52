import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedParts, nameSearch } from '../../../src/features/palette/palette-search.ts';

const names = [
  'Cold water and first aid',
  'Wave times and marshals',
  'Water safety',
  'Minutes, 3 May',
  'Prüfung der Rettungsboote',
  'Café and bar',
  '安全計画',
  '港の地図',
  'خطة السلامة',
];
const find = (query: string) => nameSearch(names, (name) => name).find(query, 12);
const found = (query: string) => find(query).map(({ entry }) => entry);

test('names are found by characters in order, those that begin with them first', () => {
  expect(found('wat')[0]).toBe('Water safety');
  expect(found('wat')).toContain('Cold water and first aid');
  expect(found('min')).toEqual(['Minutes, 3 May']);
  expect(found('zzz')).toEqual([]);
  expect(found('   ')).toEqual([]);
});

test.each([
  ['prufung', 'Prüfung der Rettungsboote'],
  ['Prüfung', 'Prüfung der Rettungsboote'],
  ['boote', 'Prüfung der Rettungsboote'],
  ['cafe', 'Café and bar'],
  ['安全', '安全計画'],
  ['地図', '港の地図'],
  ['السلامة', 'خطة السلامة'],
])('“%s” finds “%s”', (query, name) => {
  expect(found(query)[0]).toBe(name);
});

test.each([
  ['boat', 'Harbour master', false],
  ['hm', 'Harbour master', true],
  ['harbr', 'Harbour master', true],
  ['aster', 'Harbour master', true],
  ['arbour mast', 'Harbour master', true],
  ['june minutes', 'Minutes of 14 June', true],
  ['bud26', 'Budget 2026', true],
  ['bdgt', 'Budget 2026', true],
])('“%s” and “%s”: %s', (query, name, is) => {
  expect(nameSearch([name], String).find(query, 5)).toHaveLength(is ? 1 : 0);
});

test('the matched characters are marked, and the parts make up the name', () => {
  const [first] = find('wat');
  const parts = markedParts(first?.entry ?? '', first?.characters ?? []);
  expect(parts.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['Wat']);
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(30)), (name, characters) => {
      expect(
        markedParts(name, characters)
          .map(({ text }) => text)
          .join(''),
      ).toBe(name);
    }),
  );
});

test('a mark cuts no surrogate pair', () => {
  // Both emoji have the same first half.
  expect(markedParts('😁😀', [0, 3])).toEqual([{ text: '😁😀', isMatch: false }]);
  expect(markedParts('😁😀', [2, 3])).toEqual([
    { text: '😁', isMatch: false },
    { text: '😀', isMatch: true },
  ]);
});

test('any query is answered, also hostile ones', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => {
      for (const { entry, characters } of find(query)) {
        for (const at of characters) expect(at).toBeLessThan(entry.length);
      }
    }),
  );
});

import { expect, test, vi } from 'vitest';
import { fileNameFor, uniqueNames, urlOfPath } from '../../../../src/features/import-export/zip/file-paths.ts';

test.each([
  ['Plan for 14 June', 'Plan for 14 June'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
  ['..', 'Untitled'],
  ['.hidden. ', 'hidden'],
  ['', 'Untitled'],
  ['con', 'con_'],
  ['波の計画', '波の計画'],
  ['a\u202Eb', 'a b'],
  ['x'.repeat(300), 'x'.repeat(60)],
])('the title %j becomes the name %j', (title, name) => expect(fileNameFor(title)).toBe(name));

test('names are unique within a folder, whatever their case, and keep their ending', () => {
  const nameOf = uniqueNames();
  expect(['Plan', 'plan', 'chart.png', 'Chart.png', 'PLAN'].map(nameOf)).toEqual([
    'Plan',
    'plan 2',
    'chart.png',
    'Chart 2.png',
    'PLAN 3',
  ]);
});

test('a folder with very many untitled pages takes a few steps for each', () => {
  const nameOf = uniqueNames();
  const asked = vi.spyOn(Set.prototype, 'has');
  const names = Array.from({ length: 1_000 }, () => nameOf('Untitled'));
  const steps = asked.mock.calls.length;
  asked.mockRestore();
  expect(new Set(names).size).toBe(1_000);
  expect(names.at(-1)).toBe('Untitled 1000');
  expect(steps).toBeLessThan(3_000);
});

test('a path is a relative URL, folder by folder', () => {
  expect(urlOfPath('Plan #1/files/a b.png')).toBe('Plan%20%231/files/a%20b.png');
});

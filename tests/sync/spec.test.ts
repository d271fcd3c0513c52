// Every rule of src/sync/SPEC.md has a test with its id, and no test has an id that is not a rule.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const FOLDERS = ['lib', 'protocol', 'yjs', 'sync', 'sim', 'contract', 'attack'];

const rules = [...readFileSync(join(root, 'src/sync/SPEC.md'), 'utf8').matchAll(/^- \*\*([A-Z]+\d+)\*\* /gm)].map(
  ([, id]) => id,
);

const titles = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, 'tests', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const source = readFileSync(join(root, 'tests', folder, name), 'utf8');
      return [...source.matchAll(/(?:test|describe)(?:\.concurrent)?\(\s*['"`]((?:\[[A-Z]+\d+\] ?)+)/g)].map(
        ([, ids]) => ids,
      );
    }),
);
const tested = new Set(titles.flatMap((ids) => [...(ids ?? '').matchAll(/[A-Z]+\d+/g)].map(([id]) => id)));

test('every rule has a test that names it', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((id) => !tested.has(id ?? ''))).toEqual([]);
});

test('every id in a title is a rule', () => {
  expect([...tested].filter((id) => !rules.includes(id))).toEqual([]);
});

test('no id is given twice', () => {
  expect(new Set(rules).size).toBe(rules.length);
});

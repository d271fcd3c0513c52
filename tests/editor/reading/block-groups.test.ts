import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlockGroup, BlockGroups } from '../../../src/editor/reading/block-groups.ts';

const keys = (count: number, client = 7) => Array.from({ length: count }, (_, at) => `${client}.${at * 3}`);

/** The group of each block. */
const groupsByKey = (all: readonly string[], groups: readonly BlockGroup[]) =>
  new Map(groups.flatMap(({ id, start, end }) => all.slice(start, end).map((key) => [key, id] as const)));

test('groups follow each other, and 10,000 blocks are a few hundred', () => {
  const all = keys(10_000);
  const groups = new BlockGroups().take(all);
  expect(groups.flatMap(({ start, end }) => all.slice(start, end))).toEqual(all);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
  expect(groups.length).toBeGreaterThan(150);
  expect(groups.length).toBeLessThan(800);
});

test('blocks stay in their groups when others come, go and move', () => {
  const all = keys(500);
  const page = new BlockGroups();
  const before = groupsByKey(all, page.take(all));
  const moved = all[100] ?? '';
  const now = [
    ...keys(5, 9),
    ...all.slice(0, 50),
    ...keys(5, 8),
    ...all.slice(50, 100),
    ...all.slice(101, 250),
    ...all.slice(252, 300),
    moved,
    ...all.slice(300),
  ];
  const after = groupsByKey(now, page.take(now));
  const others = all.filter((key) => key !== moved && after.has(key));
  expect(others.filter((key) => before.get(key) !== after.get(key))).toEqual([]);
});

test('a group of one block stays one', () => {
  const all = keys(65);
  const page = new BlockGroups();
  const before = groupsByKey(all, page.take(all));
  const more = [...keys(1, 9), ...all];
  const after = groupsByKey(more, page.take(more));
  expect(all.filter((key) => before.get(key) !== after.get(key))).toEqual([]);
});

test('whatever comes, goes and moves: each block is in one group, and no group is large', () => {
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(90), add: fc.nat(150), back: fc.nat() });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const page = new BlockGroups();
      let all = keys(200);
      page.take(all);
      let client = 10;
      for (const { at, remove, add, back } of edits) {
        const rest = [...all];
        const taken = rest.splice(at % (rest.length + 1), remove);
        rest.splice(back % (rest.length + 1), 0, ...keys(add, (client += 1)), ...taken.slice(0, 3));
        all = rest;
        const groups = page.take(all);
        expect(groups.flatMap(({ start, end }) => all.slice(start, end))).toEqual(all);
        expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
        expect(Math.max(0, ...groups.map(({ start, end }) => end - start))).toBeLessThanOrEqual(256);
      }
    }),
  );
  expect(new BlockGroups().take([])).toEqual([]);
});

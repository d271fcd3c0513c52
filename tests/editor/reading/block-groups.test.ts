import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/editor/reading/block-groups.ts';

const keys = (count: number, client = 7) => Array.from({ length: count }, (_, at) => `${client}.${at * 3}`);

const membersOf = (all: readonly string[]) => groupsOf(all).map(({ start, end }) => all.slice(start, end).join());

test('groups follow each other, and 10,000 blocks are a few hundred', () => {
  const all = keys(10_000);
  const groups = groupsOf(all);
  expect(groups.map(({ key, start }) => [key, start])).toEqual(groups.map(({ start }) => [all[start], start]));
  expect(groups.flatMap(({ start, end }) => all.slice(start, end))).toEqual(all);
  expect(groups.length).toBeGreaterThan(150);
  expect(groups.length).toBeLessThan(800);
});

test('blocks that come or go change only the groups beside them', () => {
  const all = keys(5_000);
  const before = membersOf(all);
  const after = new Set(membersOf([...keys(100, 9), ...all.slice(0, 2_500), ...all.slice(2_501)]));
  expect(before.filter((members) => !after.has(members)).length).toBeLessThanOrEqual(3);
});

test('no group is large, whatever the keys are', () => {
  const groups = groupsOf(Array.from({ length: 2_000 }, () => '1.1'));
  expect(Math.max(...groups.map(({ start, end }) => end - start))).toBeLessThanOrEqual(256);
  expect(groupsOf([])).toEqual([]);
});

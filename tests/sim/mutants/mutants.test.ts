import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { MUTANTS, mutated, ruleOf } from './mutants.ts';
import { hunt } from './run-mutants.ts';

/** I6 is missing here: honest tabs never write under another's client id. */
const RULES = ['I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I8', 'I9', 'I10', 'I11', 'ID1'];
const D_AND_L = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7', 'D8', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6'];

describe('deliberately broken builds', () => {
  test('each rule has one at least', () => {
    const rules = new Set(MUTANTS.map(ruleOf));
    expect([...RULES, ...D_AND_L].filter((rule) => !rules.has(rule))).toEqual([]);
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  test.each(MUTANTS)('$id changes one text that is there exactly once', (mutant) => {
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(mutated(mutant, source)).not.toBe(source);
  });

  // `npm run sim -- --mutants` runs all of them.
  test('two that are noticed soon are noticed', async () => {
    for (const id of ['I1-acknowledges-too-much', 'L1-live-updates-to-nobody']) {
      const mutant = MUTANTS.find((one) => one.id === id);
      expect(mutant === undefined ? null : await hunt(mutant, 1, 10)).not.toBeNull();
    }
  }, 60_000);
});

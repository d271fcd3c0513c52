// Every mutant still applies to the code, and the simulation notices mutants.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { MUTANTS, mutated, ruleOf } from './mutants.ts';
import { catchMutant } from './run-mutants.ts';

/** Without I6: tabs of this app never write under another client id. */
const RULES = [
  'I1 I2 I3 I4 I5 I7 I8 I9 I10 I11 ID1 D1 D2 D3 D4 D5 D6 D7 D8 L1 L2 L3 L4 L5 L6 L7 L8 LR2 LR4 SY22 LK7 LK8',
  'PR1 PR2 PR3 PR4 PR5 PR6 PR7 PR8 WC1 WC2 WC3 VT1 VT2 VT3 VT4 VT5 LG10 LG11 HI9 HI10 WA9 WA10 CA6',
  'HI1 HI2 HI3 HI4 HI5 HI6 HI7 HI8 CQ1 CQ2 CQ3 CQ4',
].flatMap((line) => line.split(' '));

describe('deliberately broken builds', () => {
  test('each rule has at least one', () => {
    const rules = new Set(MUTANTS.map(ruleOf));
    expect(RULES.filter((rule) => !rules.has(rule))).toEqual([]);
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  test.each(MUTANTS)('$id: its text occurs exactly once in its file', (mutant) => {
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(mutated(mutant, source)).not.toBe(source);
  });

  // Two that fail soon. `npm run sim -- --mutants` runs all of them.
  test('the simulation notices a mutant of the log and one of live updates', async () => {
    for (const id of ['I1-acknowledges-too-much', 'L1-live-updates-to-nobody']) {
      const mutant = MUTANTS.find((one) => one.id === id);
      expect(mutant === undefined ? null : await catchMutant(mutant, 1, 10)).not.toBeNull();
    }
  }, 60_000);
});

// Comments on a page whose document is replaced again and again: by rows that a restored server lost, by words erased for good, by
// opening it from a compacted log. Random edits of three sessions from fixed seeds; others with WEFT_ANCHORS_FROM=1000
// WEFT_ANCHORS_SEEDS=500.
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import { CommentedWorld, type WorldOptions } from './commented-world.ts';

const FROM = Number(process.env['WEFT_ANCHORS_FROM'] ?? 1);
const STEPS = 40;
/** Of the looks at threads with a quote, so many may find nothing although a character is there: in doubt, nothing is found. */
const MAX_MISSED = 0.08;
/** Nothing is ever in doubt, but one end of the words may not have arrived. */
const MAX_AWAITED = 0.002;

const different = (n: number) => String.fromCharCode(0x4e00 + n);
const same = (n: number) => 'abcde'.charAt(Math.floor(prng(n)() * 5));

const KINDS: readonly (WorldOptions & {
  readonly name: string;
  readonly seeds: number;
  readonly maxMissed: number;
})[] = [
  { name: 'typing alone', kind: 'typing', letterOf: different, seeds: 30, maxMissed: MAX_AWAITED },
  { name: 'moves, undo and versions', kind: 'moving', letterOf: different, seeds: 15, maxMissed: MAX_MISSED },
  { name: 'the same with few letters', kind: 'moving', letterOf: same, seeds: 15, maxMissed: MAX_MISSED },
];

describe('[HI4] [HI9] comments are on their own characters or gone, in a session that replaces its document', () => {
  test.each(KINDS)('$name', { timeout: 600_000 }, async ({ seeds, maxMissed, ...options }) => {
    const wrong: string[] = [];
    const worlds: CommentedWorld[] = [];
    const count = Number(process.env['WEFT_ANCHORS_SEEDS'] ?? seeds);
    for (let seed = FROM; seed < FROM + count; seed++) {
      const world = new CommentedWorld(seed, options);
      await world.run(STEPS);
      wrong.push(...world.wrong.slice(0, 3).map((line) => `seed ${seed}, ${line}`));
      worlds.push(world);
    }
    const sum = (of: keyof CommentedWorld['counts']) => worlds.reduce((all, { counts }) => all + counts[of], 0);
    expect(wrong).toEqual([]);
    // A few seeds alone say nothing about how often.
    if (count < seeds) return;
    expect(sum('missed') / sum('checks')).toBeLessThan(maxMissed);
    // Each of them happened often enough to find something.
    const events = (['rebuilds', 'erased', 'wentBack', 'compacted', 'reopened', 'writtenAgain'] as const).map(sum);
    expect(Math.min(...events)).toBeGreaterThan(0);
  });
});

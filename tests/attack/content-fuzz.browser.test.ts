// Pages with anything that a hostile editor can store: types, lengths, depths, wrong types, unknown names. In the editor and
// for watchers each opens in slices, runs nothing, and its owner can delete what is bad. `npm run attack` tries 500 pages.
// One alone: `WEFT_ATTACK=1 vitest run --project='browser*' tests/attack/content-fuzz -t 'seed 17$'`.
import { beforeAll, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Outcome, attackPage } from './support/attacked-page.ts';
import { type HostileEdit, hostilePage } from './support/hostile-page.ts';
import { IS_LONG } from './support/is-long.ts';
import { excessOf } from './support/load.ts';
import '../../src/ui/theme/tokens.css';
import '../../src/ui/theme/base.css';
import '../../src/ui/controls/controls.css';
import '../../src/ui/feedback/feedback.css';
import '../../src/ui/floating/floating.css';

const PAGES = IS_LONG ? 500 : 40;
/** A slice of the editor has up to 1,000 blocks, of three elements each. */
const MAX_ELEMENTS = 4_000;
/** Other programs of the machine can only lengthen a measurement, so the best of a few counts. */
const TRIES = 3;

beforeAll(() => page.viewport(1280, 800));

test.each(Array.from({ length: PAGES }, (_, at) => at + 1))(
  'hostile page, seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const edits = hostilePage(seed);
    const problems = await problemsOf(edits, seed);
    if (problems.length === 0) return;
    const about: string[] = [];
    for (const edit of edits) {
      const alone = edits.length === 1 ? problems : await problemsOf([edit], seed);
      about.push(
        `${alone.length === 0 ? 'fine alone' : 'fails alone'}: ${edit.about} ${edits.length > 1 ? alone.join('; ') : ''}`,
      );
    }
    expect.fail(`seed ${seed}${seed % 2 === 0 ? ' (live)' : ''}\n${about.join('\n')}\n${problems.join('\n')}`);
  },
);

async function problemsOf(edits: readonly HostileEdit[], seed: number): Promise<readonly string[]> {
  let excess: readonly string[] = [];
  for (let at = 0; at < TRIES; at++) {
    const outcome = await attackPage(edits, seed % 2 === 0);
    if (outcome.faults.length > 0) return outcome.faults;
    excess = excessIn(outcome);
    if (excess.length === 0) return [];
  }
  return excess;
}

const excessIn = ({ late, loads }: Outcome): readonly string[] => [
  ...late,
  ...Object.entries(loads).flatMap(([phase, load]) =>
    excessOf(load, MAX_ELEMENTS).map((what) => `${what} while ${phase}`),
  ),
];

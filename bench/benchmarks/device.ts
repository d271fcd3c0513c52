// The cost of having a stored edit on the disk (`durability: 'strict'`) and not only with the system (`relaxed`), in
// Chromium, with a profile on a disk. Both in turn, in short blocks, so that a busy machine slows both alike.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchProfile } from '../../tests/support/browser/browser.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { writeEdits } from '../device-writes.ts';
import { ms, ratio } from '../figures.ts';
import { percentile } from '../percentiles.ts';

/** Ten keys a second, and a paste or a program that makes many edits at once. */
const CASES = {
  typing: { blocks: 30, keys: 10, everyMs: 100 },
  burst: { blocks: 10, keys: 50, everyMs: 0 },
} as const;
const WAYS = ['relaxed', 'strict'] as const;
const FRAME_MS = 16;

export const device: Benchmark = {
  title: 'Storing an edit on the disk of the device, in Chromium',
  systems: ['weft'],
  rounds: 1,
  run: measure,
  judge,
};

async function measure({ server, isQuick }: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  const folder = await mkdtemp(join(tmpdir(), 'weft-bench-profile-'));
  const context = await launchProfile(folder);
  try {
    const page = await context.newPage();
    // A file of the app's origin that runs no script.
    await page.goto(`${server.url}/icon.svg`);
    for (const way of WAYS) await writeEdits(page, way, isQuick ? 1 : 20, 0);
    for (const [name, { blocks, keys, everyMs }] of Object.entries(CASES)) {
      for (let block = 0; block < (isQuick ? 1 : blocks); block++) {
        for (const way of block % 2 === 0 ? WAYS : WAYS.toReversed()) {
          const times = await writeEdits(page, way, isQuick ? 2 : keys, isQuick ? 0 : everyMs);
          (samples[`${name}, ${way}`] ??= []).push(...times.confirmed);
          (samples[`${name}, ${way}: the key's task`] ??= []).push(...times.inTask);
        }
      }
    }
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return { samples, values: {} };
}

function judge({ weft }: ResultBySystem): readonly Line[] {
  const line = (what: string, samples: string, p: number, goalMs: number | null): Line => {
    const [relaxed, strict] = WAYS.map((way) => percentile(weft?.samples[samples.replace('WAY', way)] ?? [], p));
    if (relaxed === undefined || strict === undefined) throw new Error('both were measured');
    const cost = strict - relaxed;
    return {
      what: `${what}, p${p}: strict against relaxed`,
      figure: `${ms(strict)} against ${ms(relaxed)}: ${ratio(strict, relaxed)}`,
      goal: goalMs === null ? '' : `≤ ${goalMs} ms more`,
      isReached: goalMs === null ? null : cost <= goalMs,
    };
  };
  return [
    line('typing, until confirmed', 'typing, WAY', 50, null),
    line('typing, until confirmed', 'typing, WAY', 95, FRAME_MS),
    line("typing, the key's own task", "typing, WAY: the key's task", 50, 1),
    line("typing, the key's own task", "typing, WAY: the key's task", 95, null),
    line('burst, until confirmed', 'burst, WAY', 50, null),
    line('burst, until confirmed', 'burst, WAY', 95, null),
  ];
}

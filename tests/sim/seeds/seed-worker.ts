// The process that `runSeeds` starts: it runs seeds on request, one after the other, and reports how each ended. An error
// thrown anywhere counts as a problem of the seed that was running.
import process from 'node:process';
import { type SimOptions } from '../world/sim-world.ts';
import { runSeed } from './run-seed.ts';
import '../../../src/yjs/install.ts';

export type SeedRequest = { readonly seed: number; readonly options: SimOptions };
export type Report = {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly trace: number;
};

let thrown: string[] = [];
const noteError = (error: unknown): void => {
  thrown.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
};
process.on('uncaughtException', noteError);
process.on('unhandledRejection', noteError);

process.on('message', (request: SeedRequest) => void answer(request));

async function answer({ seed, options }: SeedRequest): Promise<void> {
  thrown = [];
  const report = await run(seed, options);
  process.send?.({ ...report, problems: [...thrown.map((text) => `threw: ${text}`), ...report.problems] });
}

async function run(seed: number, options: SimOptions): Promise<Report> {
  try {
    const { problems, coverage, trace } = await runSeed(seed, options);
    return { seed, problems, counts: coverage.toJSON(), trace };
  } catch (error) {
    noteError(error);
    return { seed, problems: [], counts: {}, trace: 0 };
  }
}

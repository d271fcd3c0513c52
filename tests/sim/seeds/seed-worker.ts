// A process that runs seeds on request, one after the other, and reports how each ended. An error that a broken build
// throws anywhere counts as a problem of the seed that was running.
import process from 'node:process';
import { type SimOptions } from '../world/sim-world.ts';
import { runSeed } from './run-seed.ts';

export type SeedRequest = { readonly seed: number; readonly options: SimOptions };
export type Report = {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly trace: number;
};

let thrown: string[] = [];
const note = (error: unknown): void => {
  thrown.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
};
process.on('uncaughtException', note);
process.on('unhandledRejection', note);

process.on('message', (order: SeedRequest) => void obey(order));

async function obey({ seed, options }: SeedRequest): Promise<void> {
  thrown = [];
  const report = await live(seed, options);
  process.send?.({ ...report, problems: [...thrown.map((text) => `threw: ${text}`), ...report.problems] });
}

async function live(seed: number, options: SimOptions): Promise<Report> {
  try {
    const { problems, coverage, trace } = await runSeed(seed, options);
    return { seed, problems, counts: coverage.toJSON(), trace };
  } catch (error) {
    note(error);
    return { seed, problems: [], counts: {}, trace: 0 };
  }
}

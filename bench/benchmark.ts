// One benchmark: what its clients do, and how their figures compare with the goals.
import * as v from 'valibot';
import type { ServerSetup } from './servers.ts';
import type { ServerAddress } from './servers/server-address.ts';
import type { SystemName } from './systems/connect.ts';
import type { System } from './systems/system.ts';

/** The figures that the client process returns to the runner, in milliseconds unless the name says otherwise. */
export const figures = v.object({
  /** Many values of a kind, shown as percentiles. */
  samples: v.record(v.string(), v.array(v.number())),
  /** One value per round, shown as the median of the rounds. */
  values: v.record(v.string(), v.number()),
});
export type Figures = v.InferOutput<typeof figures>;

/** The environment of a benchmark's clients. */
export type Context = {
  readonly systemName: SystemName;
  readonly system: System;
  readonly server: ServerAddress;
  readonly serverPid: number | null;
  /** A smoke test: the smallest run that shows that the benchmark works. */
  readonly isQuick: boolean;
};

/** One line of the report. `isReached` is null for a figure without a goal. */
export type Line = {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly isReached: boolean | null;
};

/** All rounds of one system. */
export type BenchmarkResult = {
  readonly samples: { readonly [name: string]: readonly number[] };
  readonly values: { readonly [name: string]: readonly number[] };
};
export type ResultBySystem = { readonly [name in SystemName]?: BenchmarkResult };

export interface Benchmark {
  readonly title: string;
  /** The systems that take part, in the order of the first round. */
  readonly systems: readonly SystemName[];
  /** Rounds of a full run; a quick run has one. */
  readonly rounds: number;
  readonly setup?: ServerSetup;
  run(context: Context): Promise<Figures>;
  judge(measured: ResultBySystem): readonly Line[];
}

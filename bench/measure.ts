// What one measurement is: what its clients do in their process, and what their figures mean against the goals.
import * as v from 'valibot';
import type { Place } from './servers.ts';
import type { ServerAddress } from './servers/say-address.ts';
import type { SystemName } from './systems/connect.ts';
import type { System } from './systems/system.ts';

/** What the clients' process hands to the runner. Milliseconds where a name says nothing else. */
export const figures = v.object({
  /** Many of a kind: shown as percentiles. */
  samples: v.record(v.string(), v.array(v.number())),
  /** One per round: shown as the median of the rounds. */
  values: v.record(v.string(), v.number()),
});
export type Figures = v.InferOutput<typeof figures>;

/** Where a measurement's clients find themselves. */
export type Context = {
  readonly systemName: SystemName;
  readonly system: System;
  readonly server: ServerAddress;
  readonly serverPid: number | null;
  /** A smoke run: as little as shows that it works. */
  readonly isQuick: boolean;
};

/** One line of the report. `isReached` null: shown beside, no goal of ours. */
export type Line = {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly isReached: boolean | null;
};

/** All rounds of one system together. */
export type Measured = {
  readonly samples: { readonly [name: string]: readonly number[] };
  readonly values: { readonly [name: string]: readonly number[] };
};
export type BySystem = { readonly [name in SystemName]?: Measured };

export interface Measure {
  readonly title: string;
  /** Those that take part, in the order of the first round. */
  readonly systems: readonly SystemName[];
  /** Runs of every system in a whole run; a quick one has one. */
  readonly rounds: number;
  readonly place?: Place;
  run(context: Context): Promise<Figures>;
  judge(measured: BySystem): readonly Line[];
}

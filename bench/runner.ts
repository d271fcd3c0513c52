// Runs one measurement: every system alone with its server, clients in a process of their own, the order turned by one
// from round to round.
import process from 'node:process';
import * as v from 'valibot';
import { Child } from './child.ts';
import { type BySystem, type Figures, type Measure, figures } from './measure.ts';
import { median, summarize } from './percentiles.ts';
import { Servers } from './servers.ts';
import { SERVER_OF, type SystemName } from './systems/connect.ts';
import type { Task } from './task.ts';

export class Runner {
  readonly #isQuick: boolean;
  readonly #servers: Servers;

  constructor(isQuick: boolean) {
    this.#isQuick = isQuick;
    this.#servers = new Servers(isQuick);
  }

  async measure(name: string, measure: Measure, rounds: number): Promise<BySystem> {
    const all = new Map<SystemName, Figures[]>(measure.systems.map((system) => [system, []]));
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < measure.systems.length; i++) {
        const system = measure.systems[(i + round) % measure.systems.length];
        if (system === undefined) continue;
        process.stderr.write(`  ${name}, round ${round + 1} of ${rounds}: ${system} …\n`);
        all.get(system)?.push(await this.#measureOne(name, measure, system));
      }
    }
    return Object.fromEntries([...all].map(([system, found]) => [system, together(found)]));
  }

  stop(): Promise<void> {
    return this.#servers.stop();
  }

  #measureOne(name: string, measure: Measure, system: SystemName): Promise<Figures> {
    return this.#servers.with(SERVER_OF[system], measure.place ?? {}, async (server, serverPid) => {
      const task: Task = { measure: name, system, server, serverPid, isQuick: this.#isQuick };
      const client = new Child('client.ts', [JSON.stringify(task)]);
      try {
        return v.parse(figures, await client.answer());
      } finally {
        await client.stop();
      }
    });
  }
}

function together(rounds: readonly Figures[]) {
  const collect = <T>(pick: (one: Figures) => Record<string, T>): Record<string, T[]> =>
    Object.fromEntries(
      Object.keys(pick(rounds[0] ?? { samples: {}, values: {} })).map((key) => [
        key,
        rounds.flatMap((one) => pick(one)[key] ?? []),
      ]),
    );
  const samples = Object.entries(collect((one) => one.samples)).map(([key, lists]) => [key, lists.flat()] as const);
  return { samples: Object.fromEntries(samples), values: collect((one) => one.values) };
}

/** As it is written down. */
export const shortened = (measured: BySystem) =>
  Object.fromEntries(
    Object.entries(measured).map(([system, { samples, values }]) => [
      system,
      {
        samples: Object.fromEntries(Object.entries(samples).map(([key, list]) => [key, summarize(list)])),
        values: Object.fromEntries(Object.entries(values).map(([key, list]) => [key, median(list)])),
      },
    ]),
  );

// Runs one measurement: every system alone with its server, clients in a process of their own, the order turned by one
// from round to round.
import process from 'node:process';
import * as v from 'valibot';
import { Child } from './child.ts';
import { type BySystem, type Figures, type Measure, figures } from './measure.ts';
import { median, summarize } from './percentiles.ts';
import { type ServerAddress, serverAddress } from './servers/say-address.ts';
import { SERVER_OF, type SystemName } from './systems/connect.ts';
import type { Task } from './task.ts';

export async function measureAll(name: string, measure: Measure, rounds: number, isQuick: boolean): Promise<BySystem> {
  const all = new Map<SystemName, Figures[]>(measure.systems.map((system) => [system, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < measure.systems.length; i++) {
      const system = measure.systems[(i + round) % measure.systems.length];
      if (system === undefined) continue;
      process.stderr.write(`  ${name}, round ${round + 1} of ${rounds}: ${system} …\n`);
      all.get(system)?.push(await measureOne(name, measure, system, isQuick));
    }
  }
  return Object.fromEntries([...all].map(([system, found]) => [system, together(found)]));
}

async function measureOne(name: string, measure: Measure, system: SystemName, isQuick: boolean): Promise<Figures> {
  const { delayMs = 0, onDisk = false } = measure.server ?? {};
  const server = new Child(`servers/${SERVER_OF[system]}.ts`, onDisk ? ['--disk'] : []);
  const near = v.parse(serverAddress, await server.answer());
  const proxy = delayMs > 0 ? slowWayTo(near, delayMs) : null;
  const address = proxy === null ? near : v.parse(serverAddress, await proxy.answer());
  const task: Task = { measure: name, system, server: address, serverPid: server.pid, isQuick };
  const client = new Child('client.ts', [JSON.stringify(task)]);
  try {
    return v.parse(figures, await client.answer());
  } finally {
    await client.stop();
    await proxy?.stop();
    await server.stop();
  }
}

const slowWayTo = ({ url, anonKey }: ServerAddress, ms: number): Child =>
  new Child('delay-proxy.ts', ['--to', url, '--ms', String(ms), '--key', anonKey]);

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

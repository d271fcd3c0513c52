// Runs measures: every system alone with its server, clients in their own process, in an order that rotates from round to
// round.
import process from 'node:process';
import * as v from 'valibot';
import { Child } from './child.ts';
import type { BySystem, Figures, Measure } from './measure.ts';
import { median, summarize } from './percentiles.ts';
import { type Running, startServer, startSlowWay } from './servers.ts';
import { SERVER_OF, SYSTEMS, type ServerName, type SystemName } from './systems/connect.ts';
import { type Job, type Task, done } from './task.ts';

export async function runAlone(name: string, measure: Measure, rounds: number): Promise<BySystem> {
  const all = new Map<SystemName, Figures[]>(measure.systems.map((system) => [system, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < measure.systems.length; i++) {
      const system = measure.systems[(i + round) % measure.systems.length];
      if (system === undefined) continue;
      process.stderr.write(`  ${name}, round ${round + 1} of ${rounds}: ${system} …\n`);
      const server = await startServer(SERVER_OF[system], measure.place ?? {});
      const figures = await measured(system, false, [[name, measure, server]]);
      await server.child.stop();
      all.get(system)?.push(...Object.values(figures));
    }
  }
  return Object.fromEntries([...all].map(([system, found]) => [system, together(found)]));
}

/** The smoke run: everything once and in parallel, one server of a kind. Shows that it works, measures nothing. */
export async function runQuickly(measures: readonly (readonly [string, Measure])[]): Promise<Record<string, BySystem>> {
  const names = [...new Set<ServerName>(Object.values(SERVER_OF))];
  const servers = new Map(await Promise.all(names.map(async (name) => [name, await startServer(name, {})] as const)));
  const found = await Promise.all(
    SYSTEMS.map(async (system) => {
      const own = measures.filter(([, measure]) => measure.systems.includes(system));
      const server = servers.get(SERVER_OF[system]);
      const jobs = server === undefined ? [] : own.map(([name, measure]) => [name, measure, server] as const);
      return [system, await measured(system, true, jobs)] as const;
    }),
  );
  await Promise.all([...servers.values()].map(({ child }) => child.stop()));
  return Object.fromEntries(
    measures.map(([name, { systems }]) => [
      name,
      Object.fromEntries(
        found.flatMap(([system, figures]) => {
          const one = figures[name];
          return systems.includes(system) && one !== undefined ? [[system, together([one])]] : [];
        }),
      ),
    ]),
  );
}

async function measured(
  system: SystemName,
  isQuick: boolean,
  measures: readonly (readonly [string, Measure, Running])[],
): Promise<Record<string, Figures>> {
  const ways: Running[] = [];
  const jobs: Job[] = [];
  for (const [measure, { place = {} }, server] of measures) {
    const way = await startSlowWay(server, place);
    if (way !== null) ways.push(way);
    jobs.push({ measure, server: (way ?? server).address, serverPid: server.child.pid });
  }
  const task: Task = { system, isQuick, jobs };
  const client = new Child('client.ts', [JSON.stringify(task)]);
  const figures = v.parse(done, await client.answer());
  await Promise.all([client, ...ways.map(({ child }) => child)].map((child) => child.stop()));
  return figures;
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

/** The form that is written to the results file. */
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

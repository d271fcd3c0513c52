// Runs benchmarks: every system alone with its server, clients in their own process, in an order that rotates from round to
// round.
import process from 'node:process';
import * as v from 'valibot';
import { buildWhenNeeded } from '../scripts/setup/build-when-needed.mjs';
import type { Benchmark, Figures, ResultBySystem } from './benchmark.ts';
import { Child } from './child.ts';
import { median, summarize } from './percentiles.ts';
import { type RunningServer, startServer, startDelayProxy } from './servers.ts';
import { SERVER_OF, SYSTEMS, type ServerName, type SystemName } from './systems/connect.ts';
import { type Job, type Task, taskResult } from './task.ts';

export async function runAlone(name: string, benchmark: Benchmark, rounds: number): Promise<ResultBySystem> {
  const all = new Map<SystemName, Figures[]>(benchmark.systems.map((system) => [system, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < benchmark.systems.length; i++) {
      const system = benchmark.systems[(i + round) % benchmark.systems.length];
      if (system === undefined) continue;
      process.stderr.write(`  ${name}, round ${round + 1} of ${rounds}: ${system} …\n`);
      const server = await startServer(SERVER_OF[system], benchmark.setup ?? {});
      const figures = await runClients(system, false, [[name, benchmark, server]]);
      await server.child.stop();
      all.get(system)?.push(...Object.values(figures));
    }
  }
  return Object.fromEntries([...all].map(([system, found]) => [system, mergeRounds(found)]));
}

/** The smoke run: everything once and in parallel, one server of a kind. Shows that everything works; the figures mean nothing. */
export async function runSmokeTest(
  benchmarks: readonly (readonly [string, Benchmark])[],
): Promise<Record<string, ResultBySystem>> {
  // Once: two processes that find the build out of date would both make it.
  await buildWhenNeeded();
  const names = [...new Set<ServerName>(Object.values(SERVER_OF))];
  const servers = new Map(await Promise.all(names.map(async (name) => [name, await startServer(name, {})] as const)));
  const found = await Promise.all(
    SYSTEMS.map(async (system) => {
      const own = benchmarks.filter(([, benchmark]) => benchmark.systems.includes(system));
      const server = servers.get(SERVER_OF[system]);
      const jobs = server === undefined ? [] : own.map(([name, benchmark]) => [name, benchmark, server] as const);
      // Two processes of clients: Weft takes part in every benchmark, and they spend most of the time waiting. One for the pages
      // without sync, because a process builds its page once.
      const count = system === 'no-sync' ? 1 : 2;
      const halves = [0, 1]
        .map((half) => jobs.filter((_, at) => at % count === half))
        .filter(({ length }) => length > 0);
      const figures = await Promise.all(halves.map((half) => runClients(system, true, half)));
      return [system, Object.fromEntries(figures.flatMap((half) => Object.entries(half)))] as const;
    }),
  );
  await Promise.all([...servers.values()].map(({ child }) => child.stop()));
  return Object.fromEntries(
    benchmarks.map(([name, { systems }]) => [
      name,
      Object.fromEntries(
        found.flatMap(([system, figures]) => {
          const one = figures[name];
          return systems.includes(system) && one !== undefined ? [[system, mergeRounds([one])]] : [];
        }),
      ),
    ]),
  );
}

async function runClients(
  system: SystemName,
  isQuick: boolean,
  benchmarks: readonly (readonly [string, Benchmark, RunningServer])[],
): Promise<Record<string, Figures>> {
  const proxies: RunningServer[] = [];
  const jobs: Job[] = [];
  for (const [benchmark, { setup = {} }, server] of benchmarks) {
    const proxy = await startDelayProxy(server, setup);
    if (proxy !== null) proxies.push(proxy);
    jobs.push({ benchmark, server: (proxy ?? server).address, serverPid: server.child.pid });
  }
  const task: Task = { system, isQuick, jobs };
  const client = new Child('client.ts', [JSON.stringify(task)]);
  const figures = v.parse(taskResult, await client.answer());
  await Promise.all([client, ...proxies.map(({ child }) => child)].map((child) => child.stop()));
  return figures;
}

function mergeRounds(rounds: readonly Figures[]) {
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
export const summarized = (measured: ResultBySystem) =>
  Object.fromEntries(
    Object.entries(measured).map(([system, { samples, values }]) => [
      system,
      {
        samples: Object.fromEntries(Object.entries(samples).map(([key, list]) => [key, summarize(list)])),
        values: Object.fromEntries(Object.entries(values).map(([key, list]) => [key, median(list)])),
      },
    ]),
  );

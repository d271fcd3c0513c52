// The embedded backend by itself: appends, broadcasts, memory, start. Broadcasts are compared with a server of bare sockets.
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { newPage, rpc } from '../../tests/support/server/rpc.ts';
import { measureAppends } from '../backend/appends.ts';
import { Audience, type Listen, listenOnSocket, listenOnTopic } from '../backend/fan-out.ts';
import { measureStarts } from '../backend/start-time.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ms, ratio } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';
import { memoryMegabytes } from '../process-memory.ts';
import type { SystemName } from '../systems/connect.ts';
import { Weft } from '../systems/weft.ts';

const WRITERS = [1, 16] as const;
const AUDIENCES = [10, 100, 500] as const;
const FULL = {
  writers: WRITERS,
  audiences: AUDIENCES,
  messages: 100,
  appending: { warmUpMs: 1_500, ms: 8_000 },
  warmStarts: 3,
} as const;
const QUICK = {
  writers: [2],
  audiences: [3],
  messages: 3,
  appending: { warmUpMs: 50, ms: 300 },
  warmStarts: 1,
} as const;

const APPENDS_GOAL = 300;
const BROADCAST_GOAL_MS = 50;
const START_GOAL_MS = 1_000;
/** The figure of a process whose memory cannot be read. */
const UNKNOWN = -1;

export const backend: Benchmark = {
  title: 'The embedded backend: appends, broadcasts, memory, start',
  systems: ['weft', 'sockets'],
  rounds: 2,
  // The same as with `npm start`.
  setup: { onDisk: true },
  run,
  judge,
};

const epochs = v.object({ epoch: v.string() });

async function run({ system, systemName, server, serverPid, isQuick }: Context): Promise<Figures> {
  const plan = isQuick ? QUICK : FULL;
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  // Wait until the memory that only the start needs has been freed.
  await delay(isQuick ? 0 : 3_000);
  values['memory: at rest'] = memoryMegabytes(serverPid) ?? UNKNOWN;

  if (systemName === 'weft' || systemName === 'sockets') {
    const audience = new Audience(system instanceof Weft ? await topicOf(system, server) : listenOnSocket(server.url));
    for (const size of plan.audiences) {
      await audience.grow(size);
      // The first messages also compile the code, so they do not count.
      await audience.send(3);
      const { latencies, missing } = await audience.send(plan.messages);
      samples[`broadcast: ${size}`] = latencies;
      values[`broadcast: ${size}: missing`] = missing;
      values[`memory: ${size} sockets`] = memoryMegabytes(serverPid) ?? UNKNOWN;
    }
    audience.close();
  }
  if (system instanceof Weft) {
    for (const writers of plan.writers) {
      const { times, perSecond, refused } = await measureAppends(system, server, writers, plan.appending);
      samples[`appends: ${writers}`] = times;
      values[`appends: ${writers}: per second`] = perSecond;
      values[`appends: ${writers}: refused`] = refused;
    }
  }
  if (systemName === 'weft') {
    const { coldMs, warmMs } = await measureStarts(plan.warmStarts);
    values['start: cold'] = coldMs;
    samples['start: warm'] = [...warmMs];
  }
  return { samples, values };
}

/** The live topic of a page, for someone who may write there. */
async function topicOf(weft: Weft, { url, anonKey }: Context['server']): Promise<Listen> {
  const client = await weft.owner();
  const id = await newPage(client);
  const { epoch } = v.parse(epochs, await rpc(client, 'open_document', { document: id, since: 0 }));
  const { data } = await client.auth.getSession();
  return listenOnTopic(url, anonKey, data.session?.access_token ?? '', `d:${id}:${epoch}`);
}

function judge(measured: ResultBySystem): readonly Line[] {
  const value = (system: SystemName, name: string) => median(measured[system]?.values[name] ?? []);
  const samples = (system: SystemName, name: string) => measured[system]?.samples[name] ?? [];
  const names = Object.keys(measured.weft?.samples ?? {});
  const sizes = (kind: string) =>
    names.flatMap((name) => (name.startsWith(`${kind}: `) ? [Number(name.slice(kind.length + 2))] : []));

  const appends = sizes('appends').map((writers) => {
    const name = `appends: ${writers}`;
    const perSecond = value('weft', `${name}: per second`);
    const times = samples('weft', name);
    const hasGoal = writers === Math.max(...WRITERS);
    return {
      what: `${writers} ${writers === 1 ? 'writer' : 'writers'}: appends per second`,
      figure:
        `${perSecond.toFixed(0)} (p50 ${ms(percentile(times, 50))}, p95 ${ms(percentile(times, 95))}; ` +
        `${value('weft', `${name}: refused`)} refused)`,
      goal: hasGoal ? `≥ ${APPENDS_GOAL}` : '',
      isReached: hasGoal ? perSecond >= APPENDS_GOAL : null,
    };
  });
  const broadcasts = sizes('broadcast').map((size) => {
    const name = `broadcast: ${size}`;
    const [own, bare] = [samples('weft', name), samples('sockets', name)];
    const missing = Math.max(...(measured.weft?.values[`${name}: missing`] ?? []));
    const p95 = percentile(own, 95);
    const hasGoal = size === Math.max(...AUDIENCES);
    return {
      what: `10 messages a second to ${size}: p95`,
      figure:
        `${ms(p95)} (p50 ${ms(percentile(own, 50))}; ${missing} of ${own.length + missing} missing); ` +
        `${ratio(p95, percentile(bare, 95))} × sockets alone (${ms(percentile(bare, 95))})`,
      goal: hasGoal ? `≤ ${BROADCAST_GOAL_MS} ms, none missing` : '',
      isReached: hasGoal ? p95 <= BROADCAST_GOAL_MS && missing === 0 : null,
    };
  });
  const memory = Object.keys(measured.weft?.values ?? {})
    .filter((name) => name.startsWith('memory: '))
    .map((name) => ({
      what: name,
      figure: megabytes(value('weft', name)),
      goal: '',
      isReached: null,
    }));
  const warm = median(samples('weft', 'start: warm'));
  return [
    ...appends,
    ...broadcasts,
    ...memory,
    { what: 'start on an empty directory', figure: ms(value('weft', 'start: cold')), goal: '', isReached: null },
    {
      what: 'start on a used directory',
      figure: ms(warm),
      goal: `≤ ${START_GOAL_MS} ms`,
      isReached: warm <= START_GOAL_MS,
    },
  ];
}

const megabytes = (value: number): string => (value === UNKNOWN ? 'unknown here' : `${value.toFixed(0)} MB`);

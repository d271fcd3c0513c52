// Goal 6: many people watch one share link while one person writes. Measures losses, delays and the server's CPU time.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import * as Y from 'yjs';
import { browserClock, browserRandom } from '../../src/platform/browser/clock.ts';
import { MemoryEnvironment } from '../../tests/memory/memory-environment.ts';
import { supabaseLink } from '../../src/platform/supabase/realtime/link.ts';
import { supabaseWatchLog } from '../../src/platform/supabase/log.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import type { LinkSecret } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import type { WatchSession } from '../../src/sync/session/session-api.ts';
import { openWatch } from '../../src/sync/session/watch-session.ts';
import { rpc } from '../../tests/support/server/rpc.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms } from '../figures.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { median, percentile } from '../percentiles.ts';
import { Weft } from '../systems/weft.ts';
import { pressKey, textOf, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

const WATCHERS = 500;
const QUICK_WATCHERS = 10;
const KEYS = 150;
const QUICK_KEYS = 5;
const KEY_EVERY_MS = 200;
/** This many join at once: not everybody opens a link in the same millisecond. */
const JOINS_AT_ONCE = 20;

export const watch: Benchmark = {
  title: `${WATCHERS} people on one share link (goal 6)`,
  systems: ['weft'],
  rounds: 2,
  run,
  judge,
};

async function run({ system, serverPid, isQuick }: Context): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft has share links');
  const keys = isQuick ? QUICK_KEYS : KEYS;
  const admitted = await system.addMember('page', new ClientNetwork());
  const link = v.parse(
    createdLink,
    await rpc(await system.owner(), 'create_share_link', { document: admitted.id, role: 'viewer', expires_at: null }),
  );
  const writer = await system.open('page', new ClientNetwork());
  const joinStart = performance.now();
  const watchers = await openWatchers(system, link.secret, isQuick ? QUICK_WATCHERS : WATCHERS);
  const arrivalMs = performance.now() - joinStart;
  await delay(isQuick ? 0 : 3_000);

  const pressed: number[] = [];
  const latencies: number[] = [];
  const { clientID } = writer.doc;
  const first = Y.getState(writer.doc.store, clientID);
  for (const { doc } of watchers) {
    let seen = 0;
    doc.on('afterTransaction', () => {
      const now = performance.now();
      for (const known = Y.getState(doc.store, clientID) - first; seen < known; seen++) {
        latencies.push(now - (pressed[seen] ?? now));
      }
    });
  }
  const [cpuBefore, before] = [cpuSeconds(serverPid), performance.now()];
  await typeEvery(KEY_EVERY_MS, keys, () => {
    pressed.push(performance.now());
    pressKey(writer);
  });
  const expected = keys * watchers.length;
  await until(() => latencies.length === expected, 20_000).catch(() => undefined);
  const seconds = (performance.now() - before) / 1_000;
  const cpu = cpuSeconds(serverPid);
  const text = textOf(writer.doc).toString();
  const equal = watchers.filter(({ doc }) => textOf(doc).toString() === text).length;
  for (const watcher of watchers) watcher.close();
  await writer.close();
  return {
    samples: { latency: latencies },
    values: {
      watchers: watchers.length,
      equal,
      missing: expected - latencies.length,
      arrivalMs,
      serverCpuPercent: cpu === null || cpuBefore === null ? -1 : (100 * (cpu - cpuBefore)) / seconds,
    },
  };
}

async function openWatchers(weft: Weft, secret: LinkSecret, count: number): Promise<readonly WatchSession[]> {
  const watchers: WatchSession[] = [];
  while (watchers.length < count) {
    const some = Array.from({ length: Math.min(JOINS_AT_ONCE, count - watchers.length) }, () =>
      openWatcher(weft, secret),
    );
    await until(() => some.every((one) => one.getView().phase === 'live'), 60_000);
    watchers.push(...some);
  }
  return watchers;
}

function openWatcher(weft: Weft, secret: LinkSecret): WatchSession {
  const client = weft.client(new ClientNetwork());
  return openWatch(secret, {
    schemaVersion: SCHEMA_VERSION,
    ports: {
      clock: browserClock,
      random: browserRandom,
      link: supabaseLink(client),
      watchLog: supabaseWatchLog(client),
      environment: new MemoryEnvironment(),
    },
  });
}

/** CPU time of the server's process, user and system together; null where the kernel has no /proc. */
function cpuSeconds(pid: number | null): number | null {
  const TICKS_PER_SECOND = 100;
  try {
    // The command's name is in brackets and may contain spaces; utime and stime are the 12th and 13th fields after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

function judge(measured: ResultBySystem): readonly Line[] {
  const of = (name: string) => median(measured.weft?.values[name] ?? []);
  const latencies = measured.weft?.samples['latency'] ?? [];
  const missing = Math.max(...(measured.weft?.values['missing'] ?? []));
  const cpu = of('serverCpuPercent');
  return [
    {
      what: `${of('watchers')} watchers: keys that did not arrive`,
      figure: `${missing} of ${latencies.length + missing}; ${of('equal')} show the writer’s text at the end`,
      goal: '0',
      isReached: missing === 0 && of('equal') === of('watchers'),
    },
    {
      what: 'from a key to a watcher',
      figure: `p50 ${ms(percentile(latencies, 50))}, p95 ${ms(percentile(latencies, 95))}`,
      goal: '',
      isReached: null,
    },
    { what: 'all joined within', figure: ms(of('arrivalMs')), goal: '', isReached: null },
    {
      what: 'CPU time of the server',
      figure: cpu < 0 ? 'unknown here' : `${cpu.toFixed(0)} % of one CPU`,
      goal: '',
      isReached: null,
    },
  ];
}

// Goal 6: many people watch one share link while two people write. Measures losses, delays from the durable row on, what the
// watchers cost the writers, how fast a revoked link ends for all, and the server's CPU time.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import * as Y from 'yjs';
import { createdLink } from '../../src/protocol/answers.ts';
import { rpc } from '../../tests/support/server/rpc.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms } from '../figures.ts';
import { type LinkWatcher, openWatchers } from '../link-watchers.ts';
import { median, percentile } from '../percentiles.ts';
import { type OpenedWeftPage, Weft } from '../systems/weft.ts';
import { Arrivals, textOf, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

const WATCHERS = 500;
const QUICK_WATCHERS = 10;
const TYPING_MS = 120_000;
const QUICK_TYPING_MS = 1_500;
/** Without watchers, before and after: other work of the machine changes the writers' latency too. */
const ALONE_MS = 30_000;
const QUICK_ALONE_MS = 700;
const KEY_EVERY_MS = 200;
/** Watchers add at most this to the writers' median: from a key to the other writer, and to the row. */
const MAX_SLOWER = 1.1;
const MAX_REVOCATION_MS = 2_000;

export const watch: Benchmark = {
  title: `${WATCHERS} people on one share link while two people type for two minutes (goal 6)`,
  systems: ['weft'],
  rounds: 1,
  run,
  judge,
};

async function run({ system, serverPid, isQuick }: Context): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft has share links');
  const admitted = await system.addMember('page', new ClientNetwork());
  const owner = await system.owner();
  const link = v.parse(
    createdLink,
    await rpc(owner, 'create_share_link', { document: admitted.id, role: 'viewer', expires_at: null }),
  );
  const writers = [await system.open('page', new ClientNetwork()), await system.open('page', new ClientNetwork())];
  const aloneMs = isQuick ? QUICK_ALONE_MS : ALONE_MS;
  await type(writers, isQuick ? 200 : 5_000);
  const before = await type(writers, aloneMs);

  const joinStart = performance.now();
  const watchers = await openWatchers(system, link.secret, isQuick ? QUICK_WATCHERS : WATCHERS);
  const arrivalMs = performance.now() - joinStart;
  await delay(isQuick ? 0 : 3_000);
  for (const { delays } of watchers) delays.length = 0;
  const [cpuBefore, start] = [cpuSeconds(serverPid), performance.now()];
  const during = await type(writers, isQuick ? QUICK_TYPING_MS : TYPING_MS);
  const text = textOf(writers[0]?.doc ?? new Y.Doc()).toString();
  const isThere = ({ session }: LinkWatcher) => textOf(session.doc).toString() === text;
  await until(() => watchers.every(isThere), 20_000).catch(() => undefined);
  const [cpu, seconds] = [cpuSeconds(serverPid), (performance.now() - start) / 1_000];
  const equal = watchers.filter(isThere).length;
  const gaps = watchers.reduce((sum, one) => sum + one.gaps, 0);

  const endings = watchers.map(({ session }) => ended(session));
  const revokedAt = performance.now();
  await rpc(owner, 'revoke_share_link', { link: link.link.id });
  const revocations = (await Promise.all(endings)).map((at) => at - revokedAt);
  for (const { session } of watchers) session.close();
  const after = await type(writers, aloneMs);
  for (const writer of writers) await writer.close();
  return {
    samples: {
      durable: watchers.flatMap(({ delays }) => delays),
      revocation: revocations,
      'alone: key': [...before.toOther, ...after.toOther],
      'alone: row': [...before.toRow, ...after.toRow],
      'watched: key': during.toOther,
      'watched: row': during.toRow,
    },
    values: {
      watchers: watchers.length,
      equal,
      gaps,
      missingKeys: before.missing + during.missing + after.missing,
      arrivalMs,
      serverCpuPercent: cpu === null || cpuBefore === null ? -1 : (100 * (cpu - cpuBefore)) / seconds,
    },
  };
}

/** Two people type at once. How long each key takes to the other person, and the edits of a pause to their receipt. */
async function type(writers: readonly OpenedWeftPage[], ms: number) {
  const arrivals = new Arrivals(writers);
  const toRow: number[] = [];
  const stops = writers.map((writer) => {
    let unsentSince: number | null = null;
    return writer.session.subscribe(() => {
      const isUnsent = writer.receipts !== null && writer.receipts.unsent() > 0;
      if (isUnsent) unsentSince ??= performance.now();
      else if (unsentSince !== null) {
        toRow.push(performance.now() - unsentSince);
        unsentSince = null;
      }
    });
  });
  await Promise.all(
    writers.map(async (writer, nth) => {
      await delay((nth * KEY_EVERY_MS) / writers.length);
      await typeEvery(KEY_EVERY_MS, Math.max(2, Math.round(ms / KEY_EVERY_MS)), () => arrivals.press(writer));
    }),
  );
  await until(() => arrivals.missing === 0 && writers.every(({ receipts }) => receipts?.unsent() === 0)).catch(
    () => undefined,
  );
  arrivals.stop();
  for (const stop of stops) stop();
  return { toOther: arrivals.latencies, toRow, missing: arrivals.missing };
}

const ended = ({ getView, subscribe }: WatchSession): Promise<number> =>
  new Promise((resolve) => {
    const stop = subscribe(() => {
      if (getView().phase !== 'ended') return;
      stop();
      resolve(performance.now());
    });
  });

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
  const samples = (name: string) => measured.weft?.samples[name] ?? [];
  const figure = (name: string) => `p50 ${ms(percentile(samples(name), 50))}, p95 ${ms(percentile(samples(name), 95))}`;
  const cpu = of('serverCpuPercent');
  const slower = (name: string) => median(samples(`watched: ${name}`)) / median(samples(`alone: ${name}`));
  const isSame = (name: string) => slower(name) <= MAX_SLOWER;
  const longest = percentile(samples('revocation'), 100);
  return [
    {
      what: `${of('watchers')} watchers: rows left out, and keys that did not arrive at the other writer`,
      figure: `${of('gaps')} and ${of('missingKeys')}; ${of('equal')} show the writers’ text at the end`,
      goal: '0 and 0',
      isReached: of('gaps') === 0 && of('missingKeys') === 0 && of('equal') === of('watchers'),
    },
    { what: 'from the row in the database to a watcher', figure: figure('durable'), goal: '', isReached: null },
    ...(['key', 'row'] as const).map((name) => ({
      what: name === 'key' ? 'from a key to the other writer' : 'from the first unsent key to the receipt',
      figure: `${figure(`watched: ${name}`)}; without watchers ${figure(`alone: ${name}`)} (median × ${slower(name).toFixed(2)})`,
      goal: `≤ × ${MAX_SLOWER}`,
      isReached: isSame(name),
    })),
    {
      what: 'revoking the link ends all watchers within',
      figure: ms(longest),
      goal: ms(MAX_REVOCATION_MS),
      isReached: longest <= MAX_REVOCATION_MS,
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

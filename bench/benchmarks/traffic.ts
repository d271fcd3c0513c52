// Goal 2: messages and bytes per key, counted at each client's network in both directions. Later effects of a key
// (acknowledgements, heads) count; connecting and warming up do not.
import { setTimeout as delay } from 'node:timers/promises';
import { TEXT_INTERVAL_MS } from 'weft-sync/live/live-update-sender.ts';
import { decodeBinary } from '../../backend/realtime/wire/frame-decoder.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork, type Transferred, trafficBetween } from '../client-network.ts';
import { perKey } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';
import type { OpenedDocument } from '../systems/system.ts';
import { pressKey, typeEvery } from '../typing.ts';

type Case = { readonly people: number; readonly everyMs: number; readonly keys: number };
const CASES: { readonly [name: string]: Case } = {
  'alone, 300 ms': { people: 1, everyMs: 300, keys: 40 },
  '2 people, 300 ms': { people: 2, everyMs: 300, keys: 40 },
  '2 people, 25 ms': { people: 2, everyMs: 25, keys: 200 },
};
const [ALONE = '', SINGLE = '', FAST = ''] = Object.keys(CASES);
const QUICK_KEYS = 3;
const QUICK_EVERY_MS = 60;

export const traffic: Benchmark = {
  title: 'Messages and bytes per key (goal 2)',
  systems: ['weft', 'weft-rows', 'y-websocket', 'hocuspocus', 'y-supabase'],
  rounds: 1,
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  for (const [name, { people: count, ...one }] of Object.entries(CASES)) {
    const [keys, everyMs] = isQuick ? [QUICK_KEYS, QUICK_EVERY_MS] : [one.keys, one.everyMs];
    const networks = Array.from({ length: count }, () => new ClientNetwork());
    const people: OpenedDocument[] = [];
    for (const network of networks) people.push(await system.open(name, network));
    const [typist, ownNetwork] = [people[0], networks[0]];
    if (typist === undefined || ownNetwork === undefined) continue;
    await typeEvery(50, 5, () => pressKey(typist));
    // Wait for the heads, titles and last acknowledgements of the warm-up.
    await delay(isQuick ? 500 : 3_000);
    const live = new LiveMessages(networks);
    const before = networks.map((network) => network.traffic());
    const start = performance.now();
    await typeEvery(everyMs, keys, () => pressKey(typist));
    values[`${name}: ms`] = performance.now() - start;
    await delay(isQuick ? 300 : 1_500);
    live.stop();
    const { socket, http } = trafficBetween(
      before,
      networks.map((network) => network.traffic()),
    );
    const record = (what: string, { messages, bytes }: Transferred) => {
      values[`${name}: ${what}`] = messages / keys;
      values[`${name}: ${what} bytes`] = bytes / keys;
    };
    record('socket up', socket.up);
    record('socket down', socket.down);
    record('http up', http.up);
    record('http down', http.down);
    values[`${name}: live`] = live.up + live.down;
    values[`${name}: live updates`] = live.liveUpdates.length;
    samples[`${name}: payload`] = live.liveUpdates.map(({ payload }) => payload);
    samples[`${name}: header`] = live.liveUpdates.map(({ header }) => header);
    for (const person of people) await person.close();
  }
  return { samples, values };
}

/** Messages as Supabase counts them: sent to a topic or received from one, without heartbeats and presence. */
class LiveMessages {
  up = 0;
  down = 0;
  readonly liveUpdates: { readonly payload: number; readonly header: number }[] = [];
  readonly #stops: (() => void)[];

  constructor(networks: readonly ClientNetwork[]) {
    this.#stops = networks.map((network) =>
      network.onMessage((direction, message, isBinary) => {
        if (!isBinary) return;
        this[direction]++;
        const push = direction === 'up' ? decodeBinary(message) : null;
        if (push?.kind !== 'broadcast') return;
        this.liveUpdates.push({ payload: push.content.length, header: message.length - push.content.length });
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

function judge(measured: ResultBySystem): readonly Line[] {
  const own = (name: string) => median(measured.weft?.values[name] ?? []);
  const of = (name: string) => measured.weft?.samples[name] ?? [];
  const allowed = Math.ceil(own(`${FAST}: ms`) / TEXT_INTERVAL_MS) + 1;
  const payload = percentile(of(`${SINGLE}: payload`), 100);
  const lines: Line[] = [
    {
      what: 'alone: live messages',
      figure: String(own(`${ALONE}: live`)),
      goal: '0',
      isReached: own(`${ALONE}: live`) === 0,
    },
    {
      what: `${FAST}: live updates`,
      figure: `${own(`${FAST}: live updates`)} in ${own(`${FAST}: ms`).toFixed(0)} ms`,
      goal: `1 per ${TEXT_INTERVAL_MS} ms, ${allowed}`,
      isReached: own(`${FAST}: live updates`) <= allowed,
    },
    {
      what: 'payload of a live update with one key and its caret',
      figure: `${payload} B, and ${percentile(of(`${SINGLE}: header`), 50)} B header of the push`,
      goal: '≤ 64 B',
      isReached: payload <= 64,
    },
  ];
  for (const name of Object.keys(CASES)) {
    for (const system of traffic.systems) {
      const at = (what: string) => median(measured[system]?.values[`${name}: ${what}`] ?? []);
      const shown = ['socket up', 'socket down', 'http up', 'http down'].map(
        (what) => `${what} ${perKey(at(what))} (${at(`${what} bytes`).toFixed(0)} B)`,
      );
      lines.push({ what: `${name}: ${system}, per key`, figure: shown.join(', '), goal: '', isReached: null });
    }
  }
  return lines;
}

// Goal 2: messages and bytes per key, counted at each client's network, in both directions. Connecting and warming up do
// not count; what a key causes later (acknowledgements, heads) does.
import { setTimeout as delay } from 'node:timers/promises';
import { decodeBinary } from '../../backend/realtime/wire/frame-decoder.ts';
import { ClientNetwork, type Passed, trafficBetween } from '../client-network.ts';
import { perKey } from '../figures.ts';
import type { BySystem, Context, Figures, Line, Measure } from '../measure.ts';
import { median, percentile } from '../percentiles.ts';
import type { Opened } from '../systems/system.ts';
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
const FRAME_WINDOW_MS = 50;

export const traffic: Measure = {
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
    const people: Opened[] = [];
    for (const network of networks) people.push(await system.open(name, network));
    const [typist, ownNetwork] = [people[0], networks[0]];
    if (typist === undefined || ownNetwork === undefined) continue;
    await typeEvery(50, 5, () => pressKey(typist));
    // By then the heads, titles and last acknowledgements of the warm-up have passed.
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
    const note = (what: string, { messages, bytes }: Passed) => {
      values[`${name}: ${what}`] = messages / keys;
      values[`${name}: ${what} bytes`] = bytes / keys;
    };
    note('socket up', socket.up);
    note('socket down', socket.down);
    note('http up', http.up);
    note('http down', http.down);
    values[`${name}: live`] = live.up + live.down;
    values[`${name}: frames`] = live.frames.length;
    samples[`${name}: payload`] = live.frames.map((frame) => frame.payload);
    samples[`${name}: header`] = live.frames.map((frame) => frame.header);
    for (const person of people) await person.close();
  }
  return { samples, values };
}

/** Messages as Supabase counts them: sent to a topic or received from one, without heartbeats and presence. */
class LiveMessages {
  up = 0;
  down = 0;
  readonly frames: { readonly payload: number; readonly header: number }[] = [];
  readonly #stops: (() => void)[];

  constructor(networks: readonly ClientNetwork[]) {
    this.#stops = networks.map((network) =>
      network.watch((direction, message, isBinary) => {
        if (!isBinary) return;
        this[direction]++;
        const push = direction === 'up' ? decodeBinary(message) : null;
        if (push?.kind !== 'broadcast') return;
        this.frames.push({ payload: push.content.length, header: message.length - push.content.length });
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

function judge(measured: BySystem): readonly Line[] {
  const own = (name: string) => median(measured.weft?.values[name] ?? []);
  const of = (name: string) => measured.weft?.samples[name] ?? [];
  const allowed = Math.ceil(own(`${FAST}: ms`) / FRAME_WINDOW_MS) + 1;
  const payload = percentile(of(`${SINGLE}: payload`), 100);
  const lines: Line[] = [
    {
      what: 'alone: live messages',
      figure: String(own(`${ALONE}: live`)),
      goal: '0',
      isReached: own(`${ALONE}: live`) === 0,
    },
    {
      what: `${FAST}: frames`,
      figure: `${own(`${FAST}: frames`)} in ${own(`${FAST}: ms`).toFixed(0)} ms`,
      goal: `1 per ${FRAME_WINDOW_MS} ms, ${allowed}`,
      isReached: own(`${FAST}: frames`) <= allowed,
    },
    {
      what: 'payload of a frame with one key and its caret',
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

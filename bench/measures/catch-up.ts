// Goal 5: two people edit offline, then the network comes back: the time until both have everything.
import { setTimeout as delay } from 'node:timers/promises';
import * as Y from 'yjs';
import { ClientNetwork, trafficBetween } from '../client-network.ts';
import { bytes, ms } from '../figures.ts';
import type { BySystem, Context, Figures, Line, Measure } from '../measure.ts';
import { median } from '../percentiles.ts';
import type { Opened } from '../systems/system.ts';
import { pressKey, textOf } from '../typing.ts';
import { until } from '../until.ts';

const EDITS = [1, 100, 10_000] as const;
const QUICK_EDITS = [1, 50] as const;

export const catchUp: Measure = {
  title: 'Back together after edits on both sides (goal 5)',
  systems: ['weft', 'y-websocket', 'hocuspocus', 'y-supabase'],
  rounds: 3,
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  const values: Record<string, number> = {};
  for (const edits of isQuick ? QUICK_EDITS : EDITS) {
    const networks = [new ClientNetwork(), new ClientNetwork()] as const;
    const [a, b] = [await system.open(`${edits}`, networks[0]), await system.open(`${edits}`, networks[1])];
    // Both have exchanged edits before.
    for (const person of [a, b]) pressKey(person);
    await until(() => isEqual(a, b, 1));
    await delay(isQuick ? 300 : 2_000);
    for (const person of [a, b]) person.goOffline();
    await delay(100);
    for (let i = 0; i < edits; i++) for (const person of [a, b]) pressKey(person, false);
    await delay(200);
    const before = networks.map((network) => network.traffic());
    const start = performance.now();
    const together = new Promise<void>((resolve) => {
      const look = () => isEqual(a, b, 1 + edits) && resolve();
      for (const { doc } of [a, b]) doc.on('afterTransaction', look);
    });
    for (const person of [a, b]) person.goOnline();
    const within = await Promise.race([together.then(() => true), delay(60_000, false, { ref: false })]);
    values[`${edits}`] = within ? performance.now() - start : Number.MAX_SAFE_INTEGER;
    const { socket, http } = trafficBetween(
      before,
      networks.map((network) => network.traffic()),
    );
    values[`${edits}: bytes`] = [socket.up, socket.down, http.up, http.down].reduce((sum, one) => sum + one.bytes, 0);
    if (within && textOf(a.doc).toString() !== textOf(b.doc).toString()) throw new Error('the two differ');
    for (const person of [a, b]) await person.close();
  }
  return { samples: {}, values };
}

/** There are only insertions, so comparing clocks is enough. */
const isEqual = (a: Opened, b: Opened, edits: number): boolean =>
  [a, b].every(({ doc }) => [a, b].every((author) => Y.getState(doc.store, author.doc.clientID) >= edits));

function judge(measured: BySystem): readonly Line[] {
  return catchUp.systems.map((system) => {
    const of = (name: string) => median(measured[system]?.values[name] ?? []);
    const shown = Object.keys(measured[system]?.values ?? {})
      .filter((name) => !name.endsWith(': bytes'))
      .map((edits) => {
        const time = of(edits) === Number.MAX_SAFE_INTEGER ? 'NEVER' : ms(of(edits));
        return `${edits} edits ${time} (${bytes(of(`${edits}: bytes`))})`;
      });
    return { what: system, figure: shown.join(', '), goal: '', isReached: null };
  });
}

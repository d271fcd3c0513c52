// Goal 5: two people edit offline, then reconnect. Measures the time until both have all edits.
import { setTimeout as delay } from 'node:timers/promises';
import * as Y from 'yjs';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork, trafficBetween } from '../client-network.ts';
import { bytes, ms } from '../figures.ts';
import { median } from '../percentiles.ts';
import type { OpenedDocument } from '../systems/system.ts';
import { pressKey, textOf } from '../typing.ts';
import { until } from '../until.ts';

const EDITS = [1, 100, 10_000] as const;
const QUICK_EDITS = [1, 50] as const;
/** The figure of a run in which the two documents did not become equal. JSON has no infinity. */
const NEVER = Number.MAX_SAFE_INTEGER;

export const catchUp: Benchmark = {
  title: 'Catching up after offline edits of both people (goal 5)',
  systems: ['weft', 'y-websocket', 'hocuspocus', 'y-supabase'],
  rounds: 3,
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  const values: Record<string, number> = {};
  for (const edits of isQuick ? QUICK_EDITS : EDITS) {
    const networks = [new ClientNetwork(), new ClientNetwork()] as const;
    const [alice, bob] = [await system.open(`${edits}`, networks[0]), await system.open(`${edits}`, networks[1])];
    // Start from a state in which both have exchanged edits.
    for (const person of [alice, bob]) pressKey(person);
    await until(() => isEqual(alice, bob, 1));
    await delay(isQuick ? 300 : 2_000);
    for (const person of [alice, bob]) person.goOffline();
    await delay(100);
    for (let i = 0; i < edits; i++) for (const person of [alice, bob]) pressKey(person, false);
    await delay(200);
    const before = networks.map((network) => network.traffic());
    const start = performance.now();
    const caughtUp = new Promise<void>((resolve) => {
      const check = () => isEqual(alice, bob, 1 + edits) && resolve();
      for (const { doc } of [alice, bob]) doc.on('afterTransaction', check);
    });
    for (const person of [alice, bob]) person.goOnline();
    const isCaughtUp = await Promise.race([caughtUp.then(() => true), delay(60_000, false, { ref: false })]);
    values[`${edits}`] = isCaughtUp ? performance.now() - start : NEVER;
    const { socket, http } = trafficBetween(
      before,
      networks.map((network) => network.traffic()),
    );
    values[`${edits}: bytes`] = [socket.up, socket.down, http.up, http.down].reduce((sum, one) => sum + one.bytes, 0);
    if (isCaughtUp && textOf(alice.doc).toString() !== textOf(bob.doc).toString()) throw new Error('the two differ');
    for (const person of [alice, bob]) await person.close();
  }
  return { samples: {}, values };
}

/** There are only insertions, so comparing clocks is enough. */
const isEqual = (a: OpenedDocument, b: OpenedDocument, edits: number): boolean =>
  [a, b].every(({ doc }) => [a, b].every((author) => Y.getState(doc.store, author.doc.clientID) >= edits));

function judge(measured: ResultBySystem): readonly Line[] {
  return catchUp.systems.map((system) => {
    const of = (name: string) => median(measured[system]?.values[name] ?? []);
    const shown = Object.keys(measured[system]?.values ?? {})
      .filter((name) => !name.endsWith(': bytes'))
      .map((edits) => {
        const time = of(edits) === NEVER ? 'NEVER' : ms(of(edits));
        return `${edits} edits ${time} (${bytes(of(`${edits}: bytes`))})`;
      });
    return { what: system, figure: shown.join(', '), goal: '', isReached: null };
  });
}

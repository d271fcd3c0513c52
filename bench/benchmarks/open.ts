// Goal 4: the time to open a page with a long history, from a snapshot and from a snapshot followed by rows, compared with
// the time that Yjs alone needs for the same state in the same process.
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { rpc } from '../../tests/support/server/rpc.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms } from '../figures.ts';
import { SYNTHETIC_OPERATIONS, syntheticHistory } from '../histories.ts';
import { median } from '../percentiles.ts';
import { StoredPage } from '../stored-page.ts';
import type { System } from '../systems/system.ts';
import { type Member, Weft } from '../systems/weft.ts';
import { textOf } from '../typing.ts';

const TIMES = 9;
const QUICK_OPERATIONS = 2_000;
const OPERATIONS_PER_ROW = 500;
const TAIL_ROWS = 500;

export const open: Benchmark = {
  title: `Opening a page of ${SYNTHETIC_OPERATIONS} operations (goal 4)`,
  systems: ['weft', 'y-websocket', 'hocuspocus'],
  rounds: 2,
  run,
  judge,
};

type History = ReturnType<typeof syntheticHistory>;

async function run({ system, isQuick }: Context): Promise<Figures> {
  const history = syntheticHistory(isQuick ? QUICK_OPERATIONS : SYNTHETIC_OPERATIONS);
  const times = isQuick ? 2 : TIMES;
  return system instanceof Weft ? openWeft(system, history, times) : openPeer(system, history, times);
}

async function openWeft(weft: Weft, history: History, times: number): Promise<Figures> {
  const state = Y.encodeStateAsUpdateV2(history.doc);
  const [whole, tailed] = [
    await weft.addMember('page', new ClientNetwork()),
    await weft.addMember('page with a tail', new ClientNetwork()),
  ];
  const snapshotBytes = (await storeHistory(whole, history)).bytes;
  const { page } = await storeHistory(tailed, history);
  const longer = newDoc();
  Y.applyUpdateV2(longer, state);
  longer.clientID = history.doc.clientID;
  const tail: Uint8Array[] = [];
  longer.on('update', (update: Uint8Array) => void tail.push(update));
  for (let i = 0; i < TAIL_ROWS; i++) textOf(longer).insert(0, 'x');
  await page.append(tail, 1);

  const samples: Record<'yjs' | 'request' | 'ready' | 'more', number[]> = { yjs: [], request: [], ready: [], more: [] };
  let requests = 0;
  // Alternate, so that other load on the machine affects all alike.
  for (let i = 0; i <= times; i++) {
    samples.yjs.push(timeOf(() => Y.applyUpdateV2(newDoc(), state)));
    samples.request.push(await timeOfCall(whole));
    const opened = await openOnce(weft, 'page', textOf(history.doc).toString());
    samples.ready.push(opened.ms);
    const openedTail = await openOnce(weft, 'page with a tail', textOf(longer).toString());
    samples.more.push(openedTail.ms - opened.ms);
    requests = Math.max(requests, opened.requests, openedTail.requests);
  }
  return { samples: withoutFirst(samples), values: { requests, snapshotBytes } };
}

async function storeHistory(author: Member, { doc, updates }: History): Promise<{ page: StoredPage; bytes: number }> {
  const page = await StoredPage.begin(author, doc.clientID);
  await page.append(updates, OPERATIONS_PER_ROW);
  return { page, bytes: await page.saveSnapshot(doc) };
}

/** The time until the editor can bind, for a signed-in person on a device that has never opened the page. */
async function openOnce(weft: Weft, name: string, shown: string): Promise<{ ms: number; requests: number }> {
  const network = new ClientNetwork();
  const admitted = await weft.addMember(name, network, 0);
  const before = network.traffic().http.up.messages;
  const start = performance.now();
  const opened = weft.enter(admitted);
  const { session } = opened;
  await new Promise<void>((resolve) => {
    session.subscribe(() => session.getView().phase === 'ready' && resolve());
  });
  const ms = performance.now() - start;
  const requests = network.traffic().http.up.messages - before;
  if (textOf(session.doc).toString() !== shown) throw new Error('the page does not say what was stored');
  await opened.close();
  return { ms, requests };
}

async function timeOfCall({ client, id }: Member): Promise<number> {
  const start = performance.now();
  await rpc(client, 'open_document', { document: id, since: 0 });
  return performance.now() - start;
}

async function openPeer(system: System, { doc }: History, times: number): Promise<Figures> {
  const author = await system.open('page', new ClientNetwork());
  const state = Y.encodeStateAsUpdateV2(doc);
  Y.applyUpdateV2(author.doc, state);
  const samples: Record<'yjs' | 'ready', number[]> = { yjs: [], ready: [] };
  for (let i = 0; i <= times; i++) {
    samples.yjs.push(timeOf(() => Y.applyUpdateV2(newDoc(), state)));
    const start = performance.now();
    const opened = await system.open('page', new ClientNetwork());
    samples.ready.push(performance.now() - start);
    if (textOf(opened.doc).length !== textOf(doc).length) throw new Error('the page does not say what was stored');
    await opened.close();
  }
  await author.close();
  return { samples: withoutFirst(samples), values: {} };
}

function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Drops the first time of each list, which includes compiling. */
const withoutFirst = (samples: Record<string, readonly number[]>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, all.slice(1)]));

function judge(measured: ResultBySystem): readonly Line[] {
  const of = (name: string) => median(measured.weft?.samples[name] ?? []);
  const requests = Math.max(...(measured.weft?.values['requests'] ?? []));
  const more = of('more');
  const lines: Line[] = [
    { what: 'requests', figure: String(requests), goal: '≤ 1', isReached: requests <= 1 },
    {
      what: 'from a snapshot',
      figure: `${ms(of('ready'))}: ${ms(of('request'))} for the call, ${ms(of('ready') - of('request'))} for the rest; Y.applyUpdateV2 alone ${ms(of('yjs'))}`,
      goal: `≤ 1.5 × Y.applyUpdateV2, ${ms(1.5 * of('yjs'))}`,
      isReached: of('ready') <= 1.5 * of('yjs'),
    },
    { what: `a tail of ${TAIL_ROWS} rows`, figure: `${ms(more)} more`, goal: '≤ 100 ms more', isReached: more <= 100 },
  ];
  for (const system of open.systems) {
    const ready = median(measured[system]?.samples['ready'] ?? []);
    const what = `${system}: until the page is loaded`;
    lines.push({ what, figure: `${ms(ready)} (median)`, goal: '', isReached: null });
  }
  return lines;
}

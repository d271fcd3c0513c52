// The memory of a tab and of the server while five people type in a page, four of them as sessions in this process.
import type { Browser, CDPSession } from 'playwright-core';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { NO_SERVICE_WORKER } from '../../tests/support/browser/browser.ts';
import { Person } from '../../tests/support/browser/person.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { typeInBlock } from '../editor/remote-people.ts';
import { Screen } from '../editor/screen.ts';
import { inBrowser } from '../in-browser.ts';
import { median } from '../percentiles.ts';
import { memoryMegabytes } from '../process-memory.ts';
import { type OpenedWeftPage, Weft } from '../systems/weft.ts';
import { until } from '../until.ts';

const OTHERS = 4;
/** 8 keys a second each. */
const KEY_EVERY_MS = 125;
const MINUTE_MS = 60_000;
const QUICK_MINUTE_MS = 500;
/** Code is compiled and caches are full by then. */
const WARM_UP_MINUTES = 3;
const MINUTES = 15;
const MB = 1_000_000;
const MAX_TAB_MB_AN_HOUR = 5;
const MAX_SERVER_MB = 250;
/** The figure of a process whose memory cannot be read. */
const UNKNOWN = -1;

export const memory: Benchmark = {
  title: 'The memory of a tab and of the server while five people type',
  systems: ['weft'],
  rounds: 1,
  setup: { onDisk: true },
  run: inBrowser(measure),
  judge,
};

async function measure({ system, server, serverPid, isQuick }: Context, browser: Browser): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft has an app');
  const minuteMs = isQuick ? QUICK_MINUTE_MS : MINUTE_MS;
  await buildWhenNeeded();
  const person = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  const screen = await Screen.on(person.page);
  await person.signUp(server.url, 'Ada');
  await person.createWorkspace('North Quay');
  await person.newPage();
  await person.putCaretAtEnd();
  for (let block = 0; block < OTHERS; block++) await person.page.keyboard.press('Enter');
  await person.waitForReceipt('saved');
  const devtools = await person.page.context().newCDPSession(person.page);
  const openAgain = async () => {
    await person.page.reload();
    await person.waitUntilEditable();
    // By then, what only the opening needed is freed.
    await person.page.waitForTimeout(minuteMs);
    return (await heapOf(devtools)).script;
  };
  const before = await openAgain();

  const id = parseDocumentId(person.documentId);
  if (id === null) throw new Error('malformed id');
  system.addPage('page', id, person.account.client);
  const others: OpenedWeftPage[] = [];
  while (others.length < OTHERS) others.push(await system.open('page', new ClientNetwork()));
  const stop = new AbortController();
  const typing = others.map((other, nth) => typeInBlock(other, nth, KEY_EVERY_MS, stop.signal));
  await screen.putCaret(OTHERS);
  const keysAMinute = Math.ceil(minuteMs / KEY_EVERY_MS);
  const heaps: Heap[] = [];
  for (let minute = 1 - WARM_UP_MINUTES; minute <= MINUTES; minute++) {
    await screen.type(keysAMinute, KEY_EVERY_MS);
    if (minute >= 0) heaps.push(await heapOf(devtools));
  }
  stop.abort();
  await Promise.all(typing);
  await until(() => others.every(({ receipts }) => receipts?.unsent() === 0));
  const serverMegabytes = memoryMegabytes(serverPid) ?? UNKNOWN;
  for (const other of others) await other.close();
  const after = await openAgain();
  const [scripts, browsers] = [heaps.map(({ script }) => script), heaps.map((heap) => heap.browser)];
  return {
    samples: { 'tab: MB': scripts, 'tab: MB of the browser': browsers },
    values: {
      'tab: MB an hour': 60 * slope(scripts),
      'tab: MB an hour of the browser': 60 * slope(browsers),
      'tab: MB an hour of the text': (60 * (after - before)) / (WARM_UP_MINUTES + MINUTES),
      'server: MB': serverMegabytes,
    },
  };
}

/** In MB: JavaScript with the bytes of its arrays, and the browser's own objects for the DOM and its layout. */
type Heap = { readonly script: number; readonly browser: number };

async function heapOf(devtools: CDPSession): Promise<Heap> {
  // Twice: what finalizers release in the first round is collected in the second.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
  return { script: (usedSize + backingStorageSize) / MB, browser: embedderHeapUsedSize / MB };
}

/**
 * By the number of the sample: the median of the slopes between any two, because a sample may come while a snapshot is being made.
 */
const slope = (samples: readonly number[]): number =>
  median(samples.flatMap((one, at) => samples.slice(at + 1).map((later, by) => (later - one) / (by + 1))));

function judge(measured: ResultBySystem): readonly Line[] {
  const of = (what: string) => median(measured.weft?.values[what] ?? []);
  const [all, text] = [of('tab: MB an hour'), of('tab: MB an hour of the text')];
  return [
    {
      what: 'five people type: the tab grows in an hour; of that, what the text takes when it is opened again',
      figure: `${all.toFixed(1)} MB; ${text.toFixed(1)} MB`,
      goal: `≤ ${MAX_TAB_MB_AN_HOUR} MB`,
      isReached: all <= MAX_TAB_MB_AN_HOUR,
    },
    {
      what: 'the browser’s own objects of the tab, in an hour: the DOM, its layout, and the list of requests for the test',
      figure: `${of('tab: MB an hour of the browser').toFixed(1)} MB`,
      goal: '',
      isReached: null,
    },
    {
      what: 'the server with its database after that',
      figure: `${of('server: MB').toFixed(0)} MB`,
      goal: `≤ ${MAX_SERVER_MB} MB`,
      isReached: of('server: MB') < 0 ? null : of('server: MB') <= MAX_SERVER_MB,
    },
  ];
}

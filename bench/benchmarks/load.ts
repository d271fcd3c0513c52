// What a first visit loads, in a Chromium with an empty cache: requests and bytes until people see what they came for, and the
// time on a fast and on a slow network with the processor of a phone.
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import * as v from 'valibot';
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { NO_SERVICE_WORKER } from '../../tests/support/browser/browser.ts';
import { Person } from '../../tests/support/browser/person.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { bytes, ms } from '../figures.ts';
import { inBrowser } from '../in-browser.ts';
import { median } from '../percentiles.ts';

const FULL_ROUNDS = 7;
const WORDS = 'The shuttle carries a thread through the open shed and comes back. ';
const PARAGRAPHS = 12;
/** Lighthouse's phone is four times slower than the computer that it runs on. */
const SLOWER = 4;

const NETWORKS = {
  '100 ms, 10 Mbit/s': { latency: 100, mbit: 10 },
  '300 ms, 1.6 Mbit/s': { latency: 300, mbit: 1.6 },
} as const;
type Network = keyof typeof NETWORKS;
const NETWORK_NAMES: readonly Network[] = ['100 ms, 10 Mbit/s', '300 ms, 1.6 Mbit/s'];

type Visit = {
  readonly name: string;
  readonly address: string;
  /** A selector of what the visit is for. */
  readonly shown: string;
  readonly isSignedIn: boolean;
};

export const load: Benchmark = {
  title: 'First visits with an empty cache, with the processor of a phone',
  systems: ['weft'],
  rounds: 1,
  run: inBrowser(measure),
  judge,
};

const GOALS: { readonly [visit: string]: { readonly files: number; readonly ms: readonly (number | null)[] } } = {
  'a link to watch': { files: 11, ms: [1_000, 2_500] },
  'a page': { files: 25, ms: [null, null] },
  home: { files: 15, ms: [null, null] },
  'sign in': { files: 15, ms: [null, null] },
};

async function measure({ server, isQuick }: Context, browser: Browser): Promise<Figures> {
  await buildWhenNeeded();
  const context = await browser.newContext(NO_SERVICE_WORKER);
  const person = await Person.at(context);
  await person.signUp(server.url, 'Ada');
  await person.createWorkspace('Library');
  await person.newPage();
  await person.body.click();
  for (let at = 0; at < PARAGRAPHS; at++) {
    await person.insert(WORDS);
    await person.page.keyboard.press('Enter');
  }
  await person.waitForReceipt('saved');
  const page = person.page.url();
  const link = await person.createLink('watch');
  const visits: readonly Visit[] = [
    { name: 'a link to watch', address: link, shown: '.page-body .block-text', isSignedIn: false },
    {
      name: 'a page',
      address: page,
      shown: '[aria-label="Page body"][contenteditable="true"] .block',
      isSignedIn: true,
    },
    { name: 'home', address: page.replace(/\/p\/.*$/, ''), shown: 'main h1', isSignedIn: true },
    { name: 'sign in', address: `${server.url}/sign-in`, shown: 'input[type="email"]', isSignedIn: false },
  ];
  const signedIn = await context.storageState();
  await context.close();
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  for (const visit of visits) {
    for (const network of NETWORK_NAMES) {
      for (let round = 0; round < (isQuick ? 1 : FULL_ROUNDS); round++) {
        const fresh = await browser.newContext({
          ...NO_SERVICE_WORKER,
          ...(visit.isSignedIn ? { storageState: signedIn } : {}),
        });
        const visited = await visitOnce(fresh, visit, network);
        await fresh.close();
        (samples[`${visit.name}, ${network}`] ??= []).push(visited.ms);
        values[`${visit.name}: files`] = visited.files;
        values[`${visit.name}: calls`] = visited.calls;
        values[`${visit.name}: bytes`] = visited.bytes;
      }
    }
  }
  return { samples, values };
}

async function visitOnce(context: BrowserContext, { address, shown }: Visit, network: Network) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const requests = await listRequests(devtools);
  const { latency, mbit } = NETWORKS[network];
  const perSecond = (mbit * 1_000_000) / 8;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: perSecond,
    uploadThroughput: perSecond,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(noteWhenShown, shown);
  await page.goto(address, { waitUntil: 'commit' });
  const times = await page.waitForFunction(() => Reflect.get(window, 'shown'));
  const { inDocument, onScreen } = v.parse(shownTimes, await times.jsonValue());
  const before = requests.filter(({ at }) => at < inDocument);
  return {
    ms: onScreen - (before[0]?.at ?? Number.NaN),
    files: before.filter(({ isCall }) => !isCall).length,
    calls: before.filter(({ isCall }) => isCall).length,
    bytes: before.reduce((sum, one) => sum + one.bytes, 0),
  };
}

/** Milliseconds since 1970. */
const shownTimes = v.object({ inDocument: v.number(), onScreen: v.number() });

/** Runs in the page. */
function noteWhenShown(selector: string): void {
  const now = () => performance.timeOrigin + performance.now();
  const changes = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return;
    changes.disconnect();
    const inDocument = now();
    requestAnimationFrame(() => setTimeout(() => Reflect.set(window, 'shown', { inDocument, onScreen: now() })));
  });
  changes.observe(document, { subtree: true, childList: true, attributes: true });
}

/** `at` in milliseconds since 1970, `bytes` on the wire, 0 as long as they are not all there. */
type Request = { readonly at: number; readonly isCall: boolean; bytes: number };

async function listRequests(devtools: CDPSession): Promise<readonly Request[]> {
  const byId = new Map<string, Request>();
  const requests: Request[] = [];
  devtools.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    if (!/^https?:/.test(request.url)) return;
    const one = { at: wallTime * 1_000, isCall: request.url.includes('/rest/v1/'), bytes: 0 };
    byId.set(requestId, one);
    requests.push(one);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = byId.get(requestId);
    if (one !== undefined) one.bytes = encodedDataLength;
  });
  await devtools.send('Network.enable');
  return requests;
}

function judge(measured: ResultBySystem): readonly Line[] {
  const { samples = {}, values = {} } = measured.weft ?? {};
  return Object.entries(GOALS).flatMap(([name, goals]): Line[] => {
    const of = (what: string) => median(values[`${name}: ${what}`] ?? []);
    return [
      {
        what: `${name}: files`,
        figure: `${of('files')}, and ${of('calls')} calls; ${bytes(of('bytes'))}`,
        goal: `≤ ${goals.files}`,
        isReached: of('files') <= goals.files,
      },
      ...NETWORK_NAMES.map((network, nth): Line => {
        const times = samples[`${name}, ${network}`] ?? [];
        const goal = goals.ms[nth] ?? null;
        return {
          what: `${name}, ${network}`,
          figure: `p50 ${ms(median(times))}, longest ${ms(Math.max(...times))}`,
          goal: goal === null ? '' : `≤ ${goal} ms`,
          isReached: goal === null ? null : median(times) <= goal,
        };
      }),
    ];
  });
}

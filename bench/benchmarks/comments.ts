// Typing on a page with 200 threads in a real Chromium, against the same page without threads, in turn.
import { join } from 'node:path';
import * as Y from 'yjs';
import { launchBrowser } from '../../tests/support/browser/browser.ts';
import { Person } from '../../tests/support/browser/person.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { buildPage } from '../editor/build-page.ts';
import { longPage } from '../editor/long-page.ts';
import { Screen } from '../editor/screen.ts';
import { type PageThread, threadsOnPage } from '../editor/threads-on-page.ts';
import { ms, ratio } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';

const CHARACTERS = 100_000;
const THREADS = 200;
const KEYS = 200;
const EVERY_MS = 100;
/** The warm-up compiles code and fills caches. */
const WARM_UP_KEYS = 40;
const TURNS = 3;

const KEY_GOAL = 1.05;
const OPEN_GOAL_MS = 50;

const CASES = ['with', 'without'] as const;

export const comments: Benchmark = {
  title: 'Typing on a page with 200 threads, in Chromium',
  systems: ['no-sync'],
  rounds: 2,
  run: measure,
  judge,
};

async function measure({ isQuick }: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  const contents = longPage(isQuick ? 8_000 : CHARACTERS);
  const threads = threadsOnPage(contents, isQuick ? 10 : THREADS);
  const update = Buffer.from(Y.encodeStateAsUpdate(contents.doc));
  const folder = await buildPage();
  const browser = await launchBrowser();
  try {
    const opened = new Map(CASES.map((name) => [name, [] as number[]]));
    const perKey = new Map(CASES.map((name) => [name, [] as number[]]));
    // The first turn fills the caches.
    for (let turn = 0; turn <= (isQuick ? 1 : TURNS); turn++) {
      for (const name of turn % 2 === 0 ? CASES : CASES.toReversed()) {
        const { page } = await Person.at(await browser.newContext());
        const screen = await Screen.on(page);
        const origin = 'http://localhost';
        const answers: Readonly<Record<string, readonly PageThread[]>> = { with: threads, without: [] };
        await page.route(`${origin}/**`, async (route) => {
          const { pathname } = new URL(route.request().url());
          if (pathname === '/contents') await route.fulfill({ body: update });
          else if (pathname === '/threads') await route.fulfill({ json: answers[name] });
          else await route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
        });
        const openedMs = await screen.open(`${origin}/?threads`, contents.blocks);
        if (name === 'with') {
          await page.waitForFunction(
            (count) =>
              new Set(Array.from(document.querySelectorAll('[data-thread]'), (one) => one.getAttribute('data-thread')))
                .size === count,
            threads.length,
          );
        }
        await screen.putCaret(contents.middle);
        await screen.type(isQuick ? 1 : WARM_UP_KEYS, EVERY_MS);
        if (turn > 0) {
          opened.get(name)?.push(openedMs);
          const keys = isQuick ? 3 : KEYS;
          let times: readonly number[] = [];
          const cpuMs = await screen.mainThread(async () => {
            times = await screen.type(keys, EVERY_MS);
          });
          (samples[`${name}: keys`] ??= []).push(...times);
          perKey.get(name)?.push(cpuMs / keys);
        }
        await page.context().close();
      }
    }
    for (const name of CASES) {
      values[`${name}: opened`] = median(opened.get(name) ?? []);
      values[`${name}: main thread per key`] = median(perKey.get(name) ?? []);
    }
  } finally {
    await browser.close();
  }
  return { samples, values };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const result = measured['no-sync'];
  const value = (name: string) => median(result?.values[name] ?? []);
  const key = (name: string, percent: number) => percentile(result?.samples[`${name}: keys`] ?? [], percent);
  const line = (what: string, withThreads: number, without: number): Line => ({
    what,
    figure: `${ratio(withThreads, without)} × (${ms(withThreads)} and ${ms(without)})`,
    goal: `≤ ${KEY_GOAL} ×`,
    isReached: withThreads <= KEY_GOAL * without,
  });
  const [opened, bare] = [value('with: opened'), value('without: opened')];
  return [
    line('a key to its frame with and without threads, p98', key('with', 98), key('without', 98)),
    { ...line('the same, p50', key('with', 50), key('without', 50)), goal: '', isReached: null },
    line('main thread per key', value('with: main thread per key'), value('without: main thread per key')),
    {
      what: 'opening: until the text is there',
      figure: `${ms(opened)}, without threads ${ms(bare)}`,
      goal: `≤ ${OPEN_GOAL_MS} ms more`,
      isReached: opened - bare <= OPEN_GOAL_MS,
    },
  ];
}

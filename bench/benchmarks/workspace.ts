// A workspace of 10,000 pages in a real Chromium: the first frame with the tree from the network and from the device's cache,
// keys in the palette, the search, and the time until another member's change is on the screen.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Browser, Page } from 'playwright-core';
import * as v from 'valibot';
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { searchAnswer } from '../../src/protocol/search-answers.ts';
import { Person } from '../../tests/support/browser/person.ts';
import { PASSWORD } from '../../tests/support/server/account.ts';
import { rpc } from '../../tests/support/server/rpc.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { Screen } from '../editor/screen.ts';
import { ms } from '../figures.ts';
import { inBrowser } from '../in-browser.ts';
import { median, percentile } from '../percentiles.ts';
import { corpus } from '../search/corpus.ts';
import { Weft } from '../systems/weft.ts';

const FULL = { pages: 10_000, openings: 10, queries: 12, searches: 60, changes: 60 } as const;
const QUICK = { pages: 40, openings: 1, queries: 1, searches: 2, changes: 2 } as const;
const WORDS = 500;
const PAGES_AT_TOP = 100;
const WRITERS = 8;
const KEYS_PER_QUERY = 6;
const KEY_EVERY_MS = 120;
/** Lists are fetched at most every 400 ms, so a change within that time after another one waits for it. */
const CHANGE_EVERY_MS = 900;
const SEARCHES = ['boat', 'harbourlight', 'the', 'weav', 'paint clean', 'treasloum'];

const PALETTE_GOAL_MS = 8;

type Library = { readonly workspace: string; readonly pages: readonly string[] };

export const workspace: Benchmark = {
  title: `A workspace of ${FULL.pages} pages of ${WORDS} words in Chromium`,
  systems: ['weft'],
  rounds: 1,
  run: inBrowser(measure),
  judge,
};

async function measure({ system, server, isQuick }: Context, browser: Browser): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft is measured');
  const plan = isQuick ? QUICK : FULL;
  await buildWhenNeeded();
  const person = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));
  const screen = await Screen.on(person.page);
  const email = await person.signUp(server.url, 'Ada');
  await person.createWorkspace('Library');
  await person.page.getByRole('link', { name: 'Home' }).click();
  const address = person.page.url().replace(/\/p\/.*$/, '');
  // The same account in this process is another device: what it does comes to the browser by the change stream.
  const client = system.client(new ClientNetwork());
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error !== null) throw new Error(`sign-in failed: ${error.message}`);
  await person.page.goto('about:blank');
  const library = await fill(client, plan.pages);

  const fromNetwork: number[] = [];
  const fromCache: number[] = [];
  for (let opening = 0; opening < plan.openings; opening++) {
    await forgetLists(person.page, server.url);
    fromNetwork.push(await openTree(person.page, address, library));
    // The list is stored after it is shown.
    await delay(1_500);
    await person.page.goto('about:blank');
    fromCache.push(await openTree(person.page, address, library));
    await person.page.goto('about:blank');
  }
  await openTree(person.page, address, library);
  await delay(3_000);
  const { keys, longestTasks, mainThread } = await palette(screen, plan.queries);
  return {
    samples: {
      'first paint from the network': fromNetwork,
      'first paint from the cache': fromCache,
      'palette: key to frame': keys,
      'palette: longest task of a query': longestTasks,
      'palette: main thread per key': mainThread,
      search: await searchTimes(client, library, plan.searches),
      'stream to screen': await changeTimes(person.page, client, library, plan.changes),
    },
    values: { pages: library.pages.length },
  };
}

/** Fills the workspace: 100 pages at the top, the others below them. */
async function fill(client: SupabaseClient, count: number): Promise<Library> {
  const { data } = await client.from('workspaces').select('id');
  const [first] = v.parse(v.array(v.object({ id: v.string() })), data);
  if (first === undefined) throw new Error('no workspace');
  const workspaceId = first.id;
  const pages = Array.from({ length: count }, () => randomUUID());
  const texts = corpus('english', count, WORDS);
  const create = async (at: number) => {
    const next = texts.next();
    if (next.done === true) return;
    const parent = at < PAGES_AT_TOP ? null : (pages[at % PAGES_AT_TOP] ?? null);
    const [id, rank] = [pages[at], `a${String(at).padStart(6, '0')}`];
    await rpc(client, 'create_document', { id, workspace: workspaceId, parent, rank, schema_version: SCHEMA_VERSION });
    await rpc(client, 'save_text', { document: id, seq: 1, title: next.value.title, body_text: next.value.text });
  };
  const numbers = pages.keys();
  const write = async () => {
    for (const at of numbers) await create(at);
  };
  // Pages at the top first: the others need them.
  for (let at = 0; at < Math.min(count, PAGES_AT_TOP); at++) await create(numbers.next().value ?? 0);
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { workspace: workspaceId, pages };
}

/** Deletes what the browser stores, except the sign-in, which is in local storage. */
async function forgetLists(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/icon.svg`);
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise((done) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = done;
        request.onerror = done;
        request.onblocked = done;
      });
    }
  });
}

/** Milliseconds from the navigation to the first frame with the whole tree. */
async function openTree(page: Page, address: string, { pages }: Library): Promise<number> {
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(
    (count) => Number(document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount')) >= count,
    pages.length,
    { polling: 'raf', timeout: 120_000 },
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  return performance.now() - start;
}

async function palette(screen: Screen, queries: number) {
  const keys: number[] = [];
  const longestTasks: number[] = [];
  const mainThread: number[] = [];
  // The first query loads the palette's code.
  for (let query = 0; query <= queries; query++) {
    await screen.page.keyboard.press('Control+k');
    await screen.page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await delay(500);
    let times: readonly number[] = [];
    const tasks = await screen.taskTimes(async () => {
      times = await screen.type(KEYS_PER_QUERY, KEY_EVERY_MS);
    });
    await screen.page.keyboard.press('Escape');
    if (query === 0) continue;
    keys.push(...times);
    longestTasks.push(Math.max(...tasks));
    mainThread.push(tasks.reduce((sum, ms) => sum + ms, 0) / KEYS_PER_QUERY);
  }
  return { keys, longestTasks, mainThread };
}

async function searchTimes(client: SupabaseClient, library: Library, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = -SEARCHES.length; at < count; at++) {
    const query = SEARCHES.at(at % SEARCHES.length);
    const begun = performance.now();
    v.parse(searchAnswer, await rpc(client, 'search_documents', { workspace: library.workspace, query }));
    // The first round loads the index.
    if (at >= 0) times.push(performance.now() - begun);
  }
  return times;
}

/** Milliseconds from the call that changes a title to the frame that shows it in the tree. */
async function changeTimes(page: Page, client: SupabaseClient, { pages }: Library, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const title = `Changed ${at}`;
    const shown = page.evaluate(
      (text) =>
        new Promise<number>((resolve) => {
          const tree = document.querySelector('[role="treegrid"]') ?? document.body;
          const check = () => {
            if (!tree.textContent.includes(text)) return;
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
          };
          const seen = new MutationObserver(check);
          seen.observe(tree, { subtree: true, childList: true, characterData: true });
        }),
      `${title}.`,
    );
    await delay(CHANGE_EVERY_MS);
    const begun = performance.timeOrigin + performance.now();
    await rpc(client, 'save_text', { document: pages[0], seq: 1, title: `${title}.`, body_text: title });
    times.push((await shown) - begun);
  }
  return times;
}

function judge(measured: ResultBySystem): readonly Line[] {
  const { samples = {} } = measured.weft ?? {};
  const line = (what: string, name: string, goalMs: number | null = null): Line => {
    const times = samples[name] ?? [];
    const p95 = percentile(times, 95);
    return {
      what: `${what}: p95`,
      figure: `${ms(p95)} (p50 ${ms(median(times))}, longest ${ms(Math.max(...times))}, ${times.length} values)`,
      goal: goalMs === null ? '' : `≤ ${goalMs} ms`,
      isReached: goalMs === null ? null : p95 <= goalMs,
    };
  };
  return [
    line('first frame with the tree, from the network', 'first paint from the network'),
    line('first frame with the tree, from the cache', 'first paint from the cache'),
    line('a key in the palette, until the frame is painted', 'palette: key to frame'),
    line('a query of six keys in the palette, its longest task', 'palette: longest task of a query', PALETTE_GOAL_MS),
    line('  all its tasks, for each key', 'palette: main thread per key'),
    line('search', 'search', 100),
    line('a title that another device changed, until it is painted in the tree', 'stream to screen'),
  ];
}

// Opens and leaves a hundred pages in one tab. None of them leaks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OwnBrowser } from '../../support/browser/own-browser.ts';
import { Person } from '../../support/browser/person.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const PAGES = 20;
/** Opened before the first measurement, so that caches are filled. */
const WARM_UP = 20;
const OPENS = 100;
/** The app closes a page 2 s after it was left, because people often come back soon. */
const CLOSED_AFTER_MS = 2_500;

let profile: string;
let server: WeftServer;
let browser: OwnBrowser;
beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'weft-profile-'));
  [server, browser] = await Promise.all([WeftServer.start(), OwnBrowser.startHeadless(profile)]);
});
afterAll(async () => {
  await OwnBrowser.stopAll();
  await WeftServer.stopAll();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

test(`${OPENS} pages opened and left: no more heap, listeners and locks than after ${WARM_UP}, and not one DOM node a page`, async () => {
  const alice = await Person.at(browser.context);
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  const names: string[] = [];
  for (let at = 0; at < PAGES; at++) {
    await alice.newPage();
    names.push(`Page number ${at}`);
    await alice.field('Page title').fill(`Page number ${at}`);
    await alice.goToEnd();
    await alice.insert('word '.repeat(200));
    await alice.waitForReceipt('saved');
  }
  const devtools = await browser.context.newCDPSession(alice.page);
  await devtools.send('Performance.enable');
  let sessions = 0;
  alice.page.on('request', (request) => (sessions += request.url().endsWith('/rpc/open_document') ? 1 : 0));
  let opened = 0;
  const open = async (until: number) => {
    for (let round = Date.now(); opened < until; opened++) {
      if (opened % PAGES === 0) {
        await alice.page.waitForTimeout(Math.max(0, round + CLOSED_AFTER_MS - Date.now()));
        round = Date.now();
      }
      const name = names[opened % PAGES] ?? '';
      await alice.page.getByRole('link', { name, exact: true }).first().click();
      await alice.page.waitForFunction((title) => document.title.includes(title), name);
      await alice.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
    }
    await alice.page.waitForTimeout(CLOSED_AFTER_MS);
  };
  await open(WARM_UP);
  const before = await measure(devtools, alice);
  await open(OPENS);
  let after = before;
  const { documents, locks } = before;
  // Nearly always none. Once twelve, of eighty openings: what a view removed last may live until it renders again.
  const nodes = expect.toSatisfy((count: number) => count - before.nodes < OPENS - WARM_UP);
  const listeners = expect.toSatisfy((count: number) => count <= before.listeners);
  // On a busy machine the last page may still be closing, for half a minute if an answer is missing. A leak stays however
  // long the test waits.
  await expect
    .poll(async () => (after = await measure(devtools, alice)), { interval: 1_000, timeout: 45_000 })
    .toMatchObject({ nodes, documents, locks, listeners });
  expect(sessions).toBeGreaterThanOrEqual(OPENS);
  // Measured: none. A leaked session keeps 25 listeners.
  expect((after.maps - before.maps) / (OPENS - WARM_UP)).toBeLessThan(1);
  // Measured: 1.4 KB of compiled code and the browser's own records.
  expect((after.heap - before.heap) / (OPENS - WARM_UP)).toBeLessThan(10_000);
});

async function measure(devtools: CDPSession, person: Person) {
  // Twice: what finalizers release in the first round is collected in the second.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    heap: of('JSHeapUsedSize'),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    documents: of('Documents'),
    maps: await countOf(devtools, 'Map'),
    locks: await person.page.evaluate(async () => (await navigator.locks.query()).held?.length ?? 0),
  };
}

/** How many objects of a built-in class are alive. */
async function countOf(devtools: CDPSession, name: string): Promise<number> {
  const { result } = await devtools.send('Runtime.evaluate', { expression: `${name}.prototype` });
  const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
  const { objectId = '' } = objects;
  const functionDeclaration = 'function () { return this.length; }';
  const counted = await devtools.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
  await devtools.send('Runtime.releaseObject', { objectId });
  return Number(counted.result.value);
}

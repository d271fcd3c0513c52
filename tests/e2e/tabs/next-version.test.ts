// A new version of the app never reloads a page by itself. A page that needs the new version offers "Reload".
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { NextVersionHost } from '../../support/server/next-version.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let server: WeftServer;
let host: NextVersionHost;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  host = await NextVersionHost.inFrontOf(server.url);
});
afterAll(async () => {
  await browser.close();
  await host.close();
  await WeftServer.stopAll();
});

test('a next version waits while someone writes, and “Reload” on a page that needs it brings it (WF004)', async () => {
  const log = serviceClient(server);
  const alice = await Person.at(await browser.newContext());
  await alice.signUp(host.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.putCaretAtEnd();
  await alice.type('written with this version');
  await alice.waitForReceipt('saved');
  // The service worker does not control the page that registered it, only later ones.
  await alice.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await alice.page.reload();
  await alice.waitUntilEditable();
  await alice.page.evaluate(() => void (document.documentElement.dataset['writing'] = 'yes'));

  host.isPublished = true;
  await alice.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await expect.poll(() => waitingWorker(alice.page), { timeout: 15_000 }).toBe('installed');
  await alice.putCaretAtEnd();
  await alice.type(', still');
  await alice.waitForReceipt('saved');
  expect(await alice.page.locator('html').getAttribute('data-writing')).toBe('yes');
  expect(await versionOf(alice.page)).toBe(null);

  // Someone with a newer app writes content that this version could damage.
  const raised = await log.from('documents').update({ schema_version: 99 }).eq('id', alice.documentId);
  expect(raised.error).toBeNull();
  await alice.page.keyboard.type('!');
  await alice.button('Reload').click();
  await expect.poll(() => versionOf(alice.page), { timeout: 15_000 }).toBe('next');
  expect(await replayText(log, alice.documentId)).toBe('written with this version, still');
  await alice.page.context().close();
});

const versionOf = (page: Page): Promise<string | null> =>
  page
    .evaluate(() => document.querySelector('meta[name="version"]')?.getAttribute('content') ?? null)
    // The page may be in the middle of the reload.
    .catch(() => null);

const waitingWorker = (page: Page): Promise<string | null> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null);

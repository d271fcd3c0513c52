// Weft over plain http, as on a local network. Browsers on other machines then have no Web Locks, no service worker, no
// crypto.subtle and no clipboard API. Nothing that people write may depend on these.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkAddresses } from '../../../backend/gateway/addresses.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { LOWER, UPPER, only } from '../../support/editor/letters.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let server: WeftServer;
let browser: Browser;
let url: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    WeftServer.start({ more: ['--host', '0.0.0.0'] }),
    launchBrowser('--host-resolver-rules=MAP weft.test 127.0.0.1'),
  ]);
  url = `http://weft.test:${server.port}`;
});
afterAll(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

/** Console errors, except for requests that fail while there is no network. */
function consoleErrors(context: BrowserContext): readonly string[] {
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_INTERNET_DISCONNECTED'))
      errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  return errors;
}

async function expectBody(person: Person, text: string): Promise<void> {
  await expect.poll(() => person.bodyText(), { timeout: 15_000 }).toBe(text);
}

test('with --host 0.0.0.0 the start prints the addresses for others on the network', async () => {
  const here = networkAddresses('0.0.0.0').map(
    (address) => `For others on the network: http://${address}:${server.port}`,
  );
  // These lines can arrive after the first one, with which the server counts as started.
  await expect.poll(() => server.lines.slice(1)).toEqual(here);
});

test('over plain http people can sign up, write in two tabs, reload, close a tab with unsent text, share and watch', async () => {
  const context = await browser.newContext();
  const errors = consoleErrors(context);
  const alice = await Person.at(context);
  await alice.signUpOnScreen(url, 'Alice');
  expect(
    await alice.page.evaluate(() => ({
      secure: isSecureContext,
      missing: ['locks' in navigator, 'serviceWorker' in navigator, 'clipboard' in navigator, 'subtle' in crypto],
    })),
  ).toEqual({ secure: false, missing: [false, false, false, false] });
  await alice.createWorkspaceOnScreen('North Quay');
  await alice.newPage();

  // Two tabs write in one paragraph, each with its own session.
  const second = await Person.at(context);
  await second.page.goto(alice.page.url());
  await second.waitUntilEditable();
  await alice.goToEnd();
  await alice.type('A');
  await expectBody(second, 'A');
  await second.goToEnd();
  await Promise.all([alice.type(UPPER.slice(1), 20), second.type(LOWER, 20)]);
  for (const tab of [alice, second]) {
    await expect.poll(async () => only(await tab.bodyText(), UPPER), { timeout: 15_000 }).toBe(UPPER);
    await expect.poll(async () => only(await tab.bodyText(), LOWER), { timeout: 15_000 }).toBe(LOWER);
    await tab.waitForReceipt('saved');
  }
  const both = await replayText(serviceClient(server), alice.documentId);
  await Promise.all([expectBody(alice, both), expectBody(second, both)]);

  // The remaining tab sends the unsent text of the closed one, once.
  await context.setOffline(true);
  await second.goToEnd();
  await second.type('xyz');
  await second.waitForReceipt('device');
  await second.receipt.click();
  await second.page.getByText('Leave this tab open').waitFor();
  await second.page.close();
  await context.setOffline(false);
  await alice.page.reload();
  await alice.waitUntilEditable();
  await expectBody(alice, `${both}xyz`);
  expect(await replayText(serviceClient(server), alice.documentId)).toBe(`${both}xyz`);
  const log = await readLog(serviceClient(server), alice.documentId);
  expect(new Set(log.slice(1).map((row) => row.session)).size).toBe(2);

  // The watch link is copied, and someone without an account opens it.
  await alice.button('Share').click();
  await alice.button('New link').click();
  await alice.button('Create link').click();
  // It may have been copied when it was made.
  await alice.page.getByRole('button', { name: /^Cop(?:y|ied)$/ }).click();
  await alice.button('Copied').waitFor();
  const link = await alice.page.getByLabel('New link address', { exact: true }).inputValue();
  await alice.page.keyboard.press('Escape');
  await alice.button('New link').waitFor({ state: 'detached' });
  await alice.goToEnd();
  await alice.type(' ');
  await alice.page.keyboard.press('Control+v');
  await expectBody(alice, `${both}xyz ${link}`);
  expect(new URL(link).host).toBe(`weft.test:${server.port}`);
  const otherContext = await browser.newContext();
  const watcherErrors = consoleErrors(otherContext);
  const watcher = new Watcher(await otherContext.newPage());
  await watcher.open(link);
  await expect.poll(() => watcher.text(), { timeout: 15_000 }).toBe(`${both}xyz ${link}`);
  await alice.type('!');
  await expect.poll(() => watcher.text(), { timeout: 15_000 }).toBe(`${both}xyz ${link}!`);

  expect([...errors, ...watcherErrors]).toEqual([]);
  await Promise.all([context.close(), otherContext.close()]);
}, 60_000);

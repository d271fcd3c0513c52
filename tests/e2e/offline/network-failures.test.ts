// The network fails, or the server stops answering, in the middle of a word, and comes back; another person keeps typing.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';
import { type ReceiptChange, observeReceipts } from '../../support/browser/receipts.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const FRESH = { serviceWorkers: 'block' } as const;
const EVERY_MS = 25;

let server: WeftServer;
let browser: Browser;
let ada: Person;
let bert: Person;
const changes: ReceiptChange[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  ada = await Person.at(await browser.newContext(FRESH));
  await observeReceipts(ada.page, (change) => changes.push(change));
  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  bert = await Person.at(await browser.newContext(FRESH));
  await bert.signUp(server.url, 'Bert');
});
afterEach(() => server.resume());
afterAll(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

async function sharedPage(): Promise<void> {
  await ada.newPage();
  await bert.page.goto(await ada.createLink('edit'));
  await bert.waitUntilEditable();
  await Promise.all([ada.goToEnd(), bert.goToEnd()]);
  changes.length = 0;
}

async function expectTogether(capitals: string, small: string): Promise<void> {
  for (const person of [ada, bert]) {
    await expect.poll(() => person.bodyText().then((text) => only(text, UPPER)), { timeout: 40_000 }).toBe(capitals);
    await expect.poll(() => person.bodyText().then((text) => only(text, LOWER)), { timeout: 40_000 }).toBe(small);
    await person.waitForReceipt('saved');
  }
  const text = await replayText(serviceClient(server), ada.documentId);
  expect(await ada.bodyText()).toBe(text);
  expect(await bert.bodyText()).toBe(text);
}

test('going offline three times while both type: nothing is called saved meanwhile, and everything arrives', async () => {
  await sharedPage();
  const small = lettersOf(LOWER, 200);
  const typing = bert.type(small, EVERY_MS);
  let capitals = '';
  for (let time = 0; time < 3; time++) {
    await ada.type(UPPER.slice(0, 10), EVERY_MS);
    await ada.page.context().setOffline(true);
    await ada.type(UPPER.slice(10), EVERY_MS);
    await ada.waitForReceipt('device');
    capitals += UPPER;
    // Nothing typed since the network failed was called saved.
    for (const change of changes.filter(({ receipt }) => receipt === 'saved')) {
      expect(only(change.text, UPPER).length).toBeLessThanOrEqual(capitals.length - 16);
    }
    await ada.page.context().setOffline(false);
  }
  await typing;
  await expectTogether(capitals, small);
});

test('a server that hangs while both type: no receipt says saved too early, typing goes on, and everything arrives', async () => {
  await sharedPage();
  const typing = Promise.all([ada.type(lettersOf(UPPER, 100), EVERY_MS), bert.type(lettersOf(LOWER, 100), EVERY_MS)]);
  await ada.page.waitForTimeout(600);
  server.pause();
  await ada.page.waitForTimeout(300);
  const [before] = [await ada.bodyText()];
  changes.length = 0;
  await typing;
  // The call in flight times out after 10 s; only then the receipt changes.
  await ada.page.locator('[data-receipt="device"]').first().waitFor({ timeout: 20_000 });
  expect(changes.map(({ receipt }) => receipt)).not.toContain('saved');
  expect(only(await ada.bodyText(), UPPER)).toBe(lettersOf(UPPER, 100));
  expect(before.length).toBeLessThan(200);
  server.resume();
  await expectTogether(lettersOf(UPPER, 100), lettersOf(LOWER, 100));
});

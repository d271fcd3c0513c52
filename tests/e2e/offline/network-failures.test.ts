// The network fails or the server stops answering in the middle of a word, and later works again. Another person keeps typing.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { type ReceiptChange, observeReceipts } from '../../support/browser/receipts.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const EVERY_MS = 25;

let server: WeftServer;
let browser: Browser;
let alice: Person;
let bob: Person;
const changes: ReceiptChange[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  alice = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  await observeReceipts(alice.page, (change) => changes.push(change));
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  bob = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(server.url, 'Bob');
});
afterEach(() => server.resume());
afterAll(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

async function openSharedPage(): Promise<void> {
  await alice.newPage();
  await bob.page.goto(await alice.createLink('edit'));
  await bob.waitUntilEditable();
  await Promise.all([alice.goToEnd(), bob.goToEnd()]);
  changes.length = 0;
}

async function expectAgreement(capitals: string, small: string): Promise<void> {
  for (const person of [alice, bob]) {
    await expect.poll(() => person.bodyText().then((text) => only(text, UPPER)), { timeout: 40_000 }).toBe(capitals);
    await expect.poll(() => person.bodyText().then((text) => only(text, LOWER)), { timeout: 40_000 }).toBe(small);
    await person.waitForReceipt('saved');
  }
  const text = await replayText(serviceClient(server), alice.documentId);
  expect(await alice.bodyText()).toBe(text);
  expect(await bob.bodyText()).toBe(text);
}

test('going offline three times while both type: nothing is called saved meanwhile, and everything arrives', async () => {
  await openSharedPage();
  const small = lettersOf(LOWER, 200);
  const typing = bob.type(small, EVERY_MS);
  let capitals = '';
  for (let time = 0; time < 3; time++) {
    await alice.type(UPPER.slice(0, 10), EVERY_MS);
    await alice.page.context().setOffline(true);
    await alice.type(UPPER.slice(10), EVERY_MS);
    await alice.waitForReceipt('device');
    capitals += UPPER;
    // Nothing typed since the network failed was called saved.
    for (const change of changes.filter(({ receipt }) => receipt === 'saved')) {
      expect(only(change.text, UPPER).length).toBeLessThanOrEqual(capitals.length - 16);
    }
    await alice.page.context().setOffline(false);
  }
  await typing;
  await expectAgreement(capitals, small);
});

test('a server that hangs while both type: no receipt says saved too early, typing goes on, and everything arrives', async () => {
  await openSharedPage();
  const typing = Promise.all([alice.type(lettersOf(UPPER, 100), EVERY_MS), bob.type(lettersOf(LOWER, 100), EVERY_MS)]);
  await alice.page.waitForTimeout(600);
  server.pause();
  await alice.page.waitForTimeout(300);
  const before = await alice.bodyText();
  changes.length = 0;
  await typing;
  // The call in flight times out after 10 s; only then the receipt changes.
  await alice.page.locator('[data-receipt="device"]').first().waitFor({ timeout: 20_000 });
  expect(changes.map(({ receipt }) => receipt)).not.toContain('saved');
  expect(only(await alice.bodyText(), UPPER)).toBe(lettersOf(UPPER, 100));
  expect(before.length).toBeLessThan(200);
  server.resume();
  await expectAgreement(lettersOf(UPPER, 100), lettersOf(LOWER, 100));
});

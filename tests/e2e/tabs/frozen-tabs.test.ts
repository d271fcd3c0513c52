// The browser hides, freezes, thaws and discards background tabs, here in the middle of a word.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { OwnBrowser, crash, freeze, thaw } from '../../support/browser/own-browser.ts';
import { Person } from '../../support/browser/person.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const EVERY_MS = 15;
const DIGITS = '0123456789';

let profile: string;
let server: WeftServer;
let alicesBrowser: OwnBrowser;
let bobsBrowser: Browser;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'weft-profile-'));
  [server, alicesBrowser, bobsBrowser] = await Promise.all([
    WeftServer.start(),
    OwnBrowser.start(profile),
    launchBrowser(),
  ]);
  alice = await Person.at(alicesBrowser.context);
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.waitForOfflineShell();
  bob = await Person.at(await bobsBrowser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(server.url, 'Bob');
});
afterAll(async () => {
  await bobsBrowser.close();
  await OwnBrowser.stopAll();
  await WeftServer.stopAll();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** A new page, open in the foreground for both people. */
async function openSharedPage(): Promise<string> {
  await alice.page.bringToFront();
  await alice.newPage();
  await bob.page.goto(await alice.createLink('edit'));
  await bob.waitUntilEditable();
  await alice.goToEnd();
  return alice.page.url();
}

/** Everyone shows what the log says, and each person's letters are complete and in order. */
async function expectAgreement(people: readonly Person[], capitals: string, small: string): Promise<void> {
  const log = serviceClient(server);
  for (const person of people) {
    await expect.poll(() => person.bodyText().then((text) => only(text, UPPER)), { timeout: 20_000 }).toBe(capitals);
    await expect.poll(() => person.bodyText().then((text) => only(text, LOWER)), { timeout: 20_000 }).toBe(small);
    await person.waitForReceipt('saved');
  }
  const text = await replayText(log, bob.documentId);
  expect(only(text, UPPER)).toBe(capitals);
  for (const person of people) expect(await person.bodyText()).toBe(text);
}

test('a tab frozen while two people type continues where it was, and another tab of the same browser misses nothing', async () => {
  const address = await openSharedPage();
  const second = await Person.at(alicesBrowser.context);
  await alice.page.bringToFront();
  await bob.goToEnd();
  const small = lettersOf(LOWER, 120);
  const typing = bob.type(small, 30);
  await alice.type(lettersOf(UPPER, 26), EVERY_MS);
  // She switches to another tab in the middle of a word.
  await second.page.bringToFront();
  await freeze(alice.page);
  await second.page.goto(address);
  await second.waitUntilEditable();
  await expect.poll(() => second.bodyText().then((text) => only(text, UPPER))).toBe(UPPER);
  await second.goToEnd();
  await second.type(lettersOf(UPPER, 26), EVERY_MS);
  await typing;
  await thaw(alice.page);
  await alice.page.bringToFront();
  await expect.poll(() => alice.bodyText().then((text) => only(text, UPPER)), { timeout: 10_000 }).toBe(UPPER + UPPER);
  await alice.goToEnd();
  await alice.type('Z', EVERY_MS);
  await expectAgreement([alice, second, bob], `${UPPER}${UPPER}Z`, small);
  await second.page.close();
});

test('the next tab shows and sends the unsent text of a frozen tab, and thawing does not send it twice', async () => {
  const address = await openSharedPage();
  await alicesBrowser.context.setOffline(true);
  await alice.type(lettersOf(UPPER, 26), EVERY_MS);
  await alice.waitForReceipt('device');
  const second = await Person.at(alicesBrowser.context);
  await freeze(alice.page);
  await alicesBrowser.context.setOffline(false);
  await second.page.goto(address);
  await second.waitUntilEditable();
  // The frozen tab runs no task, so the other one sends.
  await expect.poll(() => second.bodyText(), { timeout: 20_000 }).toBe(UPPER);
  const log = serviceClient(server);
  // A silent author's live updates are relayed after 5 to 8 s (D7).
  await expect.poll(() => replayText(log, second.documentId), { timeout: 20_000 }).toBe(UPPER);
  await second.waitForReceipt('saved');
  await second.goToEnd();
  await second.type(DIGITS, EVERY_MS);
  await bob.goToEnd();
  await bob.type(LOWER, EVERY_MS);
  await thaw(alice.page);
  await alice.page.bringToFront();
  await expectAgreement([alice, second, bob], UPPER, LOWER);
  expect(only(await bob.bodyText(), DIGITS)).toBe(DIGITS);
  await second.page.close();
});

test('unsent text of a discarded tab is in the tab that stayed, and when the page is opened again', async () => {
  const address = await openSharedPage();
  await alicesBrowser.context.setOffline(true);
  await alice.type(lettersOf(UPPER, 26), EVERY_MS);
  await alice.waitForReceipt('device');
  const second = await Person.at(alicesBrowser.context);
  await second.page.goto(address);
  await second.body.waitFor();
  await crash(alice.page);
  await expect.poll(() => second.bodyText(), { timeout: 20_000 }).toBe(UPPER);
  await second.goToEnd();
  await second.type('Z');
  await alicesBrowser.context.setOffline(false);
  alice = await Person.at(alicesBrowser.context);
  await alice.page.goto(address);
  await alice.waitUntilEditable();
  await expectAgreement([alice, second, bob], `${UPPER}Z`, '');
  await second.page.close();
});

// A device without free storage: the page says that only this tab has the edits, still sends them, and stores them as soon as
// there is room again.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OwnBrowser } from '../../support/browser/own-browser.ts';
import { Person } from '../../support/browser/person.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let profile: string;
let server: WeftServer;
let browser: OwnBrowser;
let alice: Person;
let devtools: CDPSession;
beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'weft-profile-'));
  [server, browser] = await Promise.all([WeftServer.start(), OwnBrowser.startHeadless(profile)]);
  alice = await Person.at(browser.context);
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.waitForOfflineShell();
});
afterAll(async () => {
  await OwnBrowser.stopAll();
  await WeftServer.stopAll();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Sets the storage quota of this origin in bytes; null removes the limit. */
async function setQuota(bytes: number | null): Promise<void> {
  const quota = bytes === null ? {} : { quotaSize: bytes };
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, ...quota });
}

/** Restarts the browser: Chromium checks the quota again only when the last answer is used up or half a minute old. */
async function startWithoutRoom(): Promise<void> {
  await browser.close();
  browser = await OwnBrowser.startHeadless(profile);
  alice = await Person.at(browser.context);
  devtools = await browser.context.newCDPSession(alice.page);
  await setQuota(1);
}

/** Whether the browser asks before it leaves the page. Stays on the page. */
async function asksBeforeLeaving(): Promise<boolean> {
  const dialogShown = alice.page.waitForEvent('dialog', { timeout: 3_000 }).catch(() => null);
  await alice.page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await dialogShown;
  await dialog?.dismiss();
  return dialog?.type() === 'beforeunload';
}

test('with IndexedDB full the receipt says "Only in this tab", edits are still sent, and leaving asks first', async () => {
  await alice.newPage();
  await alice.goToEnd();
  await alice.type('kept. ');
  await alice.waitForReceipt('saved');

  const address = alice.page.url();
  await startWithoutRoom();
  await alice.page.goto(address);
  await alice.waitUntilEditable();
  await alice.goToEnd();
  await browser.context.setOffline(true);
  await alice.type('nowhere else. ');
  await alice.waitForReceipt('tab');
  expect(await alice.receipt.innerText()).toContain('Only in this tab');
  expect(await asksBeforeLeaving()).toBe(true);
  expect(await alice.bodyText()).toBe('kept. nowhere else. ');

  await browser.context.setOffline(false);
  await alice.waitForReceipt('saved');
  const log = serviceClient(server);
  expect(await replayText(log, alice.documentId)).toBe('kept. nowhere else. ');
  // Storage is still full, but every edit is on the server.
  await alice.type('sent at once. ');
  await alice.waitForReceipt('saved');
  expect(await replayText(log, alice.documentId)).toBe('kept. nowhere else. sent at once. ');

  // There is room again while edits are in memory only: the next keys store the earlier ones too.
  await browser.context.setOffline(true);
  await alice.type('first ');
  await alice.waitForReceipt('tab');
  await setQuota(null);
  let text = 'kept. nowhere else. sent at once. first ';
  const receiptAfterOneMore = async () => {
    // Not a full stop: the editor makes an ellipsis of three.
    await alice.type('!');
    text += '!';
    return alice.receipt.getAttribute('data-receipt');
  };
  await expect.poll(receiptAfterOneMore, { timeout: 10_000 }).toBe('device');
  expect(await asksBeforeLeaving()).toBe(false);
  await browser.context.setOffline(false);
  await expect.poll(() => alice.bodyText(), { timeout: 20_000 }).toBe(text);
  await alice.waitForReceipt('saved');
  expect(await replayText(log, alice.documentId)).toBe(text);
});

test('with localStorage full no one is signed out, and text that was on screen for a moment survives a reload', async () => {
  await browser.context.setOffline(false);
  await alice.newPage();
  await alice.page.evaluate(() => {
    for (let size = 2 ** 21; size > 0; size = Math.floor(size / 2)) {
      try {
        for (let at = 0; ; at++) localStorage.setItem(`filler ${size} ${at}`, 'x'.repeat(size));
      } catch {
        // This does not fit; try less.
      }
    }
  });
  await alice.goToEnd();
  let text = '';
  for (const word of ['one ', 'two ', 'three ', 'four ']) {
    await alice.goToEnd();
    await alice.type(word);
    text += word;
    // Wait a moment: the exit journal, which saves the last milliseconds, is in localStorage and has no room.
    await alice.page.waitForTimeout(300);
    await alice.page.reload();
    await alice.waitUntilEditable();
    await expect.poll(() => alice.bodyText(), { timeout: 10_000 }).toBe(text);
  }
  await alice.waitForReceipt('saved');
  expect(await replayText(serviceClient(server), alice.documentId)).toBe(text);
  await alice.page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('filler')) localStorage.removeItem(name);
  });
});

test('with all storage blocked, people sign in and write, and the page says that nothing is kept', async () => {
  const blocked = join(profile, 'blocked');
  await mkdir(join(blocked, 'Default'), { recursive: true });
  // The browser setting that blocks all site data.
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(blocked, 'Default', 'Preferences'), JSON.stringify(settings));
  const other = await OwnBrowser.start(blocked);
  const bob = await Person.at(other.context);
  await bob.signUpOnScreen(server.url, 'Bob');
  expect(await bob.page.evaluate(isBlocked)).toBe(true);
  await bob.createWorkspaceOnScreen('East Quay');
  await bob.newPage();
  await bob.goToEnd();
  await bob.type('sent ');
  await bob.waitForReceipt('saved');
  await other.context.setOffline(true);
  await bob.type('and held');
  await bob.waitForReceipt('tab');
  await other.context.setOffline(false);
  await bob.waitForReceipt('saved');
  expect(await replayText(serviceClient(server), bob.documentId)).toBe('sent and held');
  await other.close();
});

/** Runs inside the page. */
function isBlocked(): boolean {
  try {
    return localStorage.length < 0;
  } catch {
    return true;
  }
}

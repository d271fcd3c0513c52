// Kills the whole browser while someone types, several times on one profile. Text that the receipt called stored is there
// after the next start, with and without a server, and is sent later.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import { OwnBrowser } from '../../support/browser/own-browser.ts';
import { Person } from '../../support/browser/person.ts';
import { type ReceiptChange, observeScreen } from '../../support/browser/receipts.ts';
import { LOWER, lettersOf } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

/** Set it higher by hand to try more random moments. */
const ROUNDS = Number(process.env['WEFT_KILL_ROUNDS'] ?? 5);
const SEED = Number(process.env['WEFT_KILL_SEED'] ?? 1);
const EVERY_MS = 15;
/** A letter that was on screen this long must survive. Measured: a third of the kills lose a letter of the last 5 ms. */
const STORED_WITHIN_MS = 250;

/** Whether the tab to be killed can reach the server. */
const CONNECTIONS = ['a server', 'a server that does not answer', 'no network'] as const;

let profile: string;
let server: WeftServer;
beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'weft-profile-'));
  server = await WeftServer.start();
});
afterEach(async () => {
  server.resume();
  await OwnBrowser.stopAll();
});
afterAll(async () => {
  await WeftServer.stopAll();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

test(`text that the receipt called stored survives ${ROUNDS} kills of the browser in the middle of a word`, async () => {
  const log = serviceClient(server);
  const random = prng(SEED);
  let browser = await OwnBrowser.startHeadless(profile);
  let person = await Person.at(browser.context);
  await person.signUp(server.url, 'Dave');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  const address = person.page.url();
  const document = person.documentId;
  await person.waitForOfflineShell();
  // Close the browser properly once: Chromium writes localStorage, where the sign-in is, some seconds late. The next test
  // is about that delay.
  await browser.close();
  browser = await OwnBrowser.startHeadless(profile);

  for (let round = 0; round < ROUNDS; round++) {
    const connection = CONNECTIONS[round % CONNECTIONS.length] ?? 'a server';
    person = await Person.at(browser.context);
    const shown: Shown[] = [];
    await observeScreen(person.page, (change) => shown.push({ ...change, receivedAt: Date.now() }));
    await person.page.goto(address);
    await person.waitUntilEditable();
    const before = await person.bodyText();
    if (connection === 'a server that does not answer') server.pause();
    if (connection === 'no network') await browser.context.setOffline(true);
    await person.goToEnd();
    const typing = person.type(lettersOf(LOWER, 400), EVERY_MS).catch(() => 'killed');
    // Count letters instead of milliseconds, because a busy machine types slowly.
    const letters = before.length + 20 + Math.floor(40 * random());
    await expect.poll(() => shown.at(-1)?.text.length ?? 0, { interval: 5, timeout: 30_000 }).toBeGreaterThan(letters);
    const killedAt = Date.now();
    await browser.kill();
    expect(await typing).toBe('killed');

    // After the next start nothing of the killed page's text is missing, with or without the server.
    browser = await OwnBrowser.startHeadless(profile);
    person = await Person.at(browser.context);
    if (connection === 'no network') await browser.context.setOffline(true);
    await person.page.goto(address);
    const promised = promisedText(shown, killedAt);
    expect(promised.length, `${connection}: typed`).toBeGreaterThan(before.length);
    await expect.poll(() => person.bodyText(), { timeout: 30_000, message: connection }).toContain(promised);
    if (connection !== 'a server') await expectOnDevice(person);

    server.resume();
    await browser.context.setOffline(false);
    await person.waitForReceipt('saved');
    const text = await person.bodyText();
    expect(text.slice(before.length)).toBe(lettersOf(LOWER, text.length - before.length));
    expect(await replayText(log, document)).toBe(text);
    await person.page.close();
  }
});

test('after a kill that loses the sign-in, the text is still there and is sent when its author signs in again', async () => {
  const other = join(profile, 'just-signed-up');
  let browser = await OwnBrowser.startHeadless(other);
  let person = await Person.at(browser.context);
  const email = await person.signUp(server.url, 'Dave');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  const address = person.page.url();
  const document = person.documentId;
  await person.goToEnd();
  server.pause();
  await person.type('no one else has this');
  await delay(STORED_WITHIN_MS);
  await browser.kill();
  server.resume();

  browser = await OwnBrowser.startHeadless(other);
  person = await Person.at(browser.context);
  // Chromium writes localStorage some seconds after a change; on a slow machine that can be before the kill.
  await person.page.goto(`${server.url}/icon.svg`);
  await person.page.evaluate(() => localStorage.clear());
  await person.page.goto(address);
  await person.button('Sign in').waitFor();
  expect(await replayText(serviceClient(server), document)).toBe('');
  await person.signIn(email);
  await expect.poll(() => person.bodyText(), { timeout: 30_000 }).toBe('no one else has this');
  await person.waitForReceipt('saved');
  expect(await replayText(serviceClient(server), document)).toBe('no one else has this');
  await browser.close();
});

type Shown = ReceiptChange & { readonly receivedAt: number };

/** The longest text that the receipt called stored, or that was on screen long enough. */
function promisedText(shown: readonly Shown[], killedAt: number): string {
  const promised = shown.filter(
    ({ receipt, receivedAt }) => receipt === 'saved' || killedAt - receivedAt > STORED_WITHIN_MS,
  );
  return promised.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');
}

/** The receipt says that the edits are on this device, or that they are being sent. */
async function expectOnDevice(person: Person): Promise<void> {
  expect(['device', 'sending']).toContain(await person.receipt.getAttribute('data-receipt'));
}

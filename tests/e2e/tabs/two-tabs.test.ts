// One person with several tabs of one page in one browser: side by side, duplicated, and restored from the back/forward cache.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { OwnBrowser } from '../../support/browser/own-browser.ts';
import { Person } from '../../support/browser/person.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';

const EVERY_MS = 25;

let profile: string;
const fixture = useE2eFixture();
beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'weft-profile-'));
});
afterEach(() => OwnBrowser.stopAll());
afterAll(async () => {
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Both tabs and the log have the same text, with every letter of both. */
async function expectAgreement(tabs: readonly [Person, Person], capitals: string, small: string): Promise<void> {
  for (const tab of tabs) {
    const has = async (alphabet: string) => only(await tab.bodyText(), alphabet);
    await expect.poll(() => has(UPPER), { timeout: 20_000 }).toBe(capitals);
    await expect.poll(() => has(LOWER), { timeout: 20_000 }).toBe(small);
    await tab.waitForReceipt('saved');
  }
  const text = await replayText(serviceClient(fixture.server), tabs[0].documentId);
  for (const tab of tabs) expect(await tab.bodyText()).toBe(text);
}

test('two windows of one person, one of them duplicated from the other, write into one paragraph at the same time', async () => {
  const context = await fixture.browser.newContext(NO_SERVICE_WORKER);
  const first = await Person.at(context);
  await first.signUp(fixture.server.url, 'Alice');
  await first.createWorkspace('North Quay');
  await first.newPage();
  await first.goToEnd();
  await first.type('A', EVERY_MS);
  // The browser's "Duplicate tab" opens the same address with a copy of this tab's sessionStorage.
  await first.page.evaluate(() => sessionStorage.setItem('weft-test', 'copied'));
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    first.page.evaluate(() => void window.open(location.href)),
  ]);
  const second = new Person(page);
  await second.waitUntilEditable();
  expect(await page.evaluate(() => sessionStorage.getItem('weft-test'))).toBe('copied');
  await second.goToEnd();
  const [ours, theirs] = [lettersOf(UPPER, 101).slice(1), lettersOf(LOWER, 100)];
  await Promise.all([first.type(ours, EVERY_MS), second.type(theirs, EVERY_MS)]);
  await expectAgreement([first, second], `A${ours}`, theirs);
  const log = await readLog(serviceClient(fixture.server), first.documentId);
  expect(new Set(log.slice(1).map((row) => row.session)).size).toBe(2);

  // Both keep typing offline, and a reload of each keeps both texts.
  await context.setOffline(true);
  await first.type('XYZ', EVERY_MS);
  await second.type('xyz', EVERY_MS);
  await first.page.waitForTimeout(200);
  await context.setOffline(false);
  await expectAgreement([first, second], `A${ours}XYZ`, `${theirs}xyz`);
  await context.close();
});

test('another tab sends the text and lists the page that a closed tab wrote and created offline', async () => {
  const context = await fixture.browser.newContext(NO_SERVICE_WORKER);
  const remaining = await Person.at(context);
  await remaining.signUp(fixture.server.url, 'Alice');
  await remaining.createWorkspace('North Quay');
  const closing = await Person.at(context);
  await closing.page.goto(remaining.page.url());
  await closing.newPage();
  await closing.goToEnd();
  await closing.type('kept ');
  await closing.waitForReceipt('saved');
  await remaining.page.getByRole('link', { name: 'Home', exact: true }).click();
  const receipt = () => remaining.page.locator('[data-receipt]').first().getAttribute('data-receipt');
  await expect.poll(receipt).toBe('saved');

  await context.setOffline(true);
  await closing.type('words');
  const written = closing.documentId;
  await closing.page.getByRole('button', { name: 'New page' }).first().click();
  await closing.page.waitForURL((address) => !address.href.includes(written));
  await closing.page.locator('[aria-label="Page title"]').click();
  await closing.type('Tides');
  await expect.poll(receipt, { timeout: 20_000 }).toBe('device');
  const row = remaining.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Tides', exact: true });
  await row.waitFor();
  const made = closing.documentId;
  await closing.page.close();
  await remaining.page.waitForTimeout(500);
  expect(await receipt()).toBe('device');

  await context.setOffline(false);
  await expect.poll(receipt, { timeout: 20_000 }).toBe('saved');
  const log = serviceClient(fixture.server);
  expect(await replayText(log, written)).toBe('kept words');
  const titleOf = async () => (await log.from('documents').select('title').eq('id', made)).data?.[0]?.title;
  await expect.poll(titleOf, { timeout: 20_000 }).toBe('Tides');
  await row.waitFor();
  await context.close();
});

test('a page restored from the back/forward cache catches up with what others wrote meanwhile', async () => {
  const own = await OwnBrowser.start(profile);
  const alice = await Person.at(own.context);
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const bob = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(await alice.createLink('edit'));
  await bob.waitUntilEditable();
  await alice.goToEnd();
  await alice.page.evaluate(() => {
    addEventListener('pageshow', (event) => Reflect.set(window, 'weftPersisted', event.persisted));
  });
  await alice.type(UPPER, EVERY_MS);
  // A service worker that is installed while the page is away claims it, and the browser then loads it anew.
  await alice.waitForOfflineShell();
  await alice.page.goto('about:blank');
  await bob.goToEnd();
  await bob.type(LOWER, EVERY_MS);
  await bob.waitForReceipt('saved');
  await alice.page.goBack({ waitUntil: 'commit' });
  await alice.body.waitFor();
  // The browser restored the page instead of loading it again. Otherwise this test would prove nothing.
  await expect.poll(() => alice.page.evaluate(() => Reflect.get(window, 'weftPersisted'))).toBe(true);
  await expectAgreement([alice, bob], UPPER, LOWER);
  await alice.goToEnd();
  await alice.type('Z');
  await expectAgreement([alice, bob], `${UPPER}Z`, LOWER);
  await bob.page.context().close();
});

// Pages without network: made, written, found again after a kill and a cold start, and then everybody's.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchProfile } from '../../support/browser/browser.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';
import { WeftServer } from '../../support/server/weft-server.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let scratch: string;
let contexts: BrowserContext[];
beforeEach(async () => {
  scratch = await temporaryFolder('offline');
  contexts = [];
});
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

async function device(name: string): Promise<BrowserContext> {
  const context = await launchProfile(join(scratch, name));
  contexts.push(context);
  return context;
}

async function closed(context: BrowserContext): Promise<void> {
  contexts = contexts.filter((other) => other !== context);
  await context.close();
}

const treeRows = (person: Person) => person.page.getByRole('region', { name: 'Pages' }).getByRole('link');
const treeLink = (person: Person, name: string) =>
  person.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name, exact: true });

/** Waits until the service worker is active and has cached the app and its configuration. */
async function expectOfflineShell(person: Person): Promise<void> {
  const kept = () =>
    person.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      return (await caches.match('/config.json')) !== undefined;
    });
  await expect.poll(kept, { timeout: 15_000 }).toBe(true);
}

async function nameIt(person: Person, title: string): Promise<void> {
  await person.page.locator('[aria-label="Page title"]').click();
  await person.type(title);
}

/** Presses "New page" and waits until it is editable, whatever the receipt says. */
async function newPageAt(person: Person, button: string): Promise<string> {
  const before = person.page.url();
  if (button !== 'New page') await treeLink(person, button.replace('New page in ', '')).hover();
  await person.button(button).first().click();
  await person.page.waitForURL((address) => address.href !== before && address.pathname.includes('/p/'));
  await person.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
  return person.documentId;
}

test('two pages made offline, one below the other, survive a kill and a cold start, and then reach everyone', async () => {
  const folder = join(scratch, 'data');
  let server = await WeftServer.start({ folder });
  let context = await device('ada');
  let ada = await Person.at(context);
  const email = await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  const home = new URL(ada.page.url()).pathname.replace(/\/p\/.*$/, '');
  await expectOfflineShell(ada);

  // The server is gone; the tab stays open.
  await server.stop();
  await newPageAt(ada, 'New page');
  await nameIt(ada, 'Tides');
  await ada.putCaretAtEnd();
  await ada.type('high at noon');
  await ada.waitForReceipt('device');
  const tides = ada.documentId;
  await newPageAt(ada, 'New page in Tides');
  await nameIt(ada, 'Moon');
  await ada.putCaretAtEnd();
  await ada.type('nearly full');
  await ada.waitForReceipt('device');
  const moon = ada.documentId;
  await expect.poll(() => ada.page.getByText('On this device only until the server answers').count()).toBe(1);

  // Kill the tab, then the browser: both pages are in the tree with their names, and open.
  await ada.page.waitForTimeout(800);
  await ada.page.close();
  await closed(context);
  context = await device('ada');
  ada = await Person.at(context);
  await ada.page.goto(`${server.url}${home}`);
  await treeLink(ada, 'Moon').waitFor({ timeout: 20_000 });
  await treeLink(ada, 'Tides').click();
  await expect.poll(() => ada.bodyText(), { timeout: 15_000 }).toBe('high at noon');
  await ada.waitForReceipt('device');
  await treeLink(ada, 'Moon').click();
  await expect.poll(() => ada.bodyText(), { timeout: 15_000 }).toBe('nearly full');
  await ada.putCaretAtEnd();
  await ada.type(' tonight');

  // The server is back; nobody presses anything.
  server = await WeftServer.start({ folder, port: server.port });
  const log = serviceClient(server);
  await ada.page.locator('[data-receipt="saved"]').first().waitFor({ timeout: 60_000 });
  await expect.poll(() => replayText(log, moon), { timeout: 30_000 }).toBe('nearly full tonight');
  await expect.poll(() => replayText(log, tides), { timeout: 60_000 }).toBe('high at noon');
  // The first row is the server's seed, and the text follows it without a gap.
  expect((await readLog(log, moon))[0]).toMatchObject({ seq: 1, session: '00000000-0000-0000-0000-000000000000' });
  const listed = async () =>
    (await log.from('documents').select('id, parent_id, title, body_text').in('id', [tides, moon]).order('title')).data;
  await expect.poll(listed, { timeout: 20_000 }).toMatchObject([
    { id: moon, parent_id: tides, title: 'Moon', body_text: 'nearly full tonight' },
    { id: tides, parent_id: null, title: 'Tides', body_text: 'high at noon' },
  ]);

  // Another device, then another person.
  const link = await ada.createLink('edit');
  const laptop = await Person.at(await device('laptop'));
  await laptop.page.goto(`${server.url}/sign-in`);
  await laptop.signIn(email);
  await treeLink(laptop, 'Tides').click();
  await expect.poll(() => laptop.bodyText(), { timeout: 15_000 }).toBe('high at noon');
  const bert = await Person.at(await device('bert'));
  await bert.signUp(server.url, 'Bert');
  await bert.page.goto(link);
  await expect.poll(() => bert.bodyText(), { timeout: 15_000 }).toBe('nearly full tonight');
});

test('a cold start without a server opens every page stored on the device and says so for the others', async () => {
  const folder = join(scratch, 'data');
  const server = await WeftServer.start({ folder });
  const phone = await Person.at(await device('phone'));
  const email = await phone.signUp(server.url, 'Dora');
  await phone.createWorkspace('Tide Check');
  for (const name of ['One', 'Two', 'Three', 'Unread']) {
    await phone.newPage();
    await nameIt(phone, name);
    await phone.putCaretAtEnd();
    await phone.type(`words of ${name}`);
    await phone.waitForReceipt('saved');
  }
  const named = async () =>
    (await serviceClient(server).from('documents').select('title').like('body_text', 'words of %')).data?.length;
  await expect.poll(named, { timeout: 20_000 }).toBe(4);

  let context = await device('laptop');
  let dora = await Person.at(context);
  await dora.page.goto(`${server.url}/sign-in`);
  await dora.signIn(email);
  for (const name of ['One', 'Two', 'Three']) {
    await treeLink(dora, name).click();
    await expect.poll(() => dora.bodyText(), { timeout: 15_000 }).toBe(`words of ${name}`);
  }
  const address = dora.page.url();
  await expectOfflineShell(dora);
  await closed(context);
  await server.stop();

  context = await device('laptop');
  dora = await Person.at(context);
  // Open a page by its address in a new browser process.
  await dora.page.goto(address);
  await expect.poll(() => dora.bodyText(), { timeout: 15_000 }).toBe('words of Three');
  for (const name of ['One', 'Two']) {
    await treeLink(dora, name).click();
    await expect.poll(() => dora.bodyText(), { timeout: 15_000 }).toBe(`words of ${name}`);
  }
  // The home list shows pages that open here first; the rest say so.
  await dora.page.getByRole('link', { name: 'Home', exact: true }).click();
  const rows = dora.page.locator('.home .list > li');
  await expect.poll(() => rows.filter({ hasText: 'not on this device' }).count(), { timeout: 15_000 }).toBe(2);
  expect((await rows.allTextContents()).slice(0, 3).every((row) => !row.includes('not on this device'))).toBe(true);
  await treeRows(dora).filter({ hasText: 'Unread' }).click();
  await dora.page.getByRole('heading', { name: 'This page is not on this device' }).waitFor();
});

test('a page whose parent is gone keeps its text, says so, and can be saved as a file', async () => {
  const server = await WeftServer.start();
  const ada = await Person.at(await device('ada'));
  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  await nameIt(ada, 'Shared');
  const link = await ada.createLink('edit');

  const context = await device('bert');
  const bert = await Person.at(context);
  await bert.signUp(server.url, 'Bert');
  await bert.page.goto(link);
  await bert.waitUntilEditable();
  await treeLink(bert, 'Shared').waitFor();
  await context.setOffline(true);
  await newPageAt(bert, 'New page in Shared');
  await bert.putCaretAtEnd();
  await bert.type('my own words');
  await bert.waitForReceipt('device');

  // The link is revoked while he is offline.
  await ada.button('Share').click();
  await ada.page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  await ada.page.getByText('Link revoked').waitFor();
  await context.setOffline(false);
  await bert.page.getByText('its parent page was deleted, or you can’t open it').waitFor({ timeout: 60_000 });
  await bert.waitForReceipt('refused');
  expect(await bert.bodyText()).toBe('my own words');

  // He may not make pages at the top either; trying loses nothing.
  await bert.button('Move to top level').click();
  await bert.page.getByText('you can’t create pages in this workspace').waitFor({ timeout: 30_000 });
  const [download] = await Promise.all([bert.page.waitForEvent('download'), bert.button('Download a copy').click()]);
  expect(download.suggestedFilename()).toMatch(/-unsent-edits\.yjs$/);

  // The workspace no longer admits him; its screen offers his unsent text too.
  await bert.page.reload();
  await bert.page.getByText('on 1 page are on this device only').waitFor({ timeout: 30_000 });
  const [copy] = await Promise.all([bert.page.waitForEvent('download'), bert.button('Download a copy').click()]);
  expect(await readFile(await copy.path(), 'utf8')).toContain('my own words');
});

// Pages that are created and written without a network: they survive a kill and a cold start, and reach everyone later.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchProfile } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

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

async function closeBrowser(context: BrowserContext): Promise<void> {
  contexts = contexts.filter((other) => other !== context);
  await context.close();
}

const treeRows = (person: Person) => person.page.getByRole('region', { name: 'Pages' }).getByRole('link');
const treeLink = (person: Person, name: string) =>
  person.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name, exact: true });

async function typeTitle(person: Person, title: string): Promise<void> {
  await person.page.locator('[aria-label="Page title"]').click();
  await person.type(title);
}

/**
 * Presses "New page", or the button in the row of the page `inside`, and waits until the page is editable, whatever the receipt
 * says.
 */
async function pressNewPage(person: Person, inside: string | null): Promise<string> {
  const before = person.page.url();
  if (inside !== null) await treeLink(person, inside).hover();
  await person
    .button(inside === null ? 'New page' : 'New page inside')
    .first()
    .click();
  await person.page.waitForURL((address) => address.href !== before && address.pathname.includes('/p/'));
  await person.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
  return person.documentId;
}

test('two pages created offline, one below the other, survive a kill and a cold start, and then reach everyone', async () => {
  const folder = join(scratch, 'data');
  let server = await WeftServer.start({ folder });
  let context = await device('alice');
  let alice = await Person.at(context);
  const email = await alice.signUp(server.url, 'Alice');
  const { account } = alice;
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const home = new URL(alice.page.url()).pathname.replace(/\/p\/.*$/, '');
  await alice.waitForOfflineShell();

  // The server stops; the tab stays open.
  await server.stop();
  await pressNewPage(alice, null);
  await typeTitle(alice, 'Tides');
  await alice.putCaretAtEnd();
  await alice.type('high at noon');
  await alice.waitForReceipt('device');
  const tides = alice.documentId;
  await pressNewPage(alice, 'Tides');
  await typeTitle(alice, 'Moon');
  await alice.putCaretAtEnd();
  await alice.type('nearly full');
  await alice.waitForReceipt('device');
  const moon = alice.documentId;
  await expect.poll(() => alice.page.getByText('On this device only until the server answers').count()).toBe(1);

  // Kill the tab, then the browser: both pages are in the tree with their names, and open.
  await alice.page.waitForTimeout(800);
  await alice.page.close();
  await closeBrowser(context);
  context = await device('alice');
  alice = await Person.at(context);
  await alice.page.goto(`${server.url}${home}`);
  await treeLink(alice, 'Moon').waitFor({ timeout: 20_000 });
  await treeLink(alice, 'Tides').click();
  await expect.poll(() => alice.bodyText(), { timeout: 15_000 }).toBe('high at noon');
  await alice.waitForReceipt('device');
  await treeLink(alice, 'Moon').click();
  await expect.poll(() => alice.bodyText(), { timeout: 15_000 }).toBe('nearly full');
  await alice.putCaretAtEnd();
  await alice.type(' tonight');

  // The server is back; no one presses anything.
  server = await WeftServer.start({ folder, port: server.port });
  const log = serviceClient(server);
  await alice.page.locator('[data-receipt="saved"]').first().waitFor({ timeout: 60_000 });
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
  const link = await account.createLink(moon, 'editor');
  const laptop = await Person.at(await device('laptop'));
  await laptop.page.goto(`${server.url}/sign-in`);
  await laptop.signIn(email);
  await treeLink(laptop, 'Tides').click();
  await expect.poll(() => laptop.bodyText(), { timeout: 15_000 }).toBe('high at noon');
  const bob = await Person.at(await device('bob'));
  await bob.signUp(server.url, 'Bob');
  await bob.page.goto(link);
  await expect.poll(() => bob.bodyText(), { timeout: 15_000 }).toBe('nearly full tonight');
});

test('a cold start without a server opens every page stored on the device and says so for the others', async () => {
  const folder = join(scratch, 'data');
  const server = await WeftServer.start({ folder });
  const phone = await Person.at(await device('phone'));
  const email = await phone.signUp(server.url, 'Dave');
  await phone.createWorkspace('Tide Check');
  for (const name of ['One', 'Two', 'Three', 'Unread']) {
    await phone.newPage();
    await typeTitle(phone, name);
    await phone.putCaretAtEnd();
    await phone.type(`words of ${name}`);
    await phone.waitForReceipt('saved');
  }
  const named = async () =>
    (await serviceClient(server).from('documents').select('title').like('body_text', 'words of %')).data?.length;
  await expect.poll(named, { timeout: 20_000 }).toBe(4);

  let context = await device('laptop');
  let dave = await Person.at(context);
  await dave.page.goto(`${server.url}/sign-in`);
  await dave.signIn(email);
  for (const name of ['One', 'Two', 'Three']) {
    await treeLink(dave, name).click();
    await expect.poll(() => dave.bodyText(), { timeout: 15_000 }).toBe(`words of ${name}`);
  }
  const address = dave.page.url();
  await dave.waitForOfflineShell();
  await closeBrowser(context);
  await server.stop();

  context = await device('laptop');
  dave = await Person.at(context);
  // Open a page by its address in a new browser process.
  await dave.page.goto(address);
  await expect.poll(() => dave.bodyText(), { timeout: 15_000 }).toBe('words of Three');
  for (const name of ['One', 'Two']) {
    await treeLink(dave, name).click();
    await expect.poll(() => dave.bodyText(), { timeout: 15_000 }).toBe(`words of ${name}`);
  }
  // The home list shows pages that open here first; the rest say so.
  await dave.page.getByRole('link', { name: 'Home', exact: true }).click();
  const rows = dave.page.locator('.home .list > li');
  await expect.poll(() => rows.filter({ hasText: 'not on this device' }).count(), { timeout: 15_000 }).toBe(2);
  expect((await rows.allTextContents()).slice(0, 3).every((row) => !row.includes('not on this device'))).toBe(true);
  await treeRows(dave).filter({ hasText: 'Unread' }).click();
  await dave.page.getByRole('heading', { name: 'This page is not on this device' }).waitFor();
});

test('a page whose parent is gone keeps its text, says so, and can be saved as a file', async () => {
  const server = await WeftServer.start();
  const alice = await Person.at(await device('alice'));
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await typeTitle(alice, 'Shared');
  const link = await alice.createLink('edit');

  const context = await device('bob');
  const bob = await Person.at(context);
  await bob.signUp(server.url, 'Bob');
  await bob.page.goto(link);
  await bob.waitUntilEditable();
  await treeLink(bob, 'Shared').waitFor();
  await context.setOffline(true);
  await pressNewPage(bob, 'Shared');
  await bob.putCaretAtEnd();
  await bob.type('my own words');
  await bob.waitForReceipt('device');

  // The link is revoked while he is offline.
  await alice.button('Share').click();
  await alice.page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  await alice.page.getByText('Link revoked').waitFor();
  await context.setOffline(false);
  await bob.page.getByText('its parent page was deleted, or you can’t open it').waitFor({ timeout: 60_000 });
  await bob.waitForReceipt('refused');
  expect(await bob.bodyText()).toBe('my own words');

  // He may not make pages at the top either; trying loses nothing.
  await bob.button('Move to top level').click();
  await bob.page.getByText('you can’t create pages in this workspace').waitFor({ timeout: 30_000 });
  const [download] = await Promise.all([bob.page.waitForEvent('download'), bob.button('Download a copy').click()]);
  expect(download.suggestedFilename()).toMatch(/-unsent-edits\.yjs$/);

  // The workspace no longer admits him; its screen offers his unsent text too.
  await bob.page.reload();
  await bob.page.getByText('edits weren’t saved. They are still on this device').waitFor({ timeout: 30_000 });
  const [copy] = await Promise.all([bob.page.waitForEvent('download'), bob.button('Download a copy').click()]);
  expect(await readFile(await copy.path(), 'utf8')).toContain('my own words');
});

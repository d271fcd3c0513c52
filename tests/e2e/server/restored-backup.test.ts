// The server goes back to a backup while people have a page open (docs/backup.md). Their devices put back what it lost; after a
// restore that is final they keep it as a file instead.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { shownPages } from '../../support/browser/shown-pages.ts';
import { backupCommand } from '../../support/server/backup-file.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let browser: Browser;
beforeEach(async () => {
  scratch = await temporaryFolder('restored');
  browser = await launchBrowser();
});
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0];
  if (error !== undefined) error.message += `\n\n${await shownPages(browser)}`;
  await browser.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

const newPerson = async (): Promise<Person> => Person.at(await browser.newContext(NO_SERVICE_WORKER));

/** Alice and Bob write in a page that others watch; a backup has "one two", and both devices "one two three four". */
async function writeAcrossBackup() {
  const server = await WeftServer.start({ folder: join(scratch, 'data') });
  const [alice, bob] = [await newPerson(), await newPerson()];
  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.goToEnd();
  await alice.insert('one two');
  await alice.waitForReceipt('saved');
  const [editLink, watchLink] = [await alice.createLink('edit'), await alice.createLink('watch')];
  await bob.signUp(server.url, 'Bob');
  await bob.page.goto(editLink);
  await bob.waitUntilEditable();
  const watcher = new Watcher(await (await browser.newContext(NO_SERVICE_WORKER)).newPage());
  await watcher.open(watchLink);

  const file = join(scratch, 'weft.tar');
  expect(await backupCommand('backup', file, '--data', server.folder)).toMatch(/^0: /);
  await alice.goToEnd();
  await alice.insert(' three four');
  for (const one of [alice, bob, watcher]) await shows(one, 'one two three four');
  await alice.waitForReceipt('saved');
  await server.stop();
  return { server, file, alice, bob, watcher };
}

const textOf = (one: Person | Watcher): Promise<string> => (one instanceof Person ? one.bodyText() : one.text());

async function shows(one: Person | Watcher, text: string): Promise<void> {
  await expect.poll(() => textOf(one), { timeout: 60_000 }).toBe(text);
}

async function restore(server: WeftServer, file: string, ...options: readonly string[]): Promise<WeftServer> {
  const folder = join(scratch, 'elsewhere');
  expect(await backupCommand('restore', file, '--data', folder, ...options)).toMatch(/^0: /);
  return WeftServer.start({ folder, port: server.port });
}

test('after a restore, open tabs put back what the server lost, and everyone has the same page', async () => {
  const { server: before, file, alice, bob, watcher } = await writeAcrossBackup();
  const server = await restore(before, file);
  await bob.page.reload();
  await shows(bob, 'one two three four');
  await bob.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
  await bob.goToEnd();
  await bob.insert(' five');
  // A key may come while the page is being put back.
  await alice.goToEnd();
  await alice.insert(' six');

  await expect.poll(async () => sorted(await bob.bodyText()), { timeout: 60_000 }).toBe('five four one six three two');
  await Promise.all([alice.waitForReceipt('saved'), bob.waitForReceipt('saved')]);
  const text = await bob.bodyText();
  for (const one of [alice, bob, watcher]) await shows(one, text);
  expect(await replayText(serviceClient(server), alice.documentId)).toBe(text);

  // What was put back can be taken away again.
  const address = alice.page.url();
  await alice.page.goto(`${address}/history`);
  const version = alice.page
    .getByRole('list', { name: 'Versions' })
    .getByRole('listitem')
    .filter({ hasText: 'Before lost edits were put back' });
  await version.first().waitFor();
  await version.first().hover();
  await version
    .first()
    .getByRole('button', { name: /^More for/ })
    .click();
  await alice.page.getByRole('menuitem', { name: 'Restore page' }).click();
  const dialog = alice.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Restore page' }).click();
  await shows(bob, 'one two');
}, 180_000);

test('after a final restore nothing comes back: what was lost is a file, and both go on', async () => {
  const { server: before, file, alice, bob, watcher } = await writeAcrossBackup();
  const server = await restore(before, file, '--final');
  await bob.page.reload();
  for (const one of [alice, bob, watcher]) await shows(one, 'one two');
  await alice.waitForReceipt('refused');
  await alice.receipt.click();
  const details = alice.page.getByRole('dialog', { name: 'Where your edits are' });
  await details
    .getByText(
      'The server was restored from an earlier state for good. What this device had since then is kept as a file.',
    )
    .waitFor();
  const download = alice.page.waitForEvent('download');
  await details.getByRole('button', { name: 'Download a copy' }).click();
  expect((await download).suggestedFilename()).not.toBe('');
  await alice.page.keyboard.press('Escape');

  await bob.goToEnd();
  await bob.insert(' five');
  await shows(alice, 'one two five');
  await alice.goToEnd();
  await alice.insert(' six');
  for (const one of [alice, bob, watcher]) await shows(one, 'one two five six');
  await expect.poll(() => replayText(serviceClient(server), alice.documentId)).toBe('one two five six');
}, 180_000);

const sorted = (text: string): string => text.trim().split(/\s+/).sort().join(' ');

// The server goes back to a backup that lacks an account (docs/backup.md): the sign-in ends, nothing leaves the device, and the account
// that comes next with the same address has it.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { shownPages } from '../../support/browser/shown-pages.ts';
import { backupCommand } from '../../support/server/backup-file.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let browser: Browser;
beforeEach(async () => {
  scratch = await temporaryFolder('restored-accounts');
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

test('an account that the restored server does not know loses nothing, and comes back with its words', async () => {
  const before = await WeftServer.start({ folder: join(scratch, 'data') });
  const [olga, alice] = [await newPerson(), await newPerson()];
  await olga.signUp(before.url, 'Olga');
  await olga.createWorkspace('North Quay');
  await olga.newPage();
  await olga.goToEnd();
  await olga.insert('one');
  await olga.waitForReceipt('saved');
  const [shared, editLink] = [olga.documentId, await olga.createLink('edit')];
  const file = join(scratch, 'weft.tar');
  expect(await backupCommand('backup', file, '--data', before.folder)).toMatch(/^0: /);

  // Alice comes after the backup. She has a page of her own, and writes in Olga's.
  const email = await alice.signUp(before.url, 'Alice');
  await alice.createWorkspace('East Quay');
  await alice.newPage();
  await alice.goToEnd();
  await alice.insert('tides');
  await alice.waitForReceipt('saved');
  await alice.page.goto(editLink);
  await alice.waitUntilEditable();
  await alice.goToEnd();
  await alice.insert(' two');
  await alice.waitForReceipt('saved');
  await olga.page.close();
  await before.stop();
  const folder = join(scratch, 'elsewhere');
  expect(await backupCommand('restore', file, '--data', folder)).toMatch(/^0: /);
  const server = await WeftServer.start({ folder, port: before.port });

  // The sign-in ends. She goes on writing.
  await alice.page
    .getByText('Sign in again to save. Your edits are kept on this device.')
    .first()
    .waitFor({ timeout: 60_000 });
  await alice.goToEnd();
  await alice.insert(' three');
  await alice.waitForReceipt('device');
  expect(await alice.bodyText()).toBe('one two three');

  await alice.page.goto(`${server.url}/sign-up`);
  await alice.page.getByText('create it again with the same address to keep them').waitFor();
  await alice.field('Name').fill('Alice');
  await alice.fillIn(email);
  await alice.button('Create account').click();
  await alice.page.waitForURL((address) => !address.pathname.startsWith('/sign-up'));

  // What no page takes is a file: her page, the welcome page of her workspace, and what she holds of Olga’s.
  await alice.page.goto(`${server.url}/account`);
  const pages = alice.page.getByRole('list', { name: 'Unsent edits' }).getByRole('listitem');
  await expect.poll(() => pages.count(), { timeout: 30_000 }).toBe(3);
  const downloading = alice.page.waitForEvent('download');
  await alice.button('Download a copy').click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain('tides');
  expect(text).toContain('one two three');

  // When she may edit Olga's page again, her words are put back.
  await alice.page.goto(editLink);
  await alice.waitUntilEditable();
  await expect.poll(() => replayText(serviceClient(server), shared), { timeout: 30_000 }).toBe('one two three');
}, 180_000);

// The server goes back to a backup that lacks pages (docs/backup.md): the device that holds them makes them again. After a restore that
// is final they stay on the device.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { shownPages } from '../../support/browser/shown-pages.ts';
import { backupCommand } from '../../support/server/backup-file.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let browser: Browser;
beforeEach(async () => {
  scratch = await temporaryFolder('restored-pages');
  browser = await launchBrowser();
});
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0];
  if (error !== undefined) error.message += `\n\n${await shownPages(browser)}`;
  await browser.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

/** Alice makes two pages after the backup, and has the second one open when the server goes back. */
async function writePagesAfterBackup(...options: readonly string[]) {
  const before = await WeftServer.start({ folder: join(scratch, 'data') });
  const alice = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  await alice.signUp(before.url, 'Alice');
  await alice.createWorkspace('North Quay');
  const file = join(scratch, 'weft.tar');
  expect(await backupCommand('backup', file, '--data', before.folder)).toMatch(/^0: /);
  const pages: string[] = [];
  for (const text of ['tides', 'ships']) {
    await alice.newPage();
    await alice.goToEnd();
    await alice.insert(text);
    await alice.waitForReceipt('saved');
    pages.push(alice.documentId);
  }
  await before.stop();
  const folder = join(scratch, 'elsewhere');
  expect(await backupCommand('restore', file, '--data', folder, ...options)).toMatch(/^0: /);
  const server = await WeftServer.start({ folder, port: before.port });
  return { server, alice, pages };
}

test('pages that the restored server has never heard of are made again with their words, open or not', async () => {
  const { server, alice, pages } = await writePagesAfterBackup();
  const log = serviceClient(server);
  const textOf = (page: string) => replayText(log, page);
  for (const [at, text] of ['tides', 'ships'].entries()) {
    await expect.poll(() => textOf(pages[at] ?? ''), { timeout: 60_000 }).toBe(text);
  }
  await alice.waitForReceipt('saved');
  await alice.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
  await alice.goToEnd();
  await alice.insert(' and boats');
  await alice.waitForReceipt('saved');
  expect(await textOf(pages[1] ?? '')).toBe('ships and boats');
  const { data } = await log.from('documents').select('id, access, parent_id').in('id', pages).order('id');
  expect(data).toHaveLength(2);
  expect(data).toEqual(pages.toSorted().map((id) => ({ id, access: 'workspace', parent_id: null })));
}, 180_000);

test('after a final restore such pages stay on the device, where they can be read and downloaded', async () => {
  const { server, alice, pages } = await writePagesAfterBackup('--final');
  await alice.page
    .getByText('The server was restored from an earlier state for good, without this page. It is only on this device.')
    .waitFor({ timeout: 60_000 });
  expect(await alice.bodyText()).toBe('ships');
  await alice.waitForReceipt('refused');
  for (const page of pages) expect(await readLog(serviceClient(server), page)).toEqual([]);
  await alice.receipt.click();
  const details = alice.page.getByRole('dialog', { name: 'Where your edits are' });
  const download = alice.page.waitForEvent('download');
  await details.getByRole('button', { name: 'Download a copy' }).click();
  expect((await download).suggestedFilename()).not.toBe('');
}, 180_000);

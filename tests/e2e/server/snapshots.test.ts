// The app makes a snapshot of a long page in a web worker, and the next device opens the page from it.
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { serviceClient } from '../../support/server/log-replay.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let browser: Browser;
beforeEach(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

test('a long page gets a snapshot some seconds after the last key, and another device opens from it', async () => {
  const server = await WeftServer.start();
  const database = serviceClient(server);
  const writer = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  const workers: string[] = [];
  writer.page.on('worker', (worker) => workers.push(worker.url()));
  await writer.signUp(server.url, 'Alice');
  await writer.createWorkspace('Long Reads');
  await writer.newPage();
  const editLink = await writer.createLink('edit');
  await writer.putCaretAtEnd();
  const paragraph = 'The quick brown fox jumps over the lazy dog. '.repeat(240);
  for (let n = 0; n < 11; n++) {
    await writer.page.keyboard.insertText(`${n} ${paragraph}`);
    await writer.page.keyboard.press('Enter');
  }
  await writer.page.keyboard.insertText('The end.');
  const written = await writer.bodyText();

  const snapshotCount = async () => {
    const rows = await database.from('document_snapshots').select('seq').eq('document_id', writer.documentId);
    return rows.data?.length ?? 0;
  };
  await expect.poll(snapshotCount, { timeout: 60_000 }).toBe(1);
  expect(workers.filter((url) => url.includes('snapshot-worker'))).toHaveLength(1);
  // The end of a request is reported a moment later.
  await expect.poll(() => writer.page.workers().length).toBe(0);

  const reader = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  await reader.signUp(server.url, 'Bob');
  const opened: unknown[] = [];
  reader.page.on('response', (response) => {
    if (response.url().endsWith('/rpc/open_document')) void response.json().then((answer) => opened.push(answer));
  });
  await reader.page.goto(editLink);
  await reader.waitUntilEditable();
  await expect.poll(() => isSame(reader, written)).toBe(true);
  expect(opened).toMatchObject([{ snapshot: { seq: expect.any(Number) }, more: false }]);
  // An edit by the second device builds on the snapshot, and the writer sees it.
  await reader.goToEnd();
  await reader.type(' Or not.');
  await expect.poll(() => isSame(writer, `${written} Or not.`)).toBe(true);
});

/** Compares here, so that a failure message does not contain a hundred thousand characters. */
const isSame = async (person: Person, text: string): Promise<boolean> => (await person.bodyText()) === text;

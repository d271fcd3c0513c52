// A database that is put back by PostgreSQL's own means, without a word to Weft: a copy of its files and the log of writes, recovered up
// to a moment. Devices notice it, and put back what came after.
import { appendFile, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { shownPages } from '../../support/browser/shown-pages.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { copyFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let browser: Browser;
beforeEach(async () => {
  scratch = await temporaryFolder('recovered');
  browser = await launchBrowser();
});
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0];
  if (error !== undefined) error.message += `\n\n${await shownPages(browser)}`;
  await browser.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

async function append(person: Person, text: string): Promise<void> {
  await person.goToEnd();
  await person.insert(text);
  await person.waitForReceipt('saved');
}

/** The base backup's files with the log of writes, which PostgreSQL follows up to a moment when it starts. */
async function recoverTo(moment: Date, folder: string, archive: string): Promise<void> {
  const cluster = join(folder, 'postgres');
  await cp(archive, join(cluster, 'archive'), { recursive: true });
  await writeFile(join(cluster, 'recovery.signal'), '');
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp "archive/%f" "%p"'`,
      `recovery_target_time = '${moment.toISOString().replace('T', ' ').replace('Z', '+00')}'`,
      `recovery_target_action = 'promote'`,
      // Weft waits until the recovery is over.
      `hot_standby = off`,
      '',
    ].join('\n'),
  );
}

test('a database that PostgreSQL recovered to an earlier moment gets back what a device holds', async () => {
  const [data, base, archive] = [join(scratch, 'data'), join(scratch, 'base'), join(scratch, 'archive')];
  const first = await WeftServer.start({ folder: data });
  const alice = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  await alice.signUp(first.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await append(alice, 'one');
  await first.stop();
  await copyFolder(data, base);

  const second = await WeftServer.start({ folder: data, port: first.port });
  await append(alice, ' two');
  const rowsThen = (await readLog(serviceClient(second), alice.documentId)).length;
  const moment = new Date();
  await append(alice, ' three');
  await copyFolder(join(data, 'postgres', 'pg_wal'), archive);
  await second.stop();

  await recoverTo(moment, base, archive);
  const recovered = await WeftServer.start({ folder: base, port: first.port });
  const log = serviceClient(recovered);
  await expect.poll(() => replayText(log, alice.documentId), { timeout: 60_000 }).toBe('one two three');
  await alice.waitForReceipt('saved');
  // The recovery stopped between the two edits: the rest is one row that belongs to no session.
  const rows = await readLog(log, alice.documentId);
  expect(rows).toHaveLength(rowsThen + 1);
  expect(rows.at(-1)?.session).toBe('00000000-0000-0000-0000-000000000000');
  await append(alice, ' four');
  expect(await replayText(log, alice.documentId)).toBe('one two three four');
}, 180_000);

// Text survives a reload, a closed tab, offline work, a stopped server and a restart of the browser.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchProfile } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let context: BrowserContext;
beforeEach(async () => {
  scratch = await temporaryFolder('offline');
});
afterEach(async () => {
  await context.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

test('text is there exactly once after a reload, a closed tab, offline work and a cold start without a server', async () => {
  const profile = join(scratch, 'profile');
  const folder = join(scratch, 'data');
  let server = await WeftServer.start({ folder });
  const log = serviceClient(server);
  context = await launchProfile(profile);
  let person = await Person.at(context);
  await person.signUp(server.url, 'Dave');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  const address = person.page.url();
  const document = person.documentId;
  await person.waitForOfflineShell();

  // A reload.
  await person.putCaretAtEnd();
  await person.type('one ');
  await person.page.reload();
  await person.waitUntilEditable();
  // Either the request that outlives the page or its outbox delivers the text.
  await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe('one ');

  // Close a tab in the middle of a word, without waiting for the receipt.
  await person.putCaretAtEnd();
  await person.type('two ', 30);
  await person.page.close();
  person = await Person.at(context);
  await person.page.goto(address);
  await person.waitUntilEditable();
  await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe('one two ');
  await person.waitForReceipt('saved');

  // Offline, the page shows where the edits are, and a reload finds them.
  await context.setOffline(true);
  await person.putCaretAtEnd();
  await person.type('three ');
  await person.waitForReceipt('device');
  await person.page.reload();
  await person.body.waitFor();
  await expect.poll(() => person.bodyText()).toBe('one two three ');
  expect(await replayText(log, document)).toBe('one two ');

  // A cold start: no server, and a new browser process.
  await context.close();
  await server.stop();
  context = await launchProfile(profile);
  person = await Person.at(context);
  await person.page.goto(address);
  await expect.poll(() => person.bodyText(), { timeout: 15_000 }).toBe('one two three ');
  await person.waitForReceipt('device');
  await person.putCaretAtEnd();
  await person.type('four ');
  await person.waitForReceipt('device');

  // Back online, everything arrives exactly once, also as seen by another reader.
  server = await WeftServer.start({ folder, port: server.port });
  await person.page.locator('[data-receipt="saved"]').first().waitFor({ timeout: 60_000 });
  expect(await person.bodyText()).toBe('one two three four ');
  expect(await replayText(serviceClient(server), document)).toBe('one two three four ');
  await person.page.reload();
  await person.waitUntilEditable();
  expect(await person.bodyText()).toBe('one two three four ');
});

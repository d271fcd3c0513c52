// Nothing that was written is lost: not by a reload, a closed tab, no network, a dead server or a restarted browser.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchProfile } from '../support/browser.ts';
import { replayText, serviceClient } from '../support/log-replay.ts';
import { Person } from '../support/person.ts';
import { WeftServer } from '../support/weft-server.ts';

let scratch: string;
let context: BrowserContext;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'weft-offline-'));
});
afterEach(async () => {
  await context.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

test('what was written is there, once: reload, closed tab, offline, cold start without a server, and back', async () => {
  const profile = join(scratch, 'profile');
  const folder = join(scratch, 'data');
  let server = await WeftServer.start({ folder });
  const log = serviceClient(server);
  context = await launchProfile(profile);
  let person = await Person.at(context);
  await person.signUp(server.url, 'Dora');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  const address = person.page.url();
  const document = person.documentId;
  await expectOfflineShell(person);

  // A reload.
  await person.putCaretAtEnd();
  await person.type('one ');
  await person.page.reload();
  await person.waitUntilEditable();
  // By the last words of the dying page to the server or by its outbox, whichever comes first.
  await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe('one ');

  // A tab closed in the middle of a word: nobody waits for the receipt.
  await person.putCaretAtEnd();
  await person.type('two ', 30);
  await person.page.close();
  person = await Person.at(context);
  await person.page.goto(address);
  await person.waitUntilEditable();
  await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe('one two ');
  await person.waitForReceipt('saved');

  // No network: the page goes on and says where the edits are; a reload finds them.
  await context.setOffline(true);
  await person.putCaretAtEnd();
  await person.type('three ');
  await person.waitForReceipt('device');
  await person.page.reload();
  await person.body.waitFor();
  await expect.poll(() => person.bodyText()).toBe('one two three ');
  expect(await replayText(log, document)).toBe('one two ');

  // A cold start: no server, and the browser's own process is a new one.
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

  // Back: everything arrives, once, and survives one more look from outside.
  server = await WeftServer.start({ folder, port: server.port });
  await person.page.locator('[data-receipt="saved"]').first().waitFor({ timeout: 60_000 });
  expect(await person.bodyText()).toBe('one two three four ');
  expect(await replayText(serviceClient(server), document)).toBe('one two three four ');
  await person.page.reload();
  await person.waitUntilEditable();
  expect(await person.bodyText()).toBe('one two three four ');
});

/** The worker is active and holds the app and its configuration. */
async function expectOfflineShell(person: Person): Promise<void> {
  const kept = () =>
    person.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      return (await caches.match('/config.json')) !== undefined;
    });
  await expect.poll(kept, { timeout: 15_000 }).toBe(true);
}

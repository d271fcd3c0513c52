// The server is killed while two people write. Edits that a receipt called saved are in its log afterwards; the browsers send
// the others from their outboxes.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { observeReceipts } from '../../support/browser/receipts.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
let browser: Browser;
beforeEach(async () => {
  scratch = await temporaryFolder('killed');
  browser = await launchBrowser();
});
afterEach(async () => {
  await browser.close();
  await WeftServer.stopAll();
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

test('every edit called saved survives a SIGKILL, every other one arrives when the server is back', async () => {
  const folder = join(scratch, 'data');
  let server = await WeftServer.start({ folder });
  const alice = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
  const bob = await Person.at(await browser.newContext(NO_SERVICE_WORKER));

  // The longest text of each person that their receipt called saved.
  const saved = { alice: '', bob: '' };
  await observeReceipts(alice.page, ({ receipt, text }) => {
    if (receipt === 'saved') saved.alice = only(text, UPPER);
  });
  await observeReceipts(bob.page, ({ receipt, text }) => {
    if (receipt === 'saved') saved.bob = only(text, LOWER);
  });

  await alice.signUp(server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const editLink = await alice.createLink('edit');
  await bob.signUp(server.url, 'Bob');
  await bob.page.goto(editLink);
  await bob.waitUntilEditable();
  await Promise.all([alice.putCaretAtEnd(), bob.putCaretAtEnd()]);

  const [alicesText, bobsText] = [lettersOf(UPPER, 200), lettersOf(LOWER, 200)];
  const typing = Promise.all([typeInBursts(alice, alicesText), typeInBursts(bob, bobsText)]);
  await expect.poll(() => Math.min(saved.alice.length, saved.bob.length), { timeout: 30_000 }).toBeGreaterThan(20);
  await server.kill();
  const promised = { ...saved };
  await typing;

  // Both are offline, so that no one can send the edits again: the server itself must have them.
  await Promise.all([alice.page.context().setOffline(true), bob.page.context().setOffline(true)]);
  server = await WeftServer.start({ folder, port: server.port });
  const survived = await replayText(serviceClient(server), alice.documentId);
  expect(promised.alice.length).toBeGreaterThan(20);
  expect(only(survived, UPPER).startsWith(promised.alice)).toBe(true);
  expect(only(survived, LOWER).startsWith(promised.bob)).toBe(true);
  expect(survived.length).toBeLessThan(alicesText.length + bobsText.length);

  await Promise.all([alice.page.context().setOffline(false), bob.page.context().setOffline(false)]);
  await expect
    .poll(() => alice.bodyText().then((text) => text.length), { timeout: 60_000 })
    .toBe(alicesText.length + bobsText.length);
  const text = await alice.bodyText();
  expect(only(text, UPPER)).toBe(alicesText);
  expect(only(text, LOWER)).toBe(bobsText);
  await expect.poll(() => bob.bodyText(), { timeout: 30_000 }).toBe(text);
  await Promise.all([alice.waitForReceipt('saved'), bob.waitForReceipt('saved')]);
  expect(await replayText(serviceClient(server), alice.documentId)).toBe(text);
});

/** Types with pauses long enough for a receipt; without a pause it never says "Saved". */
async function typeInBursts(person: Person, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += 10) {
    await person.type(text.slice(at, at + 10), 30);
    await person.page.waitForTimeout(600);
  }
}

// The server is killed while two people write. Edits that a receipt called saved are there afterwards; the others
// come from the outboxes.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';
import { observeReceipts } from '../../support/browser/receipts.ts';
import { WeftServer } from '../../support/server/weft-server.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

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
  const ada = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));
  const bert = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));

  // The longest own text that each screen called saved.
  const saved = { ada: '', bert: '' };
  await observeReceipts(ada.page, ({ receipt, text }) => {
    if (receipt === 'saved') saved.ada = only(text, UPPER);
  });
  await observeReceipts(bert.page, ({ receipt, text }) => {
    if (receipt === 'saved') saved.bert = only(text, LOWER);
  });

  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  const editLink = await ada.createLink('edit');
  await bert.signUp(server.url, 'Bert');
  await bert.page.goto(editLink);
  await bert.waitUntilEditable();
  await Promise.all([ada.putCaretAtEnd(), bert.putCaretAtEnd()]);

  const [adasText, bertsText] = [lettersOf(UPPER, 200), lettersOf(LOWER, 200)];
  const typing = Promise.all([typeInBursts(ada, adasText), typeInBursts(bert, bertsText)]);
  await expect.poll(() => Math.min(saved.ada.length, saved.bert.length), { timeout: 30_000 }).toBeGreaterThan(20);
  await server.kill();
  const promised = { ...saved };
  await typing;

  // Nobody may send yet: the server alone has to keep the promise.
  await Promise.all([ada.page.context().setOffline(true), bert.page.context().setOffline(true)]);
  server = await WeftServer.start({ folder, port: server.port });
  const survived = await replayText(serviceClient(server), ada.documentId);
  expect(promised.ada.length).toBeGreaterThan(20);
  expect(only(survived, UPPER).startsWith(promised.ada)).toBe(true);
  expect(only(survived, LOWER).startsWith(promised.bert)).toBe(true);
  expect(survived.length).toBeLessThan(adasText.length + bertsText.length);

  await Promise.all([ada.page.context().setOffline(false), bert.page.context().setOffline(false)]);
  await expect
    .poll(() => ada.bodyText().then((text) => text.length), { timeout: 60_000 })
    .toBe(adasText.length + bertsText.length);
  const text = await ada.bodyText();
  expect(only(text, UPPER)).toBe(adasText);
  expect(only(text, LOWER)).toBe(bertsText);
  await expect.poll(() => bert.bodyText(), { timeout: 30_000 }).toBe(text);
  await Promise.all([ada.waitForReceipt('saved'), bert.waitForReceipt('saved')]);
  expect(await replayText(serviceClient(server), ada.documentId)).toBe(text);
});

/** Types with pauses long enough for a receipt; without a pause it never says "Saved". */
async function typeInBursts(person: Person, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += 10) {
    await person.type(text.slice(at, at + 10), 30);
    await person.page.waitForTimeout(600);
  }
}

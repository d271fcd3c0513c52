// Reloading in the very moment of writing, again and again: the keys of the last milliseconds are the ones at risk.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { replayText, serviceClient } from '../support/log-replay.ts';
import { Person } from '../support/person.ts';
import { WeftServer } from '../support/weft-server.ts';

const RELOADS = 24;

let server: WeftServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

test('no key is lost by a reload that follows it at once', async () => {
  const person = await Person.at(await browser.newContext());
  await person.signUp(server.url, 'Dora');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  let written = '';
  for (let i = 0; i < RELOADS; i++) {
    await person.putCaretAtEnd();
    const word = `${String.fromCharCode(97 + i)}${i}.`;
    await person.type(word);
    written += word;
    await person.page.reload();
    await person.waitUntilEditable();
    await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe(written);
  }
  await person.waitForReceipt('saved');
  expect(await replayText(serviceClient(server), person.documentId)).toBe(written);
});

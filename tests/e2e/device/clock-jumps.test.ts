// A writer's clock jumps by a day, forward and back: nothing is lost, nobody is signed out, and the session goes on.
import { createHmac } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser/browser.ts';
import { LOWER, UPPER, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';
import { installShiftedClock, shiftClock } from '../../support/browser/shifted-clock.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const FRESH = { serviceWorkers: 'block' } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

let server: WeftServer;
let browser: Browser;
let ada: Person;
let bert: Person;
beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  ada = await Person.at(await browser.newContext(FRESH));
  await installShiftedClock(ada.page);
  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  bert = await Person.at(await browser.newContext(FRESH));
  await bert.signUp(server.url, 'Bert');
});
afterAll(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

test('with a clock set a day forward, back, and further back, every word is sent at once and others’ words arrive', async () => {
  await ada.newPage();
  await bert.page.goto(await ada.createLink('edit'));
  await bert.waitUntilEditable();
  await Promise.all([ada.goToEnd(), bert.goToEnd()]);
  let capitals = '';
  let small = '';
  for (const by of [0, DAY_MS, -DAY_MS, -DAY_MS, DAY_MS]) {
    await shiftClock(ada.page, by);
    const letter = String.fromCharCode(65 + capitals.length / 4);
    await ada.type(letter.repeat(4), 30);
    capitals += letter.repeat(4);
    await bert.type(letter.toLowerCase().repeat(4), 30);
    small += letter.toLowerCase().repeat(4);
    for (const person of [ada, bert]) {
      const has = async (alphabet: string) => only(await person.bodyText(), alphabet);
      await expect.poll(() => has(UPPER), { timeout: 10_000, message: `after ${by} ms` }).toBe(capitals);
      await expect.poll(() => has(LOWER), { timeout: 10_000, message: `after ${by} ms` }).toBe(small);
      await person.waitForReceipt('saved');
    }
  }
  const text = await replayText(serviceClient(server), ada.documentId);
  expect(await ada.bodyText()).toBe(text);
  expect(await bert.bodyText()).toBe(text);
});

test('a token that has expired by the server’s clock but not by the page’s is renewed without a new sign-in', async () => {
  await ada.newPage();
  await ada.goToEnd();
  await ada.type('before ');
  await ada.waitForReceipt('saved');
  // A page whose clock was set back by an hour still believes in its token.
  await ada.page.evaluate(
    ({ token }) => {
      const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
      const kept = JSON.parse(localStorage.getItem(name) ?? '{}');
      localStorage.setItem(name, JSON.stringify({ ...kept, access_token: token }));
    },
    { token: overToken(await accessToken(ada)) },
  );
  await ada.page.reload();
  await ada.body.waitFor();
  await ada.goToEnd();
  await ada.type('and after');
  await ada.waitForReceipt('saved');
  expect(await replayText(serviceClient(server), ada.documentId)).toBe('before and after');
  expect(await ada.page.getByText('Sign in again').count()).toBe(0);
});

const accessToken = (person: Person): Promise<string> =>
  person.page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
    return String(JSON.parse(localStorage.getItem(name) ?? '{}').access_token);
  });

/** The same token, as the server would have issued it two hours ago. */
function overToken(token: string): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const past = Math.floor(Date.now() / 1000) - 7200;
  const over = Buffer.from(JSON.stringify({ ...claims, iat: past, exp: past + 3600 })).toString('base64url');
  const signature = createHmac('sha256', server.jwtSecret).update(`${header}.${over}`).digest('base64url');
  return `${header}.${over}.${signature}`;
}

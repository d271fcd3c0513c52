// A writer's clock jumps by a day, forward and back. Nothing is lost, no one is signed out, and the session continues.
import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { installShiftedClock, shiftClock } from '../../support/browser/shifted-clock.ts';
import { LOWER, UPPER, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
beforeAll(async () => {
  alice = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await installShiftedClock(alice.page);
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  bob = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(fixture.server.url, 'Bob');
});

test('while the clock of one person jumps forward and back by days, all text of both people is sent and shown', async () => {
  await alice.newPage();
  await bob.page.goto(await alice.createLink('edit'));
  await bob.waitUntilEditable();
  await Promise.all([alice.goToEnd(), bob.goToEnd()]);
  let capitals = '';
  let small = '';
  for (const by of [0, DAY_MS, -DAY_MS, -DAY_MS, DAY_MS]) {
    await shiftClock(alice.page, by);
    const letter = String.fromCharCode(65 + capitals.length / 4);
    await alice.type(letter.repeat(4), 30);
    capitals += letter.repeat(4);
    await bob.type(letter.toLowerCase().repeat(4), 30);
    small += letter.toLowerCase().repeat(4);
    for (const person of [alice, bob]) {
      const has = async (alphabet: string) => only(await person.bodyText(), alphabet);
      await expect.poll(() => has(UPPER), { timeout: 10_000, message: `after ${by} ms` }).toBe(capitals);
      await expect.poll(() => has(LOWER), { timeout: 10_000, message: `after ${by} ms` }).toBe(small);
      await person.waitForReceipt('saved');
    }
  }
  const text = await replayText(serviceClient(fixture.server), alice.documentId);
  expect(await alice.bodyText()).toBe(text);
  expect(await bob.bodyText()).toBe(text);
});

test('a token that has expired by the server’s clock but not by the page’s is renewed without a new sign-in', async () => {
  await alice.newPage();
  await alice.goToEnd();
  await alice.type('before ');
  await alice.waitForReceipt('saved');
  // A page whose clock is an hour slow takes an expired token for valid.
  await alice.page.evaluate(
    ({ token }) => {
      const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
      const stored = JSON.parse(localStorage.getItem(name) ?? '{}');
      localStorage.setItem(name, JSON.stringify({ ...stored, access_token: token }));
    },
    { token: expiredToken(await accessToken(alice)) },
  );
  await alice.page.reload();
  await alice.body.waitFor();
  await alice.goToEnd();
  await alice.type('and after');
  await alice.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), alice.documentId)).toBe('before and after');
  expect(await alice.page.getByText('Sign in again').count()).toBe(0);
});

const accessToken = (person: Person): Promise<string> =>
  person.page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
    return String(JSON.parse(localStorage.getItem(name) ?? '{}').access_token);
  });

/** The same token, as the server would have issued it two hours ago. */
function expiredToken(token: string): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const past = Math.floor(Date.now() / 1000) - 7200;
  const over = Buffer.from(JSON.stringify({ ...claims, iat: past, exp: past + 3600 })).toString('base64url');
  const signature = createHmac('sha256', fixture.server.jwtSecret).update(`${header}.${over}`).digest('base64url');
  return `${header}.${over}.${signature}`;
}

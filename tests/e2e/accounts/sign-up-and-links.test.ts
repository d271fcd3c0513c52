// Ways into the app: a new account, a guest with an edit link, a second sign-in, and addresses or configurations that are wrong.
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { storedText } from '../../support/browser/stored-text.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

test('with an edit link a guest writes, and both people see it', async () => {
  const alice = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const guest = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await guest.page.goto(await alice.createLink('edit'));
  await guest.button('Continue as guest').click();
  await guest.waitUntilEditable();
  await guest.putCaretAtEnd();
  await guest.type('a guest was here');
  await guest.waitForReceipt('saved');
  await expect.poll(() => alice.bodyText()).toBe('a guest was here');
  expect(await replayText(serviceClient(fixture.server), alice.documentId)).toBe('a guest was here');
  // The guest sees the one shared page and nothing else.
  expect(await guest.page.getByText('Welcome to Weft').count()).toBe(0);
  await Promise.all([alice, guest].map(({ page }) => page.context().close()));
});

test('signing out leaves nothing on the device, and the password brings the same pages back', async () => {
  const alice = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  const email = await alice.signUpOnScreen(fixture.server.url, 'Alice');
  await alice.createWorkspaceOnScreen('South Quay');
  await alice.newPage();
  const address = alice.page.url();
  await alice.putCaretAtEnd();
  await alice.insert('for-later');
  await alice.waitForReceipt('saved');
  await expect.poll(() => storedText(alice.page)).toContain('for-later');

  await alice.signOut();
  await expect.poll(() => storedText(alice.page)).not.toContain('for-later');
  expect(await alice.page.locator('body').innerText()).not.toContain('for-later');
  await alice.page.goto(address);
  await alice.page.waitForURL(/\/sign-in/);

  await alice.signIn(email);
  await alice.page.waitForURL(address);
  await alice.waitUntilEditable();
  expect(await alice.bodyText()).toBe('for-later');
  await alice.page.context().close();
});

test('an unknown address, a page of someone else and a dead link each say so', async () => {
  const alice = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('West Quay');
  await alice.newPage();
  const address = alice.page.url();
  const bob = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.createWorkspace('East Quay');
  const expectText = async (path: string, text: string) => {
    await bob.page.goto(new URL(path, fixture.server.url).href);
    await expect.poll(() => bob.page.locator('body').innerText()).toContain(text);
  };
  await expectText('/no/such/address', 'Page not found');
  await expectText(address, 'You can’t open this page.');
  await expectText(`/s#${'A'.repeat(22)}`, 'This link no longer works.');
  await expectText('/s#too-short', 'This link no longer works.');
  await Promise.all([alice, bob].map(({ page }) => page.context().close()));
});

test('a missing or wrong configuration shows a screen that says what to do', async () => {
  const page = await (await fixture.browser.newContext(NO_SERVICE_WORKER)).newPage();
  const expectText = async (status: number, body: string, text: string) => {
    await page.route('**/config.json', (route) => route.fulfill({ status, body }));
    await page.goto(fixture.server.url);
    await expect.poll(() => page.locator('body').innerText()).toContain(text);
    await page.unroute('**/config.json');
  };
  await expectText(404, '', 'Weft doesn’t know its server yet');
  await expectText(200, '{"url":""}', 'Weft can’t read its configuration');
  await expectText(200, 'nonsense', 'Weft can’t read its configuration');
  // The app continues as soon as the file is right.
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByLabel('Email', { exact: true }).waitFor();
  await page.context().close();
});

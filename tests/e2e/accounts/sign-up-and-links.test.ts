// Signing up, joining as a guest by link, signing out, unknown addresses, and a missing configuration.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { keptText } from '../../support/browser/stored-text.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';

const FRESH = { serviceWorkers: 'block' } as const;

const fixture = useE2eFixture();

test('with an edit link a guest writes, and both people see it', async () => {
  const ada = await Person.at(await fixture.browser.newContext(FRESH));
  await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  const guest = await Person.at(await fixture.browser.newContext(FRESH));
  await guest.page.goto(await ada.createLink('edit'));
  await guest.button('Continue as guest').click();
  await guest.waitUntilEditable();
  await guest.putCaretAtEnd();
  await guest.type('a guest was here');
  await guest.waitForReceipt('saved');
  await expect.poll(() => ada.bodyText()).toBe('a guest was here');
  expect(await replayText(serviceClient(fixture.server), ada.documentId)).toBe('a guest was here');
  // The guest sees the one shared page and nothing else.
  expect(await guest.page.getByText('Welcome to Weft').count()).toBe(0);
  await Promise.all([ada, guest].map(({ page }) => page.context().close()));
});

test('signing out leaves nothing on the device, and the password brings the same pages back', async () => {
  const ada = await Person.at(await fixture.browser.newContext(FRESH));
  const email = await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('South Quay');
  await ada.newPage();
  const address = ada.page.url();
  await ada.putCaretAtEnd();
  await ada.insert('for-later');
  await ada.waitForReceipt('saved');
  await expect.poll(() => keptText(ada.page)).toContain('for-later');

  await ada.signOut();
  await expect.poll(() => keptText(ada.page)).not.toContain('for-later');
  expect(await ada.page.locator('body').innerText()).not.toContain('for-later');
  await ada.page.goto(address);
  await ada.page.waitForURL(/\/sign-in/);

  await ada.signIn(email);
  await ada.page.waitForURL(address);
  await ada.waitUntilEditable();
  expect(await ada.bodyText()).toBe('for-later');
  await ada.page.context().close();
});

test('an unknown address, a page of somebody else and a dead link each say so', async () => {
  const ada = await Person.at(await fixture.browser.newContext(FRESH));
  await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('West Quay');
  await ada.newPage();
  const address = ada.page.url();
  const bert = await Person.at(await fixture.browser.newContext(FRESH));
  await bert.signUp(fixture.server.url, 'Bert');
  await bert.createWorkspace('East Quay');
  const says = async (path: string, text: string) => {
    await bert.page.goto(new URL(path, fixture.server.url).href);
    await expect.poll(() => bert.page.locator('body').innerText()).toContain(text);
  };
  await says('/no/such/address', 'Page not found');
  await says(address, 'You can’t open this page.');
  await says(`/s#${'A'.repeat(22)}`, 'This link no longer works.');
  await says('/s#too-short', 'This link no longer works.');
  await Promise.all([ada, bert].map(({ page }) => page.context().close()));
});

test('a missing or wrong configuration shows a screen that says what to do', async () => {
  const page = await (await fixture.browser.newContext(FRESH)).newPage();
  const says = async (status: number, body: string, text: string) => {
    await page.route('**/config.json', (route) => route.fulfill({ status, body }));
    await page.goto(fixture.server.url);
    await expect.poll(() => page.locator('body').innerText()).toContain(text);
    await page.unroute('**/config.json');
  };
  await says(404, '', 'Weft doesn’t know its server yet');
  await says(200, '{"url":""}', 'Weft can’t read its configuration');
  await says(200, 'nonsense', 'Weft can’t read its configuration');
  // The app continues as soon as the file is right.
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByLabel('Email', { exact: true }).waitFor();
  await page.context().close();
});

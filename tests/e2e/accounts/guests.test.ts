// People who come in by a link without an account: they say their name, and become accounts with everything they wrote.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { PASSWORD } from '../../support/server/account.ts';

const fixture = useE2eFixture();

test('a guest by link names themself, writes, becomes an account, and finds the page on another device', async () => {
  const alice = await fixture.author('Alice', 'Northquay', 'Bring towels. ');
  const link = await alice.createLink('edit');

  const lena = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await lena.page.goto(link);
  await lena.button('Continue as guest').click();
  await lena.waitUntilEditable();
  // Until she says who she is, the others see a guest.
  await alice.page.getByRole('button', { name: 'Here now: Guest' }).waitFor();
  await lena.page.getByText('Others see you as “Guest”.').waitFor();
  await lena.button('Set your name').click();
  await lena.field('Name').fill('Lena Voss');
  await lena.page.keyboard.press('Enter');
  await alice.page.getByRole('button', { name: 'Here now: Lena Voss' }).waitFor();
  await lena.page.keyboard.press('Escape');
  await lena.goToEnd();
  await lena.insert('And tea.');
  await lena.waitForReceipt('saved');
  const address = lena.page.url();

  await lena.button('Create account').click();
  const form = lena.page.getByRole('dialog', { name: 'Create account' });
  const email = `lena.${randomBytes(4).toString('hex')}@weft.example`;
  await form.getByLabel('Email', { exact: true }).fill(email);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Create account' }).click();
  await lena.page.getByText('Your account is ready.').waitFor();
  await form.waitFor({ state: 'detached' });
  // She is still on the page that she writes.
  expect(lena.page.url()).toBe(address);

  const elsewhere = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await elsewhere.page.goto(address);
  await elsewhere.signIn(email);
  await elsewhere.page.waitForURL(address);
  await expect.poll(() => elsewhere.bodyText(), { timeout: 15_000 }).toBe('Bring towels. And tea.');
  // The same person: no longer a guest, and with the name.
  await elsewhere.page.getByRole('button', { name: 'Account of Lena Voss' }).waitFor();
  expect(await elsewhere.page.getByText(/guest on this device/).count()).toBe(0);
});

test('a guest who gives a name with the link is called that from the start', async () => {
  const alice = await fixture.author('Alice', 'Southquay', 'Hello. ');
  const link = await alice.createLink('edit');
  const omar = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await omar.page.goto(link);
  await omar.field('Your name').fill('Omar Haddad');
  await omar.button('Continue as guest').click();
  await omar.waitUntilEditable();
  await alice.page.getByRole('button', { name: 'Here now: Omar Haddad' }).waitFor();
  expect(await omar.button('Set your name').count()).toBe(0);
});

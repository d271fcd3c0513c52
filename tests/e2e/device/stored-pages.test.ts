// When stored pages are deleted from a device: above the storage cap, after losing access, and at a sign-out, in every tab.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { storedText } from '../../support/browser/stored-text.ts';

const fixture = useE2eFixture();

const treeLink = (person: Person, name: string) =>
  person.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name, exact: true });

async function createPage(person: Person, title: string, text: string): Promise<void> {
  await person.newPage();
  await person.page.locator('[aria-label="Page title"]').click();
  await person.type(title);
  await person.putCaretAtEnd();
  await person.insert(text);
  await person.waitForReceipt('saved');
  await treeLink(person, title).waitFor();
  // The title is copied for lists two seconds after it was typed. Until then the page has something unsent.
  const { client } = person.account;
  const listed = async () => (await client.from('documents').select('title').eq('id', person.documentId)).data;
  await expect.poll(listed).toEqual([{ title }]);
}

/** Names of this site's IndexedDB databases. */
const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? '').filter((name) => name !== ''));

/** Ids of the documents stored on the device. */
const storedDocuments = (page: Page) =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases()).map((one) => one.name ?? '').find((one) => /^weft:[^:]/.test(one));
    if (name === undefined) return [];
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
      });
    const database = await settled(indexedDB.open(name));
    const keys = await settled(database.transaction('documents').objectStore('documents').getAllKeys());
    database.close();
    return keys.map(String);
  });

async function signUpWithWorkspace(context: BrowserContext, name: string): Promise<Person> {
  const person = await Person.at(context);
  await person.signUp(fixture.server.url, name);
  await person.createWorkspace('Tide Check');
  return person;
}

test('above the storage cap the least recently opened pages leave the device, and a page with unsent text stays', async () => {
  const context = await fixture.browser.newContext(NO_SERVICE_WORKER);
  await context.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), deviceMegabytes: 0.1 } });
  });
  const dave = await signUpWithWorkspace(context, 'Dave');
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    await createPage(dave, name, 'long words '.repeat(4_000));
    ids.push(dave.documentId);
  }
  const [one = '', two = '', three = ''] = ids;
  // Everything is on the server by now. A reload measures the stored pages and deletes the oldest.
  await dave.page.reload();
  await dave.waitUntilEditable();
  await expect.poll(async () => (await storedDocuments(dave.page)).includes(one), { timeout: 20_000 }).toBe(false);
  expect(await storedDocuments(dave.page)).toEqual(expect.arrayContaining([two, three]));

  // A page with text that is nowhere else stays, however old it is.
  await treeLink(dave, 'Two').click();
  await dave.waitUntilEditable();
  await context.setOffline(true);
  await dave.putCaretAtEnd();
  await dave.type('unsent');
  await dave.waitForReceipt('device');
  await treeLink(dave, 'Three').click();
  await dave.body.waitFor();
  await dave.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: /^One/ }).click();
  await dave.page.getByRole('heading', { name: 'This page is not on this device' }).waitFor();
  expect(await storedDocuments(dave.page)).toContain(two);
  await context.close();
});

test('signing out with unsent edits asks, saves a copy, then leaves nothing on the device, even while other tabs write', async () => {
  const context = await fixture.browser.newContext();
  const alice = await signUpWithWorkspace(context, 'Alice');
  // The code of the dialog loads when it opens.
  await alice.waitForOfflineShell();
  await createPage(alice, 'Plan', 'on the server');
  const other = await Person.at(context);
  await other.page.goto(alice.page.url());
  await other.waitUntilEditable();
  await context.setOffline(true);
  await other.putCaretAtEnd();
  await other.type(' zephyrs');
  await other.waitForReceipt('device');

  await alice.page.getByRole('button', { name: /^Account of / }).click();
  await alice.button('Sign out').click();
  await alice.page.getByText('8 edits on 1 page are on this device only.').waitFor();
  const [download] = await Promise.all([alice.page.waitForEvent('download'), alice.button('Download a copy').click()]);
  expect(await readFile(await download.path(), 'utf8')).toContain('on the server zephyrs');
  expect(await storedText(alice.page)).toContain('Tide Check');
  await alice.button('Sign out and delete').click();
  await alice.page.waitForURL(/\/sign-in/, { timeout: 20_000 });
  await other.page.waitForURL(/\/sign-in/, { timeout: 20_000 });

  // The other tab was in the middle of a word; give it time to write again.
  await other.page.waitForTimeout(3_000);
  await expect.poll(() => databases(other.page), { timeout: 10_000 }).toEqual([]);
  const left = await storedText(other.page);
  for (const words of ['on the server', 'zephyrs', 'Plan', 'Tide Check', 'alice.', 'access_token']) {
    expect(left).not.toContain(words);
  }
  // After a reload no one is signed in, in either tab.
  await other.page.reload();
  await other.page.waitForURL(/\/sign-in/);
  expect(await databases(other.page)).toEqual([]);
  await context.close();
});

test('when a person loses access to a page, it vanishes from their device and their screen', async () => {
  const alices = await fixture.browser.newContext(NO_SERVICE_WORKER);
  const bobs = await fixture.browser.newContext(NO_SERVICE_WORKER);
  const alice = await signUpWithWorkspace(alices, 'Alice');
  await createPage(alice, 'Open page', 'secret of the harbour');
  const link = await alice.createLink('edit');
  const bob = await Person.at(bobs);
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(link);
  await bob.waitUntilEditable();
  expect(await storedDocuments(bob.page)).toEqual([alice.documentId]);

  await alice.button('Share').click();
  await alice.page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  await bob.page.getByText('Alice revoked the link you used.').first().waitFor({ timeout: 30_000 });
  await expect.poll(() => storedDocuments(bob.page), { timeout: 10_000 }).toEqual([]);
  expect(await bob.page.getByText('secret of the harbour').count()).toBe(0);
  await Promise.all([alices.close(), bobs.close()]);
});

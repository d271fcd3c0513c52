// A device's stored pages, and when they are deleted: the storage cap, a lost right, a sign-out that reaches every tab.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { keptText } from '../../support/browser/stored-text.ts';
import { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

const treeLink = (person: Person, name: string) =>
  person.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name, exact: true });

async function pageNamed(person: Person, title: string, text: string): Promise<void> {
  await person.newPage();
  await person.page.locator('[aria-label="Page title"]').click();
  await person.type(title);
  await person.putCaretAtEnd();
  await person.insert(text);
  await person.waitForReceipt('saved');
  await treeLink(person, title).waitFor();
  // A title is copied for lists two seconds after it was typed.
  await person.page.waitForTimeout(2_500);
}

/** Names of this site's IndexedDB databases. */
const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? '').filter((name) => name !== ''));

/** Ids of the documents stored on the device. */
const keptDocuments = (page: Page) =>
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

async function atHome(context: BrowserContext, name: string): Promise<Person> {
  const person = await Person.at(context);
  await person.signUp(fixture.server.url, name);
  await person.createWorkspace('Tide Check');
  return person;
}

test('above the storage cap the least recently opened pages leave the device, and a page with unsent text stays', async () => {
  const context = await fixture.browser.newContext({ serviceWorkers: 'block' });
  await context.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), deviceMegabytes: 0.1 } });
  });
  const dora = await atHome(context, 'Dora');
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    await pageNamed(dora, name, 'long words '.repeat(4_000));
    ids.push(dora.documentId);
  }
  const [one = '', two = '', three = ''] = ids;
  // Everything is on the server by now. A reload measures the stored pages and deletes the oldest.
  await dora.page.reload();
  await dora.waitUntilEditable();
  await expect.poll(async () => (await keptDocuments(dora.page)).includes(one), { timeout: 20_000 }).toBe(false);
  expect(await keptDocuments(dora.page)).toEqual(expect.arrayContaining([two, three]));

  // A page with text that is nowhere else stays, however old it is.
  await treeLink(dora, 'Two').click();
  await dora.waitUntilEditable();
  await context.setOffline(true);
  await dora.putCaretAtEnd();
  await dora.type('unsent');
  await dora.waitForReceipt('device');
  await treeLink(dora, 'Three').click();
  await dora.body.waitFor();
  await dora.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: /^One/ }).click();
  await dora.page.getByRole('heading', { name: 'This page is not on this device' }).waitFor();
  expect(await keptDocuments(dora.page)).toContain(two);
  await context.close();
});

test('signing out with unsent edits asks, saves a copy, then leaves nothing on the device, even while other tabs write', async () => {
  const context = await fixture.browser.newContext();
  const ada = await atHome(context, 'Ada');
  await pageNamed(ada, 'Plan', 'on the server');
  const other = await Person.at(context);
  await other.page.goto(ada.page.url());
  await other.waitUntilEditable();
  await context.setOffline(true);
  await other.putCaretAtEnd();
  await other.type(' zephyrs');
  await other.waitForReceipt('device');

  await ada.page.getByRole('button', { name: /^Account of / }).click();
  await ada.button('Sign out').click();
  await ada.page.getByText('8 edits on 1 page are on this device only.').waitFor();
  const [download] = await Promise.all([ada.page.waitForEvent('download'), ada.button('Download a copy').click()]);
  expect(await readFile(await download.path(), 'utf8')).toContain('on the server zephyrs');
  expect(await keptText(ada.page)).toContain('Tide Check');
  await ada.button('Sign out and delete').click();
  await ada.page.waitForURL(/\/sign-in/, { timeout: 20_000 });
  await other.page.waitForURL(/\/sign-in/, { timeout: 20_000 });

  // The other tab was in the middle of a word; give it time to write again.
  await other.page.waitForTimeout(3_000);
  await expect.poll(() => databases(other.page), { timeout: 10_000 }).toEqual([]);
  const left = await keptText(other.page);
  for (const words of ['on the server', 'zephyrs', 'Plan', 'Tide Check', 'ada.', 'access_token']) {
    expect(left).not.toContain(words);
  }
  // After a reload nobody is signed in, in either tab.
  await other.page.reload();
  await other.page.waitForURL(/\/sign-in/);
  expect(await databases(other.page)).toEqual([]);
  await context.close();
});

test('a person who loses access to a page keeps no copy of it, neither on the device nor on screen', async () => {
  const [adas, berts] = [await fixture.browser.newContext(), await fixture.browser.newContext()];
  const ada = await atHome(adas, 'Ada');
  await pageNamed(ada, 'Open page', 'secret of the harbour');
  const link = await ada.createLink('edit');
  const bert = await Person.at(berts);
  await bert.signUp(fixture.server.url, 'Bert');
  await bert.page.goto(link);
  await bert.waitUntilEditable();
  expect(await keptDocuments(bert.page)).toEqual([ada.documentId]);

  await ada.button('Share').click();
  await ada.page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  await bert.page.getByText('You can’t open this page.').first().waitFor({ timeout: 30_000 });
  await expect.poll(() => keptDocuments(bert.page), { timeout: 10_000 }).toEqual([]);
  expect(await bert.page.getByText('secret of the harbour').count()).toBe(0);
  await Promise.all([adas.close(), berts.close()]);
});

// Signing out asks before it deletes unsent text, and leaves nothing on the device. When a sign-in expires, typing goes on.
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { storedText } from '../../support/browser/stored-text.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

test('signing out with unsent text asks first, then leaves nothing, and the next account never sees it', async () => {
  const context = await fixture.browser.newContext();
  const alice = await Person.at(context);
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.waitForOfflineShell();
  await alice.newPage();
  const document = alice.documentId;
  const address = alice.page.url();
  await alice.goToEnd();
  await alice.insert('sent-words ');
  await alice.waitForReceipt('saved');
  await context.setOffline(true);
  await alice.insert('unsent-words');
  await alice.waitForReceipt('device');
  const dialog = alice.page.getByRole('dialog', { name: 'Sign out and lose edits?' });
  const openSignOutDialog = async () => {
    await alice.page.getByRole('button', { name: /^Account of / }).click();
    await alice.button('Sign out').click();
    await dialog.waitFor();
  };

  // Cancelling changes nothing.
  await openSignOutDialog();
  await alice.button('Stay').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await alice.bodyText()).toBe('sent-words unsent-words');
  expect(await storedText(alice.page)).toContain('unsent-words');

  await openSignOutDialog();
  await alice.button('Sign out and delete').click();
  await alice.page.waitForURL(/\/sign-in/);
  await expect.poll(() => storedText(alice.page)).not.toContain('-words');
  const left = await alice.page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
  }));
  expect(left.databases).toEqual([]);
  // What stays says nothing about the person: someone signed out, the browser was asked to persist storage, and which database
  // is at this address.
  expect(left.storage.filter((name) => !/^weft:(?:signed-out:|asked-to-persist$|filed-under:)/.test(name))).toEqual([]);

  // The next account in the same browser opens the same address.
  await context.setOffline(false);
  const bob = await Person.at(context);
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.createWorkspace('East Quay');
  await bob.page.goto(address);
  await expect.poll(() => bob.page.locator('body').innerText()).toContain('You can’t open this page');
  expect(await bob.page.locator('body').innerText()).not.toContain('-words');
  expect(await storedText(bob.page)).not.toContain('-words');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('sent-words ');
  await context.close();
});

test('after a sign-in expires typing goes on; another account does not see the text, and the same account sends it', async () => {
  const earlier = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  const bobsEmail = await earlier.signUp(fixture.server.url, 'Bob');
  await earlier.createWorkspace('East Quay');
  await earlier.page.context().close();
  const context = await fixture.browser.newContext(NO_SERVICE_WORKER);
  const alice = await Person.at(context);
  const email = await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('South Quay');
  await alice.newPage();
  const address = alice.page.url();
  const document = alice.documentId;
  await alice.goToEnd();
  await alice.insert('before ');
  await alice.waitForReceipt('saved');

  // Both tokens are invalid from now on, as after a password change on another device.
  await alice.page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
    const stored = JSON.parse(localStorage.getItem(name) ?? '{}');
    const invalid = { ...stored, access_token: `${stored.access_token}x`, refresh_token: 'gone', expires_at: 1 };
    localStorage.setItem(name, JSON.stringify(invalid));
  });
  await alice.insert('while signed out');
  await alice.waitForReceipt('device');
  await alice.page.getByText('Sign in again to save. Your edits are kept on this device.').waitFor();
  await alice.type(', and on');
  expect(await alice.bodyText()).toBe('before while signed out, and on');

  // After closing and opening the tab, the text is there before anyone signs in.
  await alice.page.reload();
  await expect.poll(() => alice.bodyText(), { timeout: 15_000 }).toBe('before while signed out, and on');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('before ');

  // In between, someone else uses the same device.
  const bob = await Person.at(context);
  await bob.page.goto(`${fixture.server.url}/sign-in`);
  await bob.signIn(bobsEmail);
  await bob.page.waitForURL(/\/w\//);
  await bob.page.goto(address);
  await expect.poll(() => bob.page.locator('body').innerText()).toContain('You can’t open this page');
  expect(await bob.page.locator('body').innerText()).not.toContain('signed out,');
  await bob.page.goto(fixture.server.url);
  await bob.signOut();
  expect((await storedText(bob.page)).includes('while signed out')).toBe(true);
  await bob.page.close();

  await alice.page.goto(address);
  await alice.page.waitForURL(/\/sign-in/);
  await alice.signIn(email);
  await alice.page.waitForURL(address);
  await expect.poll(() => alice.bodyText(), { timeout: 15_000 }).toBe('before while signed out, and on');
  await alice.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('before while signed out, and on');
  await context.close();
});

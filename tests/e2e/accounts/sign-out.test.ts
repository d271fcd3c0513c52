// Signing out asks about unsent text and leaves nothing on the device. When a sign-in expires, typing goes on.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { keptText } from '../../support/browser/stored-text.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

test('signing out with unsent text asks first, then leaves nothing, and the next account never sees it', async () => {
  const context = await fixture.browser.newContext();
  const ada = await Person.at(context);
  await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.offlineShell();
  await ada.newPage();
  const document = ada.documentId;
  await ada.goToEnd();
  await ada.insert('sent-words ');
  await ada.waitForReceipt('saved');
  await context.setOffline(true);
  await ada.insert('unsent-words');
  await ada.waitForReceipt('device');
  const asked = ada.page.getByRole('dialog', { name: 'Sign out and lose edits?' });
  const askToLeave = async () => {
    await ada.page.getByRole('button', { name: /^Account of / }).click();
    await ada.button('Sign out').click();
    await asked.waitFor();
  };

  // Cancelling changes nothing.
  await askToLeave();
  await ada.button('Stay').click();
  await asked.waitFor({ state: 'detached' });
  expect(await ada.bodyText()).toBe('sent-words unsent-words');
  expect(await keptText(ada.page)).toContain('unsent-words');

  await askToLeave();
  await ada.button('Sign out and delete').click();
  await ada.page.waitForURL(/\/sign-in/);
  await expect.poll(() => keptText(ada.page)).not.toContain('-words');
  const left = await ada.page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
  }));
  expect(left.databases).toEqual([]);
  // Only two marks stay: that somebody signed out, and that the browser was asked to persist storage.
  expect(left.storage.filter((name) => !/^weft:(?:signed-out:|asked-to-persist$)/.test(name))).toEqual([]);

  // The next account in the same browser opens the same address.
  await context.setOffline(false);
  const address = `${fixture.server.url}/w/north-quay/p/${document}`;
  const bert = await Person.at(context);
  await bert.signUp(fixture.server.url, 'Bert');
  await bert.createWorkspace('East Quay');
  await bert.page.goto(address);
  await expect.poll(() => bert.page.locator('body').innerText()).toContain('You can’t open this page');
  expect(await bert.page.locator('body').innerText()).not.toContain('-words');
  expect(await keptText(bert.page)).not.toContain('-words');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('sent-words ');
  await context.close();
});

test('with an expired sign-in typing goes on; another account does not get the text, the same one sends it', async () => {
  const elsewhere = await Person.at(await fixture.browser.newContext({ serviceWorkers: 'block' }));
  const other = await elsewhere.signUp(fixture.server.url, 'Bert');
  await elsewhere.createWorkspace('East Quay');
  await elsewhere.page.context().close();
  const context = await fixture.browser.newContext({ serviceWorkers: 'block' });
  const ada = await Person.at(context);
  const email = await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('South Quay');
  await ada.newPage();
  const address = ada.page.url();
  const document = ada.documentId;
  await ada.goToEnd();
  await ada.insert('before ');
  await ada.waitForReceipt('saved');

  // Both tokens are invalid from now on, as after a password change elsewhere.
  await ada.page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => /^weft:auth:[^-]*$/.test(key)) ?? '';
    const kept = JSON.parse(localStorage.getItem(name) ?? '{}');
    const over = { ...kept, access_token: `${kept.access_token}x`, refresh_token: 'gone', expires_at: 1 };
    localStorage.setItem(name, JSON.stringify(over));
  });
  await ada.insert('while signed out');
  await ada.waitForReceipt('device');
  await ada.page.getByText('Sign in again to save. Your edits are kept on this device.').waitFor();
  await ada.type(', and on');
  expect(await ada.bodyText()).toBe('before while signed out, and on');

  // After closing and opening the tab, the text is there before anyone signs in.
  await ada.page.reload();
  await expect.poll(() => ada.bodyText(), { timeout: 15_000 }).toBe('before while signed out, and on');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('before ');

  // In between, somebody else uses the same device.
  const bert = await Person.at(context);
  await bert.page.goto(`${fixture.server.url}/sign-in`);
  await bert.signIn(other);
  await bert.page.waitForURL(/\/w\//);
  await bert.page.goto(address);
  await expect.poll(() => bert.page.locator('body').innerText()).toContain('You can’t open this page');
  expect(await bert.page.locator('body').innerText()).not.toContain('signed out,');
  await bert.page.goto(fixture.server.url);
  await bert.signOut();
  expect((await keptText(bert.page)).includes('while signed out')).toBe(true);
  await bert.page.close();

  await ada.page.goto(address);
  await ada.page.waitForURL(/\/sign-in/);
  await ada.signIn(email);
  await ada.page.waitForURL(address);
  await expect.poll(() => ada.bodyText(), { timeout: 15_000 }).toBe('before while signed out, and on');
  await ada.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('before while signed out, and on');
  await context.close();
});

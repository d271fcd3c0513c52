// A view that fails takes nothing else with it, and no edit.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

/** The next effect that sets the title of the tab throws. */
const breakTitle = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'title', {
      configurable: true,
      set() {
        Reflect.deleteProperty(document, 'title');
        throw new Error('broken on purpose: “my words”');
      },
    });
  });

const failure = (page: Page) => page.getByRole('heading', { name: 'Something went wrong' });

test('an inbox that fails leaves the editor, whose text is saved, and can be dismissed', async () => {
  const ada = await fixture.author('Ada', 'Quay', 'before ');
  await ada.page.route('**/assets/inbox-panel-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function InboxPanel() { throw new Error('broken on purpose'); }`,
    }),
  );
  await ada.page.getByRole('button', { name: 'Inbox' }).click();
  const note = ada.page.getByRole('alert').filter({ hasText: 'This part of Weft stopped working.' });
  await note.waitFor();
  await ada.putCaretAtEnd();
  await ada.insert('after');
  await ada.waitForReceipt('saved');
  expect(await ada.bodyText()).toBe('before after');
  await ada.button('Dismiss').click();
  await note.waitFor({ state: 'detached' });
  await ada.insert(', and on');
  expect(await ada.bodyText()).toBe('before after, and on');
});

test('when a page’s view fails, its unsent edits are counted, and sent while the failure is shown', async () => {
  const ada = await fixture.author('Ada', 'Quay', 'before ');
  const context = ada.page.context();
  await context.setOffline(true);
  await ada.putCaretAtEnd();
  await ada.insert('unsent');
  await ada.waitForReceipt('device');
  await breakTitle(ada.page);
  await ada.page.getByRole('textbox', { name: 'Page title' }).fill('Renamed');
  await failure(ada.page).waitFor();
  await ada.page.getByText(/^Your \d+ unsent edits are safe on this device\.$/).waitFor();
  expect(await ada.page.getByRole('button', { name: 'Inbox' }).isVisible()).toBe(true);
  // The field that had the focus is gone.
  await ada.page.keyboard.press('Tab');
  expect(await ada.button('Download a copy').evaluate((button) => button === document.activeElement)).toBe(true);
  await context.setOffline(false);
  const log = serviceClient(fixture.server);
  await expect.poll(() => replayText(log, ada.documentId), { timeout: 30_000 }).toBe('before unsent');
  await ada.page.getByText('All edits made on this device are on the server.').waitFor();
  await ada.page.getByRole('button', { name: 'Try again' }).click();
  await ada.waitUntilEditable();
  expect(await ada.bodyText()).toBe('before unsent');
});

test('onError gets the error, and details without any words', async () => {
  const ada = await fixture.author('Ada', 'Quay', 'before ');
  await ada.page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    const config: unknown = await response.json();
    await route.fulfill({ response, json: { ...Object(config), onError: '/on-error.js' } });
  });
  await ada.page.route('**/on-error.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `globalThis.seen = []; export const onError = (error, details) => { globalThis.seen.push([error.message, details]); };`,
    }),
  );
  await ada.page.reload();
  await ada.waitUntilEditable();
  await ada.page.waitForFunction(() => 'seen' in globalThis);
  await ada.putCaretAtEnd();
  await ada.insert('written');
  await ada.waitForReceipt('saved');
  await breakTitle(ada.page);
  await ada.page.getByRole('textbox', { name: 'Page title' }).fill('Renamed');
  await failure(ada.page).waitFor();
  await ada.page.waitForFunction(() => ((globalThis as { seen?: unknown[] }).seen ?? []).length > 0);
  const seen = await ada.page.evaluate(() => (globalThis as { seen?: [string, object][] }).seen ?? []);
  expect(seen[0]?.[0]).toBe('broken on purpose: “my words”');
  const details = JSON.stringify(seen.map(([, one]) => one));
  expect(seen[0]?.[1]).toMatchObject({
    name: 'Error',
    screen: '/w/:workspace/p/:page',
    version: expect.stringMatching(/\(app-/),
  });
  expect(details).toContain('rpc/append_update');
  for (const content of ['my words', 'written', 'Renamed', ada.documentId]) expect(details).not.toContain(content);
});

test('a module for onError that is broken breaks nothing', async () => {
  const ada = await fixture.author('Ada', 'Quay', 'words');
  await ada.page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    const config: unknown = await response.json();
    await route.fulfill({ response, json: { ...Object(config), onError: '/on-error.js' } });
  });
  await ada.page.route('**/on-error.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'this is {' }),
  );
  const failed = ada.page.waitForEvent('pageerror');
  await ada.page.reload();
  await failed;
  await ada.waitUntilEditable();
  await ada.putCaretAtEnd();
  await ada.insert(' more');
  await ada.waitForReceipt('saved');
  expect(await ada.page.getByText('Couldn’t load this part of Weft').count()).toBe(0);
});

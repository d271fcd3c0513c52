// The project gets another address: what a device holds of it is found there, also what an older app filed under the old one.
import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

/** The app comes from one place, and finds the project where `config.json` says. */
async function serveWith(context: BrowserContext, projectUrl: string): Promise<void> {
  await context.unroute('**/config.json');
  await context.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), url: projectUrl } });
  });
}

test.each([false, true])(
  'unsent edits are found at the new address of the project; filed by an older app: %j',
  async (isOlder) => {
    const { server, browser } = fixture;
    // The server's policy allows its own address only.
    const context = await browser.newContext({ ...NO_SERVICE_WORKER, bypassCSP: true });
    const [before, after] = [server.url.replace('127.0.0.1', 'localhost'), server.url];
    const dave = await Person.at(context);
    const email = await dave.signUp(server.url, 'Dave');
    await dave.page.evaluate(() => localStorage.clear());
    const address = await dave.account.createWorkspace('Tide Check');

    // An older app does not ask which database it is.
    if (isOlder) await context.route('**/rpc/database_identity', (route) => route.fulfill({ status: 404, json: {} }));
    await serveWith(context, before);
    await dave.page.goto(address);
    await dave.signIn(email);
    await dave.waitUntilEditable();
    await dave.newPage();
    await context.route(`${before}/rest/**`, (route) => route.abort());
    await dave.putCaretAtEnd();
    await dave.type('only here');
    await dave.waitForReceipt('device');
    const [page, document] = [dave.page.url(), dave.documentId];

    await context.unroute('**/rpc/database_identity');
    await serveWith(context, after);
    await dave.page.goto(page);
    await dave.signIn(email);
    await expect.poll(() => dave.bodyText()).toBe('only here');
    await dave.waitForReceipt('saved');
    expect(await replayText(serviceClient(server), document)).toBe('only here');
  },
);

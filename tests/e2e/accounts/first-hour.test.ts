// The first hour: what a newcomer sees and does, with the browser's console watched, and what they meet where they have no
// access.
import type { Browser, BrowserContext, ConsoleMessage } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';

const fixture = useE2eFixture();
const complaints: string[] = [];

const QUIET = new Set(['log', 'debug', 'info']);
const complain = (message: ConsoleMessage) => {
  if (!QUIET.has(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
};

async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await fixture.browser.newContext(options);
  context.on('console', complain);
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return context;
}

test('a first hour of writing, sharing, joining and watching leaves the console silent', async () => {
  const alice = await Person.at(await newContext());
  await alice.signUpOnScreen(fixture.server.url, 'Alice');
  await alice.createWorkspaceOnScreen('First Quay');
  await alice.newPage();
  await alice.field('Page title').fill('Harbour festival');
  await alice.body.click();
  await alice.type('# Plan\nWe open at **noon**.\n- bands\n- food\n\n\n/table\n');
  await alice.waitForReceipt('saved');
  const edit = await alice.createLinkOnScreen('edit');
  const watch = await alice.createLinkOnScreen('watch');
  await alice.page.keyboard.press('Escape');
  const watcher = new Watcher(await (await newContext()).newPage());
  await watcher.open(watch);
  const guest = await Person.at(
    await newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } }),
  );
  await guest.page.goto(edit);
  await guest.button('Continue as guest').click();
  await guest.waitUntilEditable();
  await guest.putCaretAtEnd(1);
  await guest.type(' Bring a rope.');
  await expect.poll(() => watcher.text()).toContain('Bring a rope.');
  await alice.page.goto(`${fixture.server.url}/account`);
  await alice.page.getByRole('heading', { level: 1 }).waitFor();
  await alice.page.goto(fixture.server.url);
  await alice.button('New page').first().waitFor();
  expect(complaints).toEqual([]);

  // The guest may not create pages at the top, import, or see who has access: nothing offers it.
  const names = ['Share', 'New page', 'Import'];
  await guest.page.setViewportSize({ width: 1280, height: 800 });
  for (const name of names) expect([name, await guest.button(name).count()]).toEqual([name, 0]);
  await guest.page.getByRole('link', { name: 'Home' }).click();
  await guest.page.getByRole('heading', { name: 'First Quay' }).waitFor();
  for (const name of names) expect([name, await guest.button(name).count()]).toEqual([name, 0]);
  await Promise.all([alice.page, watcher.page, guest.page].map((page) => page.context().close()));
});

test('a page that is missing, forbidden or no page at all is the same screen, with nothing of a page on it', async () => {
  const alice = await Person.at(await newContext(NO_SERVICE_WORKER));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('Closed Quay');
  await alice.newPage();
  const hers = alice.documentId;
  const bob = await Person.at(await newContext(NO_SERVICE_WORKER));
  const email = await bob.signUp(fixture.server.url, 'Bob');
  await bob.createWorkspace('Open Quay');
  const home = new URL(bob.page.url()).pathname.split('/').slice(0, 3).join('/');
  const seen: string[] = [];
  for (const page of [`hers-${hers}`, 'gone-00000000-0000-4000-8000-00000000000a', 'nonsense']) {
    await bob.page.goto(`${fixture.server.url}${home}/p/${page}`);
    await bob.page.getByRole('heading', { name: 'You can’t open this page.' }).waitFor();
    const main = bob.page.getByRole('main');
    // The form comes when it is known whether this person has asked already.
    if (page !== 'nonsense') await main.getByRole('button', { name: 'Request access' }).waitFor();
    expect(await main.getByRole('navigation').count()).toBe(0);
    for (const name of ['Share', 'More']) expect(await main.getByRole('button', { name }).count()).toBe(0);
    seen.push(await main.innerText());
  }
  const [forbidden, missing, nonsense] = seen;
  expect(forbidden).toBe(missing);
  // Nothing can be requested at an address without the id of a page.
  expect(forbidden).toContain('Request access');
  expect(nonsense).not.toContain('Request access');
  for (const text of seen) {
    expect(text).not.toMatch(/Untitled|Opening/);
    expect(text).toContain(email);
  }

  // The same on a wall screen, where the page alone would stand.
  await bob.page.goto(`${fixture.server.url}${home}/p/hers-${hers}/watch`);
  await bob.page.getByRole('heading', { name: 'You can’t open this page.' }).waitFor();
  expect(await bob.button('Try now').count()).toBe(0);

  // A link that never worked looks like one that cannot work.
  const links: string[] = [];
  for (const secret of ['A'.repeat(22), 'x']) {
    await bob.page.goto('about:blank');
    await bob.page.goto(`${fixture.server.url}/s#${secret}`);
    await bob.page.getByRole('heading', { name: 'This link no longer works.' }).waitFor();
    links.push(await bob.page.locator('body').innerText());
  }
  expect(new Set(links).size).toBe(1);
  await Promise.all([alice.page, bob.page].map((page) => page.context().close()));
});

test('forms say below a field what is wrong with it, and the first wrong field gets the focus', async () => {
  const alice = await Person.at(await newContext(NO_SERVICE_WORKER));
  const { page } = alice;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  const problems = () => page.getByRole('alert').allInnerTexts();
  await page.goto(`${fixture.server.url}/sign-up`);
  expect(await page.locator('form:not([novalidate])').count()).toBe(0);
  await alice.button('Create account').click();
  expect(await problems()).toEqual(['Enter your email address.', 'Choose a password.']);
  expect(await focused()).toBe('email');
  await page.getByLabel('Email', { exact: true }).fill('not an address');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await alice.button('Create account').click();
  expect(await problems()).toEqual([
    'This doesn’t look like an email address.',
    'Use at least 8 characters, and not a very common password.',
  ]);
  const email = page.getByLabel('Email', { exact: true });
  const note = await email.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${note}"]`).innerText()).toBe('This doesn’t look like an email address.');
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  await email.fill('right@weft.example');
  expect(await email.getAttribute('aria-invalid')).toBeNull();

  await page.goto(`${fixture.server.url}/sign-in`);
  await alice.button('Send me a sign-in link').click();
  expect(await problems()).toEqual(['Enter your email address.']);
  await page.goto(`${fixture.server.url}/reset`);
  await alice.button('Send me a link').click();
  expect([await problems(), await focused()]).toEqual([['Enter your email address.'], 'email']);
  await alice.signUpOnScreen(fixture.server.url, 'Alice');
  await alice.button('Create workspace').click();
  expect([await problems(), await focused()]).toEqual([['Give the workspace a name.'], 'name']);
  await page.goto(`${fixture.server.url}/account`);
  await alice.field('Name').fill('');
  await page.keyboard.press('Tab');
  expect(await problems()).toEqual(['Enter a name.']);
  await page.context().close();
});

test('the keyboard skips to the page, and passes the tree with one stop', async () => {
  const alice = await Person.at(await newContext(NO_SERVICE_WORKER));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('Key Quay');
  await alice.newPage();
  await alice.newPage();
  const address = alice.page.url();
  await alice.page.goto('about:blank');
  await alice.page.goto(address);
  await alice.waitUntilEditable();
  const focused = () => alice.page.evaluate(() => document.activeElement?.textContent ?? '');
  await alice.page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the page');
  const inTree = () => alice.page.evaluate(() => document.activeElement?.closest('.tree [role=row]') != null);
  let stops = 0;
  for (let i = 0; i < 12; i++) {
    await alice.page.keyboard.press('Tab');
    if (await inTree()) stops += 1;
  }
  expect(stops).toBe(1);
  await alice.page.getByRole('link', { name: 'Skip to the page' }).focus();
  await alice.page.keyboard.press('Enter');
  await alice.type('typed at once');
  await expect.poll(() => alice.bodyText()).toContain('typed at once');
  await alice.page.context().close();
});

// A link to watch shows the page's text before the app is loaded.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';
import type { Person } from '../../support/browser/person.ts';

const APP = '**/assets/app-*.js';
const LINES = Array.from({ length: 80 }, (_, at) => `Line ${at} of the plan.`);

const fixture = useE2eFixture();
let alice: Person;
let watchLink: string;

beforeAll(async () => {
  alice = await fixture.author('Alice', 'Northquay', '');
  await paste(alice.page, { 'text/html': LINES.map((line) => `<p>${line}</p>`).join('') });
  await alice.waitForReceipt('saved');
  watchLink = await alice.createLink('watch');
});

/** A tab that gets the app's file when `release` is called, and the requests that it has made. */
async function tabWithoutApp(options: BrowserContextOptions = {}) {
  const page = await (await fixture.browser.newContext({ serviceWorkers: 'block', ...options })).newPage();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.route(APP, async (route) => {
    await promise;
    await route.continue();
  });
  return { page, release, requests };
}

const firstText = (page: Page) => page.locator('.text-first');
const app = (page: Page) => page.locator('#root');

test('the text comes in twelve requests, before the app; the app takes over at the place where one reads', async () => {
  const { page, release, requests } = await tabWithoutApp();
  await page.goto(watchLink);
  await firstText(page).getByText('Line 79 of').waitFor();
  const before = requests.slice(
    0,
    requests.findIndex((path) => path.startsWith('/assets/main-')),
  );
  expect(before.length).toBeLessThanOrEqual(12);
  expect(before).toContain('/rest/v1/rpc/open_watch');
  expect(await firstText(page).locator('.live-badge').textContent()).toBe('Opening');
  expect(await violationsOn(page, 'the first text')).toEqual([]);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
  const line = page.getByText('Line 40 of');
  const top = (await line.boundingBox())?.y;
  release();
  await firstText(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => scrollY)).toBe(900);
  expect((await line.boundingBox())?.y).toBe(top);
  await expect.poll(() => app(page).locator('.live-badge').textContent()).toContain('Live');
  expect(requests.filter((path) => path === '/config.json')).toHaveLength(1);
  await page.context().close();
});

test('on a phone, too', async () => {
  const { page, release } = await tabWithoutApp({ viewport: { width: 390, height: 800 } });
  await page.goto(watchLink);
  const line = page.getByText('Line 3 of');
  await line.waitFor();
  const place = await line.boundingBox();
  expect(await violationsOn(page, 'the first text')).toEqual([]);
  release();
  await firstText(page).waitFor({ state: 'detached' });
  expect(await line.boundingBox()).toEqual(place);
  await page.context().close();
});

test.each([
  ['that does not exist', () => `${fixture.server.url}/s#AAAAAAAAAAAAAAAAAAAAAA`, 'This link no longer works.'],
  ['without a secret', () => `${fixture.server.url}/s`, 'This link no longer works.'],
])('a link %s has no first text: the app says why', async (_which, link, words) => {
  const { page, release } = await tabWithoutApp();
  release();
  await page.goto(link());
  await app(page).getByText(words).waitFor();
  expect(await firstText(page).count()).toBe(0);
  await page.context().close();
});

test('a link to edit has no first text: the app asks to sign in', async () => {
  const { page, release } = await tabWithoutApp();
  release();
  await page.goto(await alice.createLink('edit'));
  await app(page).getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await firstText(page).count()).toBe(0);
  await page.context().close();
});

test('a server that does not answer delays the app by three seconds at most', async () => {
  const { page, release } = await tabWithoutApp();
  release();
  await page.route('**/rpc/open_watch', () => {});
  await page.goto(watchLink);
  await app(page).getByRole('status', { name: 'Opening the link' }).waitFor();
  expect(await firstText(page).count()).toBe(0);
  await page.context().close();
});

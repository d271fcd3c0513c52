// Two people on one page, in windows of different size: one follows the other, until they scroll themselves.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';
import { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let watchLink: string;

const LINES = Array.from(
  { length: 80 },
  (_, at) => `Line ${at} of the plan, long enough to wrap where the window is narrow.`,
);

beforeAll(async () => {
  alice = await fixture.author('Alice', 'Northquay', '');
  await paste(alice.page, { 'text/html': LINES.map((line) => `<p>${line}</p>`).join('') });
  await alice.waitForReceipt('saved');
  watchLink = await alice.createLink('watch');
  const link = await alice.createLink('edit');
  bob = await Person.at(await fixture.browser.newContext({ viewport: { width: 480, height: 700 } }));
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(link);
  await bob.waitUntilEditable();
});

const face = (person: Person, name: string): Locator => person.button(`Here now: ${name}`);
const status = (person: Person): Locator => person.page.locator('.follow-status');

async function follow(person: Person, name: string): Promise<void> {
  await face(person, name).click();
  await person.page.getByRole('menuitem', { name: 'Follow', exact: true }).click();
}

/** Where the top of a line is in the window, as a share of its height. */
const heightOf = ({ page }: Pick<Person, 'page'>, line: number): Promise<number> =>
  page
    .getByText(`Line ${line} of`, { exact: false })
    .first()
    .evaluate((element) => element.getBoundingClientRect().top / innerHeight);

const expectInView = (person: Pick<Person, 'page'>, line: number) =>
  expect
    .poll(async () => {
      const height = await heightOf(person, line);
      return height > 0.1 && height < 0.6;
    })
    .toBe(true);

test('a face opens a menu with Follow; the page goes where the other’s caret is; the own scroll ends it', async () => {
  await alice.putCaretAtEnd(60);
  await follow(bob, 'Alice');
  await expectInView(bob, 60);
  await expect.poll(() => status(bob).textContent()).toContain('Following Alice');
  await face(bob, 'Alice, you follow them').waitFor();
  await alice.putCaretAtEnd(20);
  await expectInView(bob, 20);
  await bob.page.mouse.move(200, 400);
  await bob.page.mouse.wheel(0, 300);
  await status(bob).waitFor({ state: 'detached' });
  await alice.putCaretAtEnd(70);
  await bob.page.waitForTimeout(500);
  expect(await heightOf(bob, 70)).toBeGreaterThan(1);
});

test('F follows the only other person, Escape ends it, and whoever leaves is no longer followed', async () => {
  await bob.page.locator('#page').focus();
  await bob.page.keyboard.press('f');
  await expectInView(bob, 70);
  await bob.page.keyboard.press('Escape');
  await status(bob).waitFor({ state: 'detached' });
  await bob.page.keyboard.press('f');
  await status(bob).waitFor();
  await alice
    .button('Home')
    .or(alice.page.getByRole('link', { name: 'Home' }))
    .first()
    .click();
  await bob.page.getByText('Alice left the page.').waitFor({ timeout: 15_000 });
  expect(await status(bob).count()).toBe(0);
});

const present = async (person: Person) => {
  await person.button('More').click();
  await person.page.getByRole('menuitem', { name: 'Present', exact: true }).click();
  await person.page.getByText('You are presenting').waitFor();
};
const card = (page: Page) => page.getByRole('alertdialog', { name: /is presenting$/ });
const following = (person: Person) => person.page.getByRole('button', { name: /^\d+ following$/ });

test('an editor presents: each other is asked once, nobody is moved unasked, and the presenter reads who follows', async () => {
  await alice.page.goBack();
  await alice.waitUntilEditable();
  await alice.putCaretAtEnd(50);
  await bob.page.evaluate(() => scrollTo({ top: 0 }));
  await present(alice);
  await card(bob.page).waitFor();
  expect(await heightOf(bob, 50)).toBeGreaterThan(1);
  await card(bob.page).getByRole('button', { name: 'Not now' }).click();
  await card(bob.page).waitFor({ state: 'detached' });
  await following(alice).click();
  await alice.page.getByText('Bob chose not to follow.').waitFor({ timeout: 15_000 });
  expect(await heightOf(bob, 50)).toBeGreaterThan(1);
  await alice.page.keyboard.press('Escape');
  // Only `Stop` ends a presentation.
  await alice.page.keyboard.press('Escape');
  await alice.button('Stop').click();
  await alice.page.getByText('You are presenting').waitFor({ state: 'detached' });
});

test('whoever follows a presenter is where they are, in a window of another size, until the presenter stops', async () => {
  // Long enough after the last presentation to count as another one.
  await bob.page.waitForTimeout(5_000);
  await alice.putCaretAtEnd(40);
  await present(alice);
  await card(bob.page).getByRole('button', { name: 'Follow' }).click();
  await expectInView(bob, 40);
  await alice.putCaretAtEnd(10);
  await expectInView(bob, 10);
  await expect.poll(() => following(alice).textContent(), { timeout: 15_000 }).toBe('1 following');
  await alice.button('Stop').click();
  await bob.page.getByText('Alice stopped presenting.').waitFor();
  expect(await status(bob).count()).toBe(0);
});

test('how many watch by a link is beside the tags; a watcher is asked too, and a wall follows without being asked', async () => {
  const watcher = await fixture.watcher(watchLink);
  await expect
    .poll(() => alice.page.getByRole('button', { name: '1 watches by link' }).count(), { timeout: 40_000 })
    .toBe(1);
  const wall = await fixture.watcher(watchLink.replace('#', '?wall#'));
  await alice.putCaretAtEnd(60);
  await present(alice);
  const asked = watcher.page.getByRole('alertdialog', { name: 'An editor is presenting' });
  await asked.getByRole('button', { name: 'Follow' }).click();
  for (const { page } of [watcher, wall]) await expectInView({ page }, 60);
  await wall.page.getByText('An editor is presenting').waitFor();
  await expect.poll(() => following(alice).textContent(), { timeout: 30_000 }).toBe('1 following');
  await following(alice).click();
  await alice.page.getByText('1 by link').waitFor();
  await alice.page.keyboard.press('Escape');
  await alice.button('Stop').click();
  await alice.putCaretAtEnd(30);
  await alice.insert(' Changed.');
  await expectInView({ page: wall.page }, 30);
  await watcher.page.context().close();
  await wall.page.context().close();
});

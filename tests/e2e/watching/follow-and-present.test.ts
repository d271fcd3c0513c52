// Two people on one page, in windows of different size: one follows the other, until they scroll themselves.
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';
import { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;

const LINES = Array.from(
  { length: 80 },
  (_, at) => `Line ${at} of the plan, long enough to wrap where the window is narrow.`,
);

beforeAll(async () => {
  alice = await fixture.author('Alice', 'Northquay', '');
  await paste(alice.page, { 'text/html': LINES.map((line) => `<p>${line}</p>`).join('') });
  await alice.waitForReceipt('saved');
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
const heightOf = ({ page }: Person, line: number): Promise<number> =>
  page
    .getByText(`Line ${line} of`, { exact: false })
    .first()
    .evaluate((element) => element.getBoundingClientRect().top / innerHeight);

const expectInView = (person: Person, line: number) =>
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

// Two people on one page, in windows of different size: one follows the other, until they scroll themselves.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { rpc } from '../../support/server/rpc.ts';

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

/** The place of a line's top in the window, as a share of its height. */
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

test('F follows the only other person, Escape ends it, and a person who leaves is no longer followed', async () => {
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
  await person.choosePageItem('Present and view', 'Present');
  await person.page.getByText('You are presenting').waitFor();
};
const card = (page: Page) => page.getByRole('alertdialog', { name: /is presenting$/ });
const following = (person: Person) => person.page.getByRole('button', { name: /^\d+ following$/ });

test('an editor presents: each other is asked once, no one is moved unasked, and the presenter reads who follows', async () => {
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

test('a second presenter is told who presents, above the card that asks them, and readers keep their outlined tags', async () => {
  const carol = await fixture.newcomer('Carol');
  // axe would measure colors in the middle of a transition.
  for (const { page } of [alice, bob, carol]) await page.emulateMedia({ reducedMotion: 'reduce' });
  const person = (await carol.account.client.auth.getUser()).data.user?.id;
  await rpc(alice.account.client, 'set_document_member', { document: alice.documentId, person, role: 'viewer' });
  // Long enough after the last presentation to count as another one.
  await bob.page.waitForTimeout(5_000);
  await present(alice);
  await carol.page.goto(alice.page.url());
  await card(carol.page).waitFor();
  const isOutlined = face(bob, 'Carol, viewing').locator('[data-reading]');
  await isOutlined.waitFor({ timeout: 40_000 });
  await card(bob.page).waitFor();
  expect(await violationsOn(bob.page, 'asked to follow')).toEqual([]);
  expect(await violationsOn(alice.page, 'presenting')).toEqual([]);
  await bob.choosePageItem('Present and view', 'Present');
  const toast = bob.page.getByRole('dialog').filter({ hasText: 'Alice is presenting this page.' });
  await toast.waitFor();
  await expect
    .poll(async () => {
      const [said, asked] = [await toast.boundingBox(), await card(bob.page).boundingBox()];
      return said !== null && asked !== null && said.y + said.height <= asked.y;
    })
    .toBe(true);
  expect(await bob.page.getByText('You are presenting').count()).toBe(0);
  expect(await alice.page.getByText('You are presenting').count()).toBe(1);
  await card(bob.page).getByRole('button', { name: 'Follow' }).click();
  await expect.poll(() => status(bob).textContent()).toContain('Following Alice');
  expect(await violationsOn(bob.page, 'following')).toEqual([]);
  await expectFullScreenViewsOf(carol);
  await alice.button('Stop').click();
  await status(bob).waitFor({ state: 'detached' });
  await carol.page.context().close();
});

/** While Alice presents. */
async function expectFullScreenViewsOf(carol: Person): Promise<void> {
  const address = alice.page.url();
  const member = new Watcher(carol.page);
  const look = () =>
    member.region.evaluate((region) => {
      const text = region.querySelector('.block[data-kind="paragraph"] .block-text') ?? region;
      const { fontSize, lineHeight } = getComputedStyle(text);
      return `${fontSize}/${lineHeight}`;
    });
  await member.open(`${address}/watch`);
  await member.page.getByText('Line 40 of').waitFor();
  expect(await look()).toBe('28px/44px');
  expect(await member.page.getByRole('navigation').count()).toBe(0);
  const shownInBar = () =>
    member.page
      .locator('.watch-bar > *')
      .evaluateAll(
        (all) =>
          all.filter((one) => one.getBoundingClientRect().width > 0 && getComputedStyle(one).opacity !== '0').length,
      );
  // Only the badge stays, and it fades while the page is live.
  await expect.poll(shownInBar, { timeout: 10_000 }).toBe(0);
  await member.page.locator('.watch-bar').hover({ position: { x: 4, y: 4 } });
  await expect.poll(shownInBar).toBeGreaterThan(1);
  await card(member.page).waitFor();
  await card(member.page).getByRole('button', { name: 'Not now' }).click();
  expect(await violationsOn(member.page, 'full-screen view')).toEqual([]);

  await member.open(`${address}/watch?wall`);
  await member.page.getByText('Alice is presenting').waitFor();
  expect(await look()).toBe('40px/60px');
  await alice.putCaretAtEnd(50);
  await expectInView(member, 50);
  expect(await member.page.locator('.wall-clock').textContent()).toMatch(/^\d\d:\d\d$/);
  expect(await card(member.page).count()).toBe(0);
  expect(await violationsOn(member.page, 'wall')).toEqual([]);
}

test('a follower is where the presenter is, in a window of another size, until the presenter stops', async () => {
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

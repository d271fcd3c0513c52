// Two members: unread marks, icons and templates.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

const row = (person: Person, title: string) =>
  person.page
    .getByRole('treegrid', { name: 'Pages' })
    .getByRole('row')
    .filter({ has: person.page.getByRole('link', { name: title, exact: true }) });
const dot = (person: Person, title: string) =>
  row(person, title).getByRole('img', { name: 'Changed since your last visit' });
const open = async (person: Person, title: string) => {
  await row(person, title).getByRole('link').click();
  await person.page.getByRole('textbox', { name: 'Page title' }).waitFor();
  await expect.poll(() => person.field('Page title').inputValue(), { timeout: 15_000 }).toBe(title);
};

async function newPageCalled(person: Person, title: string): Promise<void> {
  await person.newPage();
  await person.field('Page title').click();
  await person.type(title);
  await person.waitForReceipt('saved');
}

async function twoMembers(): Promise<readonly [Person, Person]> {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await newPageCalled(alice, 'Harbour swim');
  const link = await alice.createInviteLink();
  const bob = await fixture.newcomer('Bob');
  await bob.join(link);
  await row(bob, 'Harbour swim').waitFor();
  return [alice, bob];
}

test('an edit of a colleague puts a dot at the page, and opening it removes it', { timeout: 120_000 }, async () => {
  const [alice, bob] = await twoMembers();
  await open(bob, 'Harbour swim');
  await open(bob, 'Welcome to Weft');
  await open(alice, 'Harbour swim');
  await alice.field('Page title').click();
  await alice.page.keyboard.press('End');
  await alice.type(' 2027');
  await alice.waitForReceipt('saved');
  // While Alice is there her tick stands in the dot's place.
  await open(alice, 'Welcome to Weft');
  await dot(bob, 'Harbour swim 2027').waitFor({ timeout: 30_000 });
  expect(await dot(alice, 'Harbour swim 2027').count()).toBe(0);
  await open(bob, 'Harbour swim 2027');
  await expect.poll(() => dot(bob, 'Harbour swim 2027').count()).toBe(0);
  await open(bob, 'Welcome to Weft');
  expect(await dot(bob, 'Harbour swim 2027').count()).toBe(0);
  // Also on another device, or after a reload.
  await bob.page.reload();
  await row(bob, 'Harbour swim 2027').waitFor();
  await expect.poll(() => dot(bob, 'Harbour swim 2027').count()).toBe(0);
});

test('an icon appears at the other member, in the tree and in the bar', { timeout: 120_000 }, async () => {
  const [alice, bob] = await twoMembers();
  await open(bob, 'Harbour swim');
  await row(alice, 'Harbour swim').hover();
  await row(alice, 'Harbour swim').getByRole('button', { name: 'More' }).click();
  await alice.page.getByRole('menuitem', { name: 'Change icon…' }).click();
  await alice.choose('Search icons', 'anch');
  await row(alice, 'Harbour swim').locator('.lucide-anchor').waitFor();
  await row(bob, 'Harbour swim').locator('.lucide-anchor').waitFor({ timeout: 15_000 });
  await bob.page.locator('.crumbs .lucide-anchor').waitFor();
  await expect
    .poll(() => bob.page.locator('link[rel=icon]').getAttribute('href'))
    .toMatch(/^data:image\/svg\+xml,.*anchor/);
});

test('a template makes a page: a built-in one, and a page of the workspace', { timeout: 120_000 }, async () => {
  const [alice, bob] = await twoMembers();
  await alice.newPage();
  await alice.button('Use a template').click();
  await alice.choose('Choose a template', 'decision');
  await expect.poll(() => alice.field('Page title').inputValue()).toBe('Decision record');
  await alice.page.getByRole('heading', { name: 'What follows from it' }).waitFor();
  await row(alice, 'Decision record').locator('.lucide-scale').waitFor();
  await alice.waitForReceipt('saved');

  await alice.choosePageItem('Page options', 'Save as template');

  await bob.page.keyboard.press('Control+k');
  await bob.choose(/Search pages/, 'new page from');
  await bob.page.getByRole('group', { name: 'From Northquay' }).getByRole('option').first().click({ timeout: 15_000 });
  await expect.poll(() => bob.field('Page title').inputValue()).toBe('Decision record');
  await bob.page.getByRole('heading', { name: 'What follows from it' }).waitFor();
  await bob.waitForReceipt('saved');
  await expect.poll(() => row(alice, 'Decision record').count(), { timeout: 15_000 }).toBe(2);
});

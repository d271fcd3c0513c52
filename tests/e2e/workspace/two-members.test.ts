// Two members of a workspace: one invites the other, and what one does with pages appears at the other's without a reload.
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

const rows = (person: Person): Locator => person.page.getByRole('treegrid', { name: 'Pages' }).getByRole('row');
const row = (person: Person, title: string): Locator =>
  rows(person).filter({ has: person.page.getByRole('link', { name: title, exact: true }) });
/** Titles from top to bottom, each behind as many dots as its depth. */
const tree = async (person: Person): Promise<string> => {
  const shown = await rows(person).evaluateAll((all) =>
    all
      .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map((one) => `${'.'.repeat(Number(one.getAttribute('aria-level')) - 1)}${one.querySelector('a')?.textContent}`),
  );
  return shown.join(' ');
};

async function newPageCalled(person: Person, title: string): Promise<void> {
  await person.newPage();
  await person.field('Page title').click();
  await person.type(title);
  await person.waitForReceipt('saved');
}

async function menu(person: Person, title: string, item: string): Promise<void> {
  await row(person, title).hover();
  await row(person, title).getByRole('button', { name: 'More' }).click();
  await person.page.getByRole('menuitem', { name: item }).click();
}

test(
  'an invited member sees moves, renames, new pages and trashings of the other at once',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice');
    await alice.createWorkspace('Northquay');
    await newPageCalled(alice, 'Harbour swim');
    await newPageCalled(alice, 'Boat crew');

    await alice.page.getByRole('link', { name: 'Members' }).click();
    await alice.button('Create invite link').click();
    const link = await alice.page.getByRole('textbox', { name: 'Invite link' }).inputValue();

    const bob = await fixture.newcomer('Bob');
    await bob.page.goto(link);
    await bob.page.getByRole('heading', { name: 'Join Northquay' }).waitFor();
    await bob.button('Join').click();
    await expect.poll(() => tree(bob), { timeout: 15_000 }).toBe('Welcome to Weft Harbour swim Boat crew');
    // The list of members that is open at Alice's learns of him.
    await alice.page.getByRole('region', { name: 'Members' }).getByText('Bob').waitFor();

    await row(alice, 'Boat crew').getByRole('link').focus();
    await alice.page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => tree(bob), { timeout: 15_000 }).toBe('Welcome to Weft Harbour swim .Boat crew');
    expect(await tree(alice)).toBe('Welcome to Weft Harbour swim .Boat crew');

    await row(bob, 'Boat crew').getByRole('link').focus();
    await bob.page.keyboard.press('F2');
    await bob.type('Crew rota');
    await bob.page.keyboard.press('Enter');
    await expect.poll(() => tree(alice), { timeout: 20_000 }).toBe('Welcome to Weft Harbour swim .Crew rota');

    await menu(bob, 'Harbour swim', 'Move to trash');
    await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe('Welcome to Weft');
    expect(await tree(bob)).toBe('Welcome to Weft');

    await alice.page.getByRole('link', { name: 'Trash' }).click();
    await alice.page.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => tree(bob), { timeout: 15_000 }).toBe('Welcome to Weft Harbour swim .Crew rota');
  },
);

test('a page is dragged below another one, and Escape gives up', { timeout: 60_000 }, async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await newPageCalled(alice, 'One');
  await newPageCalled(alice, 'Two');
  const middle = async (title: string) => {
    const box = await row(alice, title).boundingBox();
    if (box === null) throw new Error(`no row ${title}`);
    return { x: box.x + 80, y: box.y + box.height / 2 };
  };
  const drag = async (title: string, onto: string) => {
    const [from, to] = [await middle(title), await middle(onto)];
    await alice.page.mouse.move(from.x, from.y);
    await alice.page.mouse.down();
    await alice.page.mouse.move(to.x, to.y, { steps: 8 });
  };
  const before = alice.documentId;
  await drag('Two', 'One');
  await alice.page.getByText('Into “One”').waitFor();
  await alice.page.keyboard.press('Escape');
  await alice.page.mouse.up();
  expect(await tree(alice)).toBe('Welcome to Weft One Two');
  // The next click counts again.
  await row(alice, 'One').getByRole('button', { name: 'More' }).click();
  await alice.page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await alice.page.keyboard.press('Escape');
  await drag('Two', 'One');
  await alice.page.mouse.up();
  expect(await tree(alice)).toBe('Welcome to Weft One .Two');
  // The click that ended the drag opened nothing.
  expect(alice.documentId).toBe(before);
  await alice.waitForReceipt('saved');
  await alice.page.reload();
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe('Welcome to Weft One .Two');
});

test('“Move to…” and the palette: find a page by some of its letters and go there', { timeout: 60_000 }, async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await newPageCalled(alice, 'Wave times');
  await newPageCalled(alice, 'Boat crew');
  await menu(alice, 'Boat crew', 'Move to…');
  await alice.choose('Move “Boat crew” to…', 'wav');
  await expect.poll(() => tree(alice)).toBe('Welcome to Weft Wave times .Boat crew');
  await alice.putCaretAtEnd();
  await alice.insert('Ilse and Jonas row.');
  await alice.waitForReceipt('saved');
  await menu(alice, 'Boat crew', 'Duplicate');
  await expect.poll(() => tree(alice)).toBe('Welcome to Weft Wave times .Boat crew .Boat crew (copy)');
  await alice.waitUntilEditable();
  await expect.poll(() => alice.bodyText()).toBe('Ilse and Jonas row.');
  await menu(alice, 'Boat crew', 'Add to favourites');
  await alice.page.getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Boat crew' }).waitFor();
  await alice.page.getByRole('button', { name: 'Search' }).click();
  await alice.choose('Search pages, people and actions', 'wlc');
  await alice.page.waitForURL(/\/p\/welcome-to-weft-/);
});

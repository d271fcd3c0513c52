// Two members of a workspace: one invites the other, and what one does with pages appears at the other's without a reload.
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';
import { expectNoOverflow, smallTargets } from '../../support/browser/small-screen.ts';

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

test(
  'the trash shows a page before it comes back, under the title that it got a moment before, and is emptied for all',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice');
    await alice.createWorkspace('Northquay');
    await newPageCalled(alice, 'Ferry table');
    await alice.putCaretAtEnd();
    await alice.insert('Monday at 9:12');
    await alice.waitForReceipt('saved');
    for (const title of ['Old plan', 'Older plan']) await newPageCalled(alice, title);
    await row(alice, 'Older plan').getByRole('link').focus();
    await alice.page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => tree(alice)).toBe('Welcome to Weft Ferry table Old plan .Older plan');
    const bob = await fixture.newcomer('Bob');
    await bob.join(await alice.createInviteLink());
    await bob.page.getByRole('link', { name: 'Trash' }).click();
    await bob.page.getByRole('heading', { name: 'The trash is empty' }).waitFor();

    await menu(alice, 'Old plan', 'Move to trash');
    await row(alice, 'Ferry table').getByRole('link').focus();
    await alice.page.keyboard.press('F2');
    await alice.type('Ferry table 2024');
    await alice.page.keyboard.press('Enter');
    await row(alice, 'Ferry table 2024').getByRole('link').focus();
    await alice.page.keyboard.press('Delete');
    const titles = (person: Person) => person.page.locator('.trash-title').allInnerTexts();
    await expect.poll(() => titles(bob), { timeout: 20_000 }).toEqual(['Ferry table 2024', 'Old plan']);
    // A member edits these pages and does not manage them.
    expect(await bob.button('Empty trash').count()).toBe(0);

    await alice.page.getByRole('link', { name: 'Trash' }).click();
    const desktop = alice.page.viewportSize();
    await alice.page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => titles(alice)).toEqual(['Ferry table 2024', 'Old plan']);
    await expectNoOverflow(alice.page, 'trash on a phone');
    expect(await smallTargets(alice.page)).toEqual([]);
    if (desktop !== null) await alice.page.setViewportSize(desktop);
    await alice.page.getByRole('textbox', { name: 'Search titles' }).fill('FERRY');
    await expect.poll(() => titles(alice)).toEqual(['Ferry table 2024']);
    await alice.button('Ferry table 2024').click();
    const preview = alice.page.getByRole('dialog', { name: 'Ferry table 2024' });
    await preview.getByText('Monday at 9:12').waitFor();
    await preview.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => tree(bob), { timeout: 15_000 }).toBe('Welcome to Weft Ferry table 2024');
    await alice.button('Open').click();
    await expect.poll(() => alice.bodyText()).toContain('Monday at 9:12');

    await alice.page.getByRole('link', { name: 'Trash' }).click();
    await alice.button('Empty trash').click();
    await alice.page.getByText('2 pages are deleted with their history. This can’t be undone.').waitFor();
    await alice.button('Delete 2 pages').click();
    await alice.page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    await bob.page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
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

test(
  '“Move to…” and the palette: find a page by some of its characters and go there',
  { timeout: 60_000 },
  async () => {
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
  },
);

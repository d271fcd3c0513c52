// The menu of the open page: short, with submenus that a mouse, the keyboard and a finger reach.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';

const fixture = useE2eFixture();

test('the menu begins with what is used most; arrows open a submenu, and Enter chooses in it', async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await alice.newPage();
  const { page } = alice;
  await page.locator('.bar').getByRole('button', { name: 'More' }).click();
  const items = page.getByRole('menu').first().locator('> [role="menuitem"]');
  await page.getByText('min to read').waitFor();
  expect(await items.allTextContents()).toEqual([
    'Find and replace',
    'Copy link',
    'Add to favourites',
    'History',
    'Duplicate',
    'Move to…',
    'Present and view',
    'Export and import',
    'Page options',
    'Move to trash',
  ]);
  await page.getByRole('menuitem', { name: 'Page options' }).press('ArrowRight');
  const smartQuotes = page.getByRole('menuitemcheckbox', { name: 'Smart quotes' });
  // A key that comes before the focus has moved is the menu's.
  await page.locator('[role="menu"]:focus-within').filter({ has: smartQuotes }).waitFor();
  // ArrowLeft goes back, and the menu stays.
  await page.keyboard.press('ArrowLeft');
  await smartQuotes.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.getByRole('menuitem', { name: 'Keys and marks' }).press('Enter');
  await page.getByRole('dialog', { name: 'Keys and marks' }).waitFor();
  expect(await page.getByRole('menu').count()).toBe(0);
});

test('on a phone a submenu opens by a tap, within the screen', async () => {
  const phone = await fixture.newcomer('Bea', { viewport: { width: 1280, height: 760 }, hasTouch: true });
  await phone.createWorkspace('Southquay');
  await phone.newPage();
  const { page } = phone;
  await page.setViewportSize({ width: 390, height: 760 });
  await page.locator('.bar').getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Present and view' }).tap();
  const item = page.getByRole('menuitem', { name: 'Full-screen view' });
  await item.waitFor();
  const box = await page.getByRole('menu').last().boundingBox();
  expect(box !== null && [box.x >= 0, box.x + box.width <= 390]).toEqual([true, true]);
  await item.tap();
  await page.waitForURL(/\/watch$/);
  // So are the tools of the watched page, all of them.
  const tools = page.locator('.watch-bar').getByRole('button');
  await page.getByRole('button', { name: 'Follow changes' }).waitFor();
  const ends = await tools.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  expect([ends.length, Math.max(...ends) <= 390]).toEqual([4, true]);
  await page.getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Back to the page' }).tap();
  await phone.waitUntilEditable();
});

test('on a phone the tree’s icons stand in one line, and no icon is offered where the page has none', async () => {
  const phone = await fixture.newcomer('Bea', { viewport: { width: 1280, height: 760 }, hasTouch: true });
  await phone.createWorkspace('Southquay');
  await phone.newPage();
  const { page } = phone;
  await page.setViewportSize({ width: 390, height: 760 });
  expect(await phone.button('Add icon').isVisible()).toBe(false);
  await phone.button('Show pages').tap();
  await page.getByRole('treegrid').getByRole('button', { name: 'New page inside' }).tap();
  await phone.waitUntilEditable();
  await phone.button('Show pages').tap();
  await expect.poll(() => page.locator('.tree-rows .row').count()).toBe(3);
  const icons = await page
    .locator('.tree-rows .row[aria-level="1"] .page-icon')
    .evaluateAll((all) => all.map((icon) => Math.round(icon.getBoundingClientRect().left)));
  expect([icons.length, new Set(icons).size]).toEqual([2, 1]);
});

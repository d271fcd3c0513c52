// Pages in the text of another one: created with `[[` and `/page`, online and offline, and undo; listed with `/pages`.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

/** Alice with an empty page “Plan” that is open, the caret in its text. */
async function aliceWithPlan(): Promise<Person> {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await alice.newPage();
  await alice.field('Page title').click();
  await alice.type('Plan');
  await alice.body.locator('.block-text').first().click();
  await alice.waitForReceipt('saved');
  return alice;
}

/** Titles from top to bottom, each behind as many dots as its depth. */
const tree = ({ page }: Person): Promise<string> =>
  page
    .getByRole('treegrid', { name: 'Pages' })
    .getByRole('row')
    .evaluateAll((all) =>
      all
        .map((one) => `${'.'.repeat(Number(one.getAttribute('aria-level')) - 1)}${one.querySelector('a')?.textContent}`)
        .join(' '),
    );

const links = ({ body }: Person) => body.locator('a');
const WITHOUT = 'Welcome to Weft Plan';

test('“[[” creates a missing page below the open one; undo discards it, redo brings it back', async () => {
  const alice = await aliceWithPlan();
  const plan = alice.documentId;
  await alice.type('See [[Ferry table');
  await alice.page.getByRole('option', { name: 'New page “Ferry table”' }).waitFor();
  await alice.page.keyboard.press('Enter');
  await alice.type('and tides');
  expect(await alice.bodyText()).toBe('See Ferry table and tides');
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(`${WITHOUT} .Ferry table`);
  expect(alice.documentId, 'the page with the link stays open').toBe(plan);
  await alice.waitForReceipt('saved');

  // How many steps the words behind the link are depends on how quickly they were typed.
  for (let step = 0; step < 5 && (await links(alice).count()) > 0; step++) await alice.page.keyboard.press('Control+z');
  expect(await alice.bodyText()).toBe('See [[Ferry table');
  await alice.page.getByText('“Ferry table” moved to trash').waitFor();
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(WITHOUT);

  await alice.page.keyboard.press('Control+Shift+z');
  await expect.poll(() => links(alice).count()).toBe(1);
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(`${WITHOUT} .Ferry table`);
  await alice.waitForReceipt('saved');

  // A page with this title is there now, so no second one is offered.
  await alice.page.keyboard.press('Control+End');
  await alice.type(' [[ferry TABLE');
  await alice.page.getByRole('option', { name: /^Ferry table/ }).waitFor();
  expect(await alice.page.getByRole('option').count()).toBe(1);
});

test('a page in which something was written stays when its link is undone', async () => {
  const alice = await aliceWithPlan();
  const plan = alice.page.url();
  await alice.type('[[Crew');
  await alice.page.keyboard.press('Enter');
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(`${WITHOUT} .Crew`);
  const other = await alice.page.context().newPage();
  await other.goto(new URL((await links(alice).getAttribute('href')) ?? '', plan).href);
  await other.locator('[aria-label="Page body"][contenteditable="true"]').click();
  await other.keyboard.type('Ada steers');
  await other.locator('[data-receipt="saved"]').first().waitFor();
  await other.close();
  await alice.page.keyboard.press('Control+z');
  await alice.page.getByText('“Crew” stays, because it isn’t empty.').waitFor();
  expect(await tree(alice)).toBe(`${WITHOUT} .Crew`);
});

test('“/page” opens the new page, and its link has the title that the page got', async () => {
  const alice = await aliceWithPlan();
  const plan = alice.page.url();
  await alice.type('First /page');
  await alice.page.keyboard.press('Enter');
  await alice.page.waitForURL((address) => !plan.includes(address.pathname));
  await alice.page.locator('[aria-label="Page title"]:focus').waitFor();
  await alice.type('Start list');
  await alice.waitForReceipt('saved');
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(`${WITHOUT} .Start list`);
  await alice.page.goBack();
  await expect.poll(() => alice.bodyText(), { timeout: 15_000 }).toBe('First Start list ');
  await links(alice).click({ modifiers: [] });
  expect(await links(alice).textContent()).toBe('Start list');
});

test('offline the page is created on this device, and says so', async () => {
  const alice = await aliceWithPlan();
  await alice.page.context().setOffline(true);
  await alice.type('[[Night swim');
  await alice.page.keyboard.press('Enter');
  await alice.page.getByText('“Night swim” is on this device. Others see it when you’re back online.').waitFor();
  await expect.poll(() => tree(alice)).toBe(`${WITHOUT} .Night swim`);
  await alice.page.context().setOffline(false);
  await alice.waitForReceipt('saved');
  // The receipt is that of the open page. The other one's title has to be in the server's lists before this tab is gone.
  const listed = async () => (await alice.account.client.from('documents').select('id').eq('title', 'Night swim')).data;
  await expect.poll(async () => (await listed())?.length, { timeout: 15_000 }).toBe(1);
  await alice.page.reload();
  await alice.waitUntilEditable();
  await expect.poll(() => tree(alice), { timeout: 15_000 }).toBe(`${WITHOUT} .Night swim`);
});

test('“/pages” lists the subpages live, for readers too and in files as links; a link to the page alone shows none', async () => {
  const alice = await aliceWithPlan();
  const plan = alice.page.url();
  await alice.type('/pages');
  await alice.page.keyboard.press('Enter');
  const list = alice.body.getByRole('navigation', { name: 'Subpages' });
  await list.getByText('No subpages yet.').waitFor();
  await alice.body.locator('p.block-text').last().click();
  for (const title of ['Ferry table', 'Crew']) {
    await alice.type(`[[${title}`);
    await alice.page.keyboard.press('Enter');
    await expect.poll(() => list.getByRole('link').allTextContents(), { timeout: 15_000 }).toContain(title);
  }
  expect(await list.getByRole('link').allTextContents()).toEqual(['Ferry table', 'Crew']);
  // Moving a page in the tree moves it in the list.
  await alice.page.getByRole('treegrid').getByRole('link', { name: 'Crew', exact: true }).focus();
  await alice.page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(['Crew', 'Ferry table']);
  await alice.waitForReceipt('saved');

  const saved = alice.page.waitForEvent('download');
  await alice.choosePageItem('Export and import', 'Export as Markdown (.md)');
  const markdown = await readFile(await (await saved).path(), 'utf8');
  expect(markdown).toMatch(/- \[Crew\]\(http:\S+\/p\/\S+\)\n- \[Ferry table\]\(http:\S+\/p\/ferry-table-\S+\)/);

  const watcher = await fixture.watcher(await alice.createLink('watch'));
  await watcher.region.getByText('The subpages are listed here for people in the workspace.').waitFor();
  await alice.page.goto(`${plan.split('?')[0]}/watch`);
  await alice.page.getByRole('navigation', { name: 'Subpages' }).getByRole('link', { name: 'Ferry table' }).click();
  await alice.page.waitForURL(/\/p\/ferry-table-/);
});

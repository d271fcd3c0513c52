// Full-text search with two members: what one writes the other finds, at its place, but not what they may not read.
import { expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

const field = (person: Person) => person.page.getByRole('textbox', { name: 'Search in all text' });
const results = async (person: Person): Promise<readonly string[]> => {
  const titles = await person.page.getByRole('list', { name: 'Results' }).locator('.hit-title').allTextContents();
  return titles.toSorted();
};

async function pageWith(person: Person, title: string, lines: readonly string[]): Promise<string> {
  await person.newPage();
  await person.field('Page title').click();
  await person.type(title);
  await person.putCaretAtEnd();
  for (const line of lines) {
    await person.insert(line);
    await person.page.keyboard.press('Enter');
  }
  await person.waitForReceipt('saved');
  return person.documentId;
}

test(
  'a member finds what the other wrote, at its place, and nothing they may not read',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice');
    const owner = alice.account.client;
    await alice.createWorkspace('Northquay');
    await pageWith(alice, 'Boat rota', [
      ...Array.from({ length: 50 }, (_, n) => `Line ${n + 1} names the boat of the day.`),
      'The safety boat leaves at nine.',
    ]);
    const secret = await pageWith(alice, 'Secret plans', ['Sell the safety boat.']);
    const invite = await alice.createInviteLink();
    const { data: workspaces } = await owner.from('workspaces').select('id');
    const workspace: unknown = workspaces?.[0]?.id;
    await owner.rpc('set_document_access', { document: secret, access: 'restricted' });
    const found = async () => {
      const { data } = await owner.rpc('search_documents', { workspace, query: 'safety boat' });
      return (data as { total: number }).total;
    };
    await expect.poll(found, { timeout: 20_000 }).toBe(2);

    const bob = await fixture.newcomer('Bob', { ...NO_SERVICE_WORKER, reducedMotion: 'reduce' });
    await bob.join(invite);
    await bob.button('Search').waitFor();
    await bob.page.keyboard.press('Control+Shift+F');
    await field(bob).waitFor();
    await bob.type('safety boat');
    await expect.poll(() => results(bob)).toEqual(['Boat rota']);
    expect(await bob.page.locator('mark').allTextContents()).toContain('safety');
    expect(await violationsOn(bob.page, 'search')).toEqual([]);
    await bob.page.keyboard.press('Enter');
    await bob.page.waitForURL(/\/p\/boat-rota-/);
    await bob.page.getByRole('search', { name: 'Find in this page' }).waitFor();
    const current = bob.page.locator('.found.is-current');
    await expect.poll(() => current.allTextContents()).toEqual(['safety boat']);
    await expect.poll(() => isOnScreen(bob, '.found.is-current')).toBe(true);
    // Escape continues there.
    await bob.page.keyboard.press('Escape');
    await expect.poll(() => bob.page.evaluate(() => getSelection()?.toString())).toBe('safety boat');
    await bob.page.goBack();
    await expect.poll(() => results(bob)).toEqual(['Boat rota']);

    // From the palette the words come along.
    await alice.page.getByRole('button', { name: 'Search' }).click();
    const palette = alice.page.getByRole('combobox', { name: 'Search pages, people and actions' });
    await palette.and(alice.page.locator(':focus')).waitFor();
    await alice.type('sell the');
    await alice.page.keyboard.press('ArrowUp');
    await alice.page.keyboard.press('Enter');
    await expect.poll(() => results(alice)).toEqual(['Secret plans']);
  },
);

const isOnScreen = (person: Person, selector: string): Promise<boolean> =>
  person.page.evaluate((wanted) => {
    const box = document.querySelector(wanted)?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  }, selector);

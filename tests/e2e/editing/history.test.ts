// The history of a page on the screen: two people who write, and a viewer.
import type { Locator } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let carol: Person;
let pageAddress: string;
let documentId: string;

const CALM = { serviceWorkers: 'block', reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } } as const;
const NAMED = 'To the harbour master';

beforeAll(async () => {
  alice = await fixture.author('Alice', 'North Quay', 'Nobody goes in before the boat.', CALM);
  for (const line of ['Slip swept', 'Ropes down on both sides', 'The end.']) {
    await alice.page.keyboard.press('Enter');
    await alice.insert(line);
  }
  await alice.waitForReceipt('saved');
  pageAddress = alice.page.url();
  ({ documentId } = alice);
  const link = await alice.account.createLink(alice.documentId, 'editor', true);
  bob = await fixture.guest('Bob', link);
  carol = await fixture.guest('Carol', link);
  const { client } = alice.account;
  const { data } = await client.from('profiles').select('id').eq('display_name', 'Carol');
  const set = await client.rpc('set_document_member', {
    document: alice.documentId,
    person: data?.[0]?.id as unknown,
    role: 'viewer',
  });
  if (set.error !== null) throw new Error(set.error.message);
});
afterAll(() => Promise.all([alice, bob, carol].map(({ page }) => page.context().close())));

const region = ({ page }: Person): Locator => page.getByRole('region', { name: 'Page at this version' });
const versions = ({ page }: Person): Locator => page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
const version = (person: Person, name: string): Locator => versions(person).filter({ hasText: name });
const slider = ({ page }: Person): Locator => page.getByRole('slider', { name: 'Timeline' });
const item = ({ page }: Person, name: string | RegExp): Locator => page.getByRole('menuitem', { name });

async function openHistory(person: Person): Promise<void> {
  await person.page.goto(`${pageAddress}/history`);
  await region(person).getByText('Ropes down').waitFor();
  await versions(person).first().waitFor();
}

async function menuOf(person: Person, name: string): Promise<void> {
  const row = version(person, name).first();
  await row.hover();
  await row.getByRole('button', { name: /^More for/ }).click();
}

/** The page's text without removed words. */
const textOf = (person: Person): Promise<readonly string[]> =>
  region(person)
    .locator('.block:not([data-sign="removed"]) .block-text')
    .evaluateAll((texts) =>
      texts.map((text) => {
        const copy = text.cloneNode(true);
        if (copy instanceof Element) for (const gone of copy.querySelectorAll('del')) gone.remove();
        return copy.textContent ?? '';
      }),
    );

async function bytesOfLog(): Promise<Buffer> {
  const asked = { document: documentId, after: 0, row_version: 3 };
  const { data } = await alice.account.client.rpc('history_rows', asked);
  return Buffer.from(v.parse(v.object({ rows: v.string() }), data).rows, 'base64');
}

const lines = async (person: Person): Promise<readonly string[]> => (await person.bodyText()).split('\n');

describe('versions', () => {
  test('the menu of the page opens its history; a version gets a name', async () => {
    await alice.page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
    await item(alice, 'History').click();
    await region(alice).getByText('Slip swept').waitFor();
    await expect.poll(() => versions(alice).count()).toBe(1);
    await expect.poll(() => versions(alice).first().innerText()).toMatch(/Now\s+Since .* Page created · \+\d+ words/);
    await menuOf(alice, 'Now');
    await item(alice, 'Name this version').click();
    await alice.field('Name').fill(NAMED);
    await alice.button('Save').click();
    await expect.poll(() => versions(alice).allInnerTexts()).toHaveLength(2);
    expect(await version(alice, NAMED).innerText()).toContain('named by you');
  });

  test('what others write meanwhile appears, in their name and marked', async () => {
    await bob.body.getByText('Slip swept').click({ clickCount: 3 });
    await bob.page.keyboard.press('Backspace');
    await bob.page.keyboard.press('Backspace');
    await bob.goToEnd();
    await bob.type(' Loudly.');
    await bob.waitForReceipt('saved');
    await menuOf(alice, NAMED);
    await item(alice, 'Compare with this version').click();
    await region(alice).getByRole('insertion').getByText('Loudly.').waitFor();
    expect(await region(alice).getByRole('insertion').getAttribute('title')).toMatch(/^Added by Bob, Today/);
    const removed = region(alice).locator('[data-sign="removed"]');
    expect(await removed.innerText()).toContain('Slip swept');
    expect(await removed.getByRole('deletion').getAttribute('title')).toMatch(/^Removed by Bob/);
    expect(await region(alice).locator('.note-line').allInnerTexts()).toEqual([
      expect.stringMatching(/^Bob/),
      expect.stringMatching(/^Bob/),
    ]);
  });

  test('steps lead through the changes by keys, and are said', async () => {
    await alice.page.keyboard.press('n');
    await alice.page.getByText('Change 1 of 2. Removed 1 block: “Slip swept”').waitFor();
    await alice.page.keyboard.press('n');
    await alice.page.getByText('Change 2 of 2. Added: “Loudly.”').waitFor();
    expect(await region(alice).locator('[data-current]').innerText()).toBe('Loudly.');
  });

  test('authors and plain show the same page', async () => {
    await alice.button('Authors').click();
    const written = region(alice).locator('.written', { hasText: 'Loudly' });
    expect(await written.getAttribute('title')).toMatch(/^Written by Bob/);
    expect(await region(alice).locator('.written').first().getAttribute('title')).toMatch(/^Written by you/);
    await alice.button('Plain').click();
    await expect.poll(() => region(alice).locator('ins, del, .written').count()).toBe(0);
    expect(await textOf(alice)).toEqual(await lines(bob));
    await alice.button('Changes').click();
  });

  test('nothing on the screen is inaccessible, in light and dark, on a phone too', async () => {
    await region(alice).getByRole('insertion').waitFor();
    const found = [...(await violationsOn(alice.page, 'history'))];
    await alice.button('Authors').click();
    await region(alice).locator('.written').first().waitFor();
    found.push(...(await violationsOn(alice.page, 'authors')));
    await alice.button('Changes').click();
    await alice.page.setViewportSize({ width: 360, height: 740 });
    found.push(...(await violationsOn(alice.page, 'phone')));
    await alice.button('Versions').click();
    await versions(alice).first().waitFor();
    found.push(...(await violationsOn(alice.page, 'versions on a phone')));
    await alice.page.keyboard.press('Escape');
    await alice.page.setViewportSize(CALM.viewport);
    expect(found).toEqual([]);
  });
});

describe('the timeline', () => {
  test('goes by edit and by editing session with keys, and returns to now', async () => {
    await openHistory(alice);
    await slider(alice).focus();
    await alice.page.keyboard.press('Home');
    await expect.poll(() => slider(alice).getAttribute('aria-valuenow')).toBe('1');
    await region(alice).getByText('Ropes down').waitFor({ state: 'detached' });
    await alice.page.keyboard.press('ArrowRight');
    expect(await slider(alice).getAttribute('aria-valuetext')).toMatch(/^Today, \d\d:\d\d, edit 2 of \d+$/);
    await alice.page.keyboard.press('PageUp');
    const last = await slider(alice).getAttribute('aria-valuemax');
    expect(await slider(alice).getAttribute('aria-valuenow')).toBe(last);
    await alice.page.keyboard.press('ArrowLeft');
    await alice.button('Return to now').click();
    expect(await slider(alice).getAttribute('aria-valuenow')).toBe(last);
    await region(alice).getByText('Loudly.').waitFor();
  });

  test('plays the page from its first edit to its last', async () => {
    await slider(alice).focus();
    await alice.page.keyboard.press('Home');
    await alice.button('60×').click();
    await alice.button('Play').click();
    const last = await slider(alice).getAttribute('aria-valuemax');
    await expect.poll(() => slider(alice).getAttribute('aria-valuenow'), { timeout: 20_000 }).toBe(last);
    await alice.button('Play').waitFor();
    await region(alice).getByText('Loudly.').waitFor();
  });
});

describe('restoring', () => {
  test('a removed block comes back while someone writes, and Undo takes it away again', async () => {
    await openHistory(alice);
    await menuOf(alice, NAMED);
    await item(alice, 'Compare with this version').click();
    await bob.goToEnd();
    const writing = bob.type(' These words are written while the block comes back.', 20);
    await region(alice).getByText('Slip swept').click();
    await alice.button('Restore this block').click();
    await alice.waitUntilEditable();
    // While someone points at it, it stays: on a busy machine the rest takes longer than its ten seconds.
    await alice.page.getByText('Block restored.').hover();
    await writing;
    await bob.waitForReceipt('saved');
    await expect
      .poll(() => lines(alice))
      .toEqual([
        'Nobody goes in before the boat.',
        'Slip swept',
        'Ropes down on both sides',
        'The end. Loudly. These words are written while the block comes back.',
      ]);
    await expect.poll(() => lines(bob)).toEqual(await lines(alice));
    await alice.button('Undo').click();
    await expect
      .poll(() => lines(bob))
      .toEqual([
        'Nobody goes in before the boat.',
        'Ropes down on both sides',
        'The end. Loudly. These words are written while the block comes back.',
      ]);
  });

  test('words that someone removed come back by themselves, with a click or with keys, and Undo takes them away again', async () => {
    const all = 'Nobody goes in before the boat.';
    await bob.body.getByText(all).click();
    await bob.page.keyboard.press('Home');
    for (let words = 0; words < 3; words++) await bob.page.keyboard.press('Control+ArrowRight');
    await bob.page.keyboard.press('Shift+End');
    await bob.page.keyboard.press('Backspace');
    await bob.page.keyboard.press('Home');
    await bob.type('Now: ');
    await bob.waitForReceipt('saved');
    await openHistory(alice);
    await menuOf(alice, NAMED);
    await item(alice, 'Compare with this version').click();
    await region(alice).getByRole('deletion').filter({ hasText: 'before the boat.' }).click();
    await alice.button('Restore these words').click();
    await alice.waitUntilEditable();
    await expect.poll(() => lines(bob)).toContain(`Now: ${all}`);
    await alice.button('Undo').click();
    await expect.poll(() => lines(bob)).not.toContain(`Now: ${all}`);
    await alice.waitForReceipt('saved');

    await openHistory(alice);
    await menuOf(alice, NAMED);
    await item(alice, 'Compare with this version').click();
    const words = region(alice).getByRole('deletion').filter({ hasText: 'before the boat.' });
    await words.waitFor();
    await expect
      .poll(async () => {
        await alice.page.keyboard.press('n');
        return words.getAttribute('data-current');
      })
      .toBe('');
    const restore = alice.button('Restore these words');
    expect(await violationsOn(alice.page, 'words of a step')).toEqual([]);
    await restore.focus();
    await alice.page.keyboard.press('Enter');
    await alice.waitUntilEditable();
    await bob.page.keyboard.press('Home');
    for (const _character of 'Now: ') await bob.page.keyboard.press('Delete');
    await expect.poll(() => lines(bob)).toContain(all);
    await bob.waitForReceipt('saved');
  });

  test('a page becomes what it was, after a question, and what it was then is a version', async () => {
    await openHistory(alice);
    await version(alice, NAMED).getByRole('button').first().click();
    await alice.button('Restore page').click();
    const dialog = alice.page.getByRole('dialog');
    await dialog.getByText(/Bob.* ha(?:s|ve) the page open and will see it change\./).waitFor();
    expect(await violationsOn(alice.page, 'restoring', '.dialog')).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore page' }).click();
    await alice.waitUntilEditable();
    const named = ['Nobody goes in before the boat.', 'Slip swept', 'Ropes down on both sides', 'The end.'];
    await expect.poll(() => lines(bob)).toEqual(named);
    await alice.button('Undo').click();
    await expect.poll(() => lines(bob)).toContain('Ropes down on both sides');
    await expect.poll(() => lines(bob)).not.toContain('Slip swept');
    await alice.waitForReceipt('saved');
    await openHistory(alice);
    await version(alice, 'Before a restore').first().waitFor();
  });

  test('what one person did since a version can be looked at and undone as a whole', async () => {
    await bob.putCaretAtEnd();
    await bob.type(' Vandal words.');
    await bob.waitForReceipt('saved');
    await expect.poll(() => region(alice).innerText()).toContain('Vandal words.');
    await menuOf(alice, 'Now');
    await item(alice, /^Undo everything by Bob since today/).click();
    const undo = alice.page.getByRole('group', { name: 'Undo a person’s edits' });
    await undo.getByText(/^The page without Bob’s edits since today/).waitFor();
    expect((await textOf(alice)).join('\n')).not.toContain('Vandal words.');
    expect(await lines(bob)).toContain('Nobody goes in before the boat. Vandal words.');
    await undo.getByRole('button', { name: 'Undo these edits' }).click();
    await alice.waitUntilEditable();
    await expect.poll(() => lines(bob)).toContain('Nobody goes in before the boat.');
  });

  test('a version becomes a page of its own', async () => {
    await openHistory(alice);
    await version(alice, NAMED).getByRole('button').first().click();
    await region(alice).getByText('Slip swept').waitFor();
    await alice.button('Copy as new page').click();
    await alice.page.waitForURL((url) => !url.href.startsWith(pageAddress));
    await alice.waitUntilEditable();
    await expect
      .poll(() => lines(alice))
      .toEqual(['Nobody goes in before the boat.', 'Slip swept', 'Ropes down on both sides', 'The end.']);
  });
});

test('a viewer sees everything and restores nothing', async () => {
  await openHistory(carol);
  await version(carol, NAMED).getByRole('button').first().click();
  await region(carol).getByText('Slip swept').click();
  expect(await carol.button('Restore page').count()).toBe(0);
  expect(await carol.button('Restore this block').count()).toBe(0);
  await menuOf(carol, NAMED);
  await item(carol, 'Compare with this version').waitFor();
  expect(await item(carol, /Name|Rename|Restore|Undo|Remove/).count()).toBe(0);
  await carol.page.keyboard.press('Escape');
  await carol.button('Authors').click();
  await region(carol).locator('.written').first().waitFor();
});

test('a link that was made with the history shows it without names, as it grows; another link offers nothing', async () => {
  const { account } = alice;
  const plain = await fixture.watcher(await account.createLink(documentId, 'viewer'));
  await plain.page.locator('.live-badge[data-state="live"]').waitFor();
  expect(await plain.page.getByRole('link', { name: 'History' }).count()).toBe(0);
  await plain.page.context().close();

  const dave = await fixture.watcher(await account.createLink(documentId, 'viewer', true));
  const { page } = dave;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const shown = page.getByRole('region', { name: 'Page at this version' });
  const rows = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
  await page.getByRole('link', { name: 'History' }).click();
  await shown.getByText('Ropes down').waitFor();
  await rows.filter({ hasText: NAMED }).getByRole('button').first().click();
  await shown.getByText('Slip swept').click();
  await page.getByRole('button', { name: 'Authors' }).click();
  expect(await shown.locator('.written').first().getAttribute('title')).toMatch(/^Written by someone, Today/);
  expect(await page.locator('body').innerText()).not.toMatch(/Alice|Bob|Carol/);
  expect(await page.getByRole('button', { name: /Restore|Copy/ }).count()).toBe(0);
  expect(await violationsOn(page, 'history by link')).toEqual([]);
  await page.getByRole('button', { name: 'Return to now' }).click();
  await bob.putCaretAtEnd();
  await bob.type(' For those who watch.');
  await shown.getByText('For those who watch.').waitFor();
  await page.getByRole('link', { name: 'Back to page' }).click();
  await dave.region.getByText('For those who watch.').waitFor();
  await page.context().close();
});

test('a manager erases a password for good: it is in no version, in no row, and on no one’s page', async () => {
  await alice.page.goto(pageAddress);
  await alice.waitUntilEditable();
  await alice.goToEnd();
  // Inserted in one edit, as if pasted, so that its row has the word as such.
  await alice.insert(' The password is hunter2.');
  await alice.waitForReceipt('saved');
  await expect.poll(() => lines(bob)).toEqual(expect.arrayContaining([expect.stringContaining('hunter2')]));
  expect((await bytesOfLog()).includes('hunter2')).toBe(true);
  // Bob is an editor, not a manager.
  await bob.body.getByText('hunter2').click();
  await bob.page.keyboard.press('Control+/');
  await item(bob, 'Who wrote this?').waitFor();
  expect(await item(bob, /^Erase/).count()).toBe(0);
  await bob.page.keyboard.press('Escape');

  // Bob looks at the history meanwhile.
  await openHistory(bob);
  await region(bob).getByText('hunter2').waitFor();
  // ".": behind the password.
  await alice.page.keyboard.press('ArrowLeft');
  for (const _character of 'hunter2') await alice.page.keyboard.press('Shift+ArrowLeft');
  await alice.button('Who wrote this?').click();
  await alice.button('Erase from history too…').click();
  const dialog = alice.page.getByRole('dialog', { name: 'Erase from history too?' });
  await expect.poll(() => dialog.getByRole('blockquote').innerText()).toBe('hunter2');
  expect(await violationsOn(alice.page, 'erasing', '.dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Erase from history too' }).click();
  await alice.page.getByText('Erased.', { exact: true }).waitFor();
  await expect.poll(() => region(bob).innerText()).not.toContain('hunter2');
  await version(bob, 'Words erased from history')
    .getByText(/^\d\d:\d\d · by Alice$/)
    .waitFor();
  await bob.page.goto(pageAddress);
  await bob.waitUntilEditable();
  for (const person of [alice, bob]) {
    await expect
      .poll(() => lines(person))
      .toEqual(expect.arrayContaining([expect.stringContaining('The password is .')]));
  }
  await openHistory(alice);
  await region(alice).getByText('The password is .').waitFor();
  await slider(alice).focus();
  await alice.page.keyboard.press('ArrowLeft');
  expect(await region(alice).innerText()).not.toContain('hunter2');
  const after = await bytesOfLog();
  expect([after.includes('The password is '), after.includes('hunter2')]).toEqual([true, false]);
});

test('without the server the history says so, and is there again when it answers', async () => {
  await carol.page.goto(pageAddress);
  await carol.page.getByText('Ropes down').waitFor();
  await carol.page.route('**/rest/v1/rpc/history_rows*', (route) => route.abort());
  await carol.page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await item(carol, 'History').click();
  await carol.page.getByRole('heading', { name: 'The history needs the server' }).waitFor();
  await carol.page.unroute('**/rest/v1/rpc/history_rows*');
  await carol.button('Try now').click();
  await expect.poll(() => textOf(carol)).toContain('Ropes down on both sides');
});

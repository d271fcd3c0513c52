// The changes since the last visit: by a link on this device, for members, and while the page goes on changing.
import type { BrowserContext, Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { type Person, Watcher } from '../../support/browser/person.ts';
import { expectNoOverflow, smallTargets } from '../../support/browser/small-screen.ts';
import { storedText } from '../../support/browser/stored-text.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let watchLink: string;
let device: BrowserContext;

beforeAll(async () => {
  alice = await fixture.author('Alice', 'North Quay', 'Nobody goes in before the boat.');
  for (const line of ['Slip swept', 'Three words go today.', 'The end.']) {
    await alice.page.keyboard.press('Enter');
    await alice.insert(line);
  }
  await alice.waitForReceipt('saved');
  watchLink = await alice.createLink('watch');
  const editLink = await alice.createLink('edit');
  bob = await fixture.guest('Bob', editLink);
  device = await fixture.browser.newContext({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await Promise.all([alice.page.context(), bob.page.context(), device].map((context) => context.close()));
});

const region = (page: Page) => page.getByRole('region', { name: 'Watched page' });
const stepper = (page: Page) => page.getByRole('toolbar', { name: 'Changes since your last visit' });
const says = (page: Page) => stepper(page).getByRole('status');
const selected = (page: Page) => page.evaluate(() => getSelection()?.toString() ?? '');

async function watch(context = device): Promise<Page> {
  const watcher = new Watcher(await context.newPage());
  await watcher.open(watchLink);
  await region(watcher.page).getByText('The end.').waitFor();
  return watcher.page;
}

async function hasSnapshot(): Promise<boolean> {
  const { data } = await alice.account.client.rpc('open_document', { document: alice.documentId, since: 0 });
  return v.parse(v.object({ snapshot: v.nullable(v.object({})) }), data).snapshot !== null;
}

/** Puts the caret after these words of the body. */
async function caretAfter(person: Person, words: string): Promise<void> {
  await person.body.getByText(words).first().click();
  await person.page.keyboard.press('End');
}

describe('by a link', () => {
  test('a first visit has no marks, and nothing readable of the page stays on the device', async () => {
    // An open app makes a snapshot within seconds, as the link shows no history. Changes that came before it would have no times.
    await expect.poll(hasSnapshot, { timeout: 30_000 }).toBe(true);
    const page = await watch();
    await expect.poll(() => savedAt(page), { timeout: 10_000 }).toBeGreaterThan(0);
    expect(await stepper(page).count()).toBe(0);
    expect(await storedText(page)).not.toMatch(/Nobody goes|Slip swept/);
    expect(await storedText(page)).not.toContain(new URL(watchLink).hash.slice(1));
    await page.close();
  });

  test('a second visit marks what changed, steps through it by buttons and keys, and says each step', async () => {
    await caretAfter(bob, 'Slip swept');
    await bob.insert(' and ropes down');
    await caretAfter(bob, 'Three words go today.');
    for (let word = 0; word < 2; word++) await bob.page.keyboard.press('Control+Backspace');
    await bob.page.keyboard.press('Control+Backspace');
    await bob.waitForReceipt('saved');
    const openedAt = Date.now();
    const page = await watch();
    await stepper(page).waitFor();
    expect(await stepper(page).innerText()).toMatch(/^2\s*changes since \d\d:\d\d/);
    expect(await region(page).locator('.since').allInnerTexts()).toEqual(['and ropes down']);
    const tag = region(page).getByRole('button', { name: /\d words? removed/ });
    expect(await tag.count()).toBe(1);
    await tag.click();
    expect(await region(page).locator('del').innerText()).toContain('today');
    await page.keyboard.press('n');
    await expect.poll(() => says(page).textContent()).toMatch(/^Change 1 of 2, \d\d:\d\d\. Added: “and ropes down”$/);
    await page.getByRole('button', { name: 'Next change' }).click();
    await expect.poll(() => says(page).textContent()).toMatch(/^Change 2 of 2, \d\d:\d\d\. Removed: /);
    await page.keyboard.press('Shift+N');
    await expect.poll(() => stepper(page).locator('b').innerText()).toBe('1 of 2');
    expect(await violationsOn(page, 'changes since a visit')).toEqual([]);
    await page.getByRole('button', { name: 'Hide changes' }).click();
    expect(await region(page).locator('.since, .gone').count()).toBe(0);
    // The next visit is compared with the state that this one stored.
    await expect.poll(() => savedAt(page), { timeout: 10_000 }).toBeGreaterThan(openedAt);
    await page.close();
  });

  test('a third visit without changes has no marks, and a reload does not make the last change newer', async () => {
    const page = await watch();
    await expect.poll(() => savedAt(page), { timeout: 10_000 }).toBeGreaterThan(0);
    expect(await stepper(page).count()).toBe(0);
    const secondsAgo = async () =>
      Number(/changed (\d+) s ago/.exec((await page.locator('.live-badge').textContent()) ?? '')?.[1]);
    await expect.poll(secondsAgo, { timeout: 10_000 }).toBeGreaterThan(4);
    const before = await secondsAgo();
    await page.reload();
    await region(page).getByText('The end.').waitFor();
    await page.locator('.live-badge[data-state="live"]').waitFor();
    expect(await secondsAgo()).toBeGreaterThanOrEqual(before);
    await page.close();
  });

  test('on a phone the marks, the bar with the steps and the badge fit', async () => {
    const phone = await fixture.browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    const open = async () => {
      const watcher = new Watcher(await phone.newPage());
      await watcher.open(watchLink);
      await region(watcher.page).getByText('The end.').waitFor();
      return watcher.page;
    };
    const first = await open();
    await expect.poll(() => savedAt(first), { timeout: 10_000 }).toBeGreaterThan(0);
    await first.close();
    await caretAfter(bob, 'Slip swept');
    await bob.insert(' twice');
    await bob.waitForReceipt('saved');
    const page = await open();
    await stepper(page).waitFor();
    await expectNoOverflow(page, 'changes since a visit');
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('button', { name: 'Next change' }).click();
    await expect.poll(() => says(page).textContent()).toMatch(/^Change 1 of 1, /);
    const [bar, mark] = [await stepper(page).boundingBox(), await region(page).locator('.since').boundingBox()];
    if (bar === null || mark === null) throw new Error('not shown');
    expect(bar.x).toBeGreaterThanOrEqual(0);
    expect(bar.x + bar.width).toBeLessThanOrEqual(360);
    expect(mark.y + mark.height).toBeLessThan(bar.y);
    const isCut = await page.locator('.live-badge').evaluate((badge) => badge.scrollWidth > badge.clientWidth);
    expect(isCut).toBe(false);
    await phone.close();
  });
});

describe('rows that arrive', () => {
  test('above the reader keep what is read in its place and the selection as it is', async () => {
    await caretAfter(alice, 'The end.');
    for (let line = 0; line < 60; line++) {
      await alice.page.keyboard.press('Enter');
      await alice.insert(`Line ${line} of the long part.`);
    }
    await alice.waitForReceipt('saved');
    // A first visit: marks of what changed since an earlier one would replace the nodes of these lines while one is selected.
    const context = await fixture.browser.newContext({ reducedMotion: 'reduce' });
    const page = await watch(context);
    const line = region(page).getByText('Line 40 of the long part.');
    await line.waitFor();
    await line.scrollIntoViewIfNeeded();
    await line.selectText();
    const top = async () => (await line.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    await caretAfter(bob, 'Nobody goes in');
    for (let added = 0; added < 5; added++) {
      await bob.page.keyboard.press('Enter');
      await bob.insert(`Bob adds ${added}.`);
    }
    await region(page).getByText('Bob adds 4.').waitFor({ state: 'attached' });
    await expect.poll(top, { timeout: 10_000 }).toBeCloseTo(before, 0);
    expect(await selected(page)).toBe('Line 40 of the long part.');
    for (let word = 0; word < 20; word++) await bob.page.keyboard.press('Control+Backspace');
    await region(page).getByText('Bob adds 4.').waitFor({ state: 'detached' });
    await expect.poll(top, { timeout: 10_000 }).toBeCloseTo(before, 0);
    expect(await selected(page)).toBe('Line 40 of the long part.');
    await context.close();
  });
});

describe('for members', () => {
  test('the page and its full-screen view mark what others changed, with their names', async () => {
    const address = alice.page.url();
    await alice
      .button('Home')
      .or(alice.page.getByRole('link', { name: 'Home' }))
      .first()
      .click();
    await alice.page.waitForURL((url) => !url.pathname.includes('/p/'));
    await caretAfter(bob, 'The end.');
    await bob.insert(' Or not.');
    await bob.waitForReceipt('saved');
    await alice.page.goto(address);
    await alice.waitUntilEditable();
    await stepper(alice.page).waitFor();
    await expect.poll(() => alice.body.locator('.since').allInnerTexts()).toContain('Or not.');
    await alice.page.getByRole('button', { name: 'Next change' }).click();
    await expect.poll(() => says(alice.page).textContent()).toMatch(/Bob \d\d:\d\d\. /);
    // Bob is in a line that he changed: his name covers the one that is there for the change.
    const name = alice.page.locator('.loose-ends').filter({ hasText: 'Bob' });
    await name.waitFor();
    const [shown, line] = [
      await name.boundingBox(),
      await alice.body.locator('.block[data-when]').last().boundingBox(),
    ];
    if (shown === null || line === null) throw new Error('not shown');
    expect(Math.abs(shown.x - (line.x + line.width + 12))).toBeLessThan(2);
    expect(shown.width).toBeGreaterThanOrEqual(148);
    expect(await name.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toMatch(/, 0\)$/);
    // Where the window would cut the names and times of changes there are none, and no line of them under a thread.
    const viewport = alice.page.viewportSize();
    await alice.page.setViewportSize({ width: 1060, height: 800 });
    expect(
      await name.evaluate((element) => [
        getComputedStyle(document.querySelector('.block[data-when]') ?? element, '::after').display,
        getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)',
      ]),
    ).toEqual(['none', true]);
    if (viewport !== null) await alice.page.setViewportSize(viewport);
    // Marks are no part of the document, and text written beside them is not marked.
    await caretAfter(alice, 'Or not.');
    await alice.insert(' Alice agrees.');
    await alice.waitForReceipt('saved');
    expect(await alice.body.locator('.since').allInnerTexts()).toContain('Or not.');
    await expect.poll(() => bob.bodyText()).toContain('The end. Or not. Alice agrees.');
    await bob.insert(' Bob too.');
    await expect.poll(() => alice.bodyText()).toContain('Bob too.');
    expect(await alice.body.locator('.since').allInnerTexts()).toContain('Or not.');
  });

  test('words that someone deleted unseen after their tab was closed are on a card at the next visit', async () => {
    const address = alice.page.url();
    await bob.page.context().setOffline(true);
    await caretAfter(alice, 'Line 3 of the long part.');
    await alice.insert(' Fenders out.');
    await alice.waitForReceipt('saved');
    await alice.page.getByRole('link', { name: 'Home' }).first().click();
    await alice.page.waitForURL((url) => !url.pathname.includes('/p/'));
    await caretAfter(bob, 'Line 3 of the long part.');
    await bob.page.keyboard.press('Escape');
    await bob.page.keyboard.press('Delete');
    await expect.poll(() => bob.bodyText()).not.toContain('Line 3 of the long part.');
    await bob.page.context().setOffline(false);
    await bob.waitForReceipt('saved');
    await alice.page.goto(address);
    await alice.waitUntilEditable();
    const card = alice.page.getByRole('group', { name: 'Recovered text' });
    await card.waitFor();
    expect(await card.innerText()).toMatch(/^Bob deleted a block while you were typing in it\s+Fenders out\.\s/u);
    await card.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => bob.bodyText()).toMatch(/Line 2 of the long part\.\s+Fenders out\.\s+Line 4/u);
    expect(await card.count()).toBe(0);
  });
});

/** When this device last stored the page behind a link, in ms since 1970; 0 if it stores none. */
const savedAt = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    // Opening a database that is not there yet would create it, without the app's stores.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'weft-links')) return 0;
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open('weft-links');
      opening.addEventListener('success', () => {
        const database = opening.result;
        const newest = database.transaction('pages').objectStore('pages').index('at').openKeyCursor(null, 'prev');
        newest.addEventListener('success', () => {
          database.close();
          resolve(Number(newest.result?.key ?? 0));
        });
      });
    });
  });

// The home of a workspace with two members: what one does appears at the other's without a reload.
import { expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

const section = (person: Person, heading: string) =>
  person.page.locator('.home section').filter({ has: person.page.getByRole('heading', { name: heading }) });
const feed = async (person: Person): Promise<string> =>
  (await section(person, 'Activity').getByRole('listitem').allTextContents()).join(' | ');

test(
  'a colleague is seen where they edit, in the activity, and in the changes since one’s visit',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice', { ...NO_SERVICE_WORKER, reducedMotion: 'reduce' });
    await alice.createWorkspace('Northquay');
    await alice.newPage();
    await alice.field('Page title').click();
    await alice.type('Boat rota');
    await alice.putCaretAtEnd();
    await alice.insert('Who rows?');
    await alice.waitForReceipt('saved');
    const invite = await alice.createInviteLink();
    await alice.page.getByRole('link', { name: 'Home' }).click();
    await section(alice, 'Open now').getByText('No other member has a page open right now.').waitFor();
    await expect.poll(() => feed(alice), { timeout: 20_000 }).toMatch(/You (?:created|edited) Boat rota/);

    const bob = await fixture.newcomer('Bob');
    await bob.join(invite);
    await expect.poll(() => feed(alice), { timeout: 20_000 }).toContain('Bob joined');
    await section(bob, 'Recently edited').getByRole('link', { name: 'Boat rota' }).click();
    await bob.waitUntilEditable();
    await bob.putCaretAtEnd();
    await bob.type(' Bob rows.');
    await bob.waitForReceipt('saved');
    const openNow = section(alice, 'Open now');
    await openNow.getByRole('link', { name: 'Boat rota' }).waitFor();
    await openNow.getByText('1 person, last hour').waitFor();
    await openNow.getByText('Bob is editing.').waitFor({ timeout: 60_000 });
    await expect.poll(() => feed(alice), { timeout: 20_000 }).toContain('Bob edited Boat rota');
    await section(alice, 'Continue where you left off')
      .getByText(/changes? since your last visit/)
      .waitFor();
    expect(await violationsOn(alice.page, 'home')).toEqual([]);

    await bob.page.getByRole('link', { name: 'Home' }).click();
    await openNow.getByText('No other member has a page open right now.').waitFor({ timeout: 20_000 });
  },
);

test(
  'a screen that is opened anew starts at its top, and back leads to where it was left; offline the home says what is true',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice', { ...NO_SERVICE_WORKER, reducedMotion: 'reduce' });
    await alice.createWorkspace('Northquay');
    await alice.newPage();
    await alice.field('Page title').click();
    await alice.type('Boat rota');
    await alice.putCaretAtEnd();
    for (let row = 0; row < 30; row++) {
      await alice.insert(`Row ${row}`);
      await alice.page.keyboard.press('Enter');
    }
    await alice.waitForReceipt('saved');
    const { page } = alice;
    await page.setViewportSize({ width: 1_280, height: 320 });
    const scrollTo = async (top: number) => {
      await page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);
      await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(top);
    };
    const place = () => page.evaluate(() => Math.round(scrollY));
    await scrollTo(500);
    await page.getByRole('link', { name: 'Home' }).click();
    await section(alice, 'Activity').getByRole('listitem').first().waitFor();
    expect(await place()).toBe(0);
    await scrollTo(60);
    // The pointer would scroll to the link first.
    await section(alice, 'Continue where you left off').getByRole('link', { name: 'Boat rota' }).dispatchEvent('click');
    await alice.waitUntilEditable();
    expect(await place()).toBe(0);
    await scrollTo(300);
    await page.goBack();
    await section(alice, 'Activity').waitFor();
    await expect.poll(place).toBe(60);
    await page.goForward();
    await alice.waitUntilEditable();
    await expect.poll(place).toBe(300);

    await page.goBack();
    await section(alice, 'Activity').waitFor();
    await page.context().setOffline(true);
    await alice.receipt.getByText('Offline').waitFor();
    await section(alice, 'Open now').getByText('You can’t see who is where while offline.').waitFor();
    await page.getByText('Can’t reach the server.').waitFor();
    await page.context().setOffline(false);
    await alice.receipt.getByText('Saved').waitFor();
    await section(alice, 'Open now')
      .getByText('No other member has a page open right now.')
      .waitFor({ timeout: 30_000 });
  },
);

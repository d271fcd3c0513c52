// Unsaved text of an author who loses access: others have seen it live, and now it vanishes from their screens without moving
// anyone's caret.
import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';

const PHONE = { ...NO_SERVICE_WORKER, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

const fixture = useE2eFixture();

async function join(context: BrowserContext, name: string, link: string): Promise<Person> {
  const person = await Person.at(context);
  await person.signUp(fixture.server.url, name);
  await person.page.goto(link);
  await person.body.waitFor();
  return person;
}

/** With WEFT_SHOTS=folder, saves screenshots of the test there. */
async function saveScreenshots(name: string, ...people: readonly Person[]): Promise<void> {
  const folder = process.env['WEFT_SHOTS'];
  if (folder === undefined) return;
  for (const [at, { page }] of people.entries()) await page.screenshot({ path: `${folder}/${name}-${at}.png` });
}

test('[L6] [D7] a reader sees typing live; unsaved text of a person who loses access vanishes, and carets stay', async () => {
  const log = serviceClient(fixture.server);
  const alice = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.putCaretAtEnd();
  await alice.insert('The harbour opens at six. ');
  await alice.waitForReceipt('saved');
  const document = alice.documentId;
  const editLink = await alice.createLink('edit');
  const bob = await join(await fixture.browser.newContext(NO_SERVICE_WORKER), 'Bob', editLink);
  await bob.waitUntilEditable();
  const carol = await join(await fixture.browser.newContext(PHONE), 'Carol', editLink);
  await carol.waitUntilEditable();
  // Alice asks, who sees only the people of her pages: other tests on this server have a Bob too.
  const { data: profiles } = await alice.account.client.from('profiles').select('id, display_name');
  // This is an API call, because the share dialog cannot change the role of one person.
  const setRole = async (name: string, role: string | null) => {
    const user = profiles?.find((profile) => profile.display_name === name)?.id as unknown;
    const { error } = await alice.account.client.rpc('set_document_member', { document, person: user, role });
    expect(error).toBeNull();
  };
  // From now on Carol may only read.
  await setRole('Carol', 'viewer');
  await carol.page.locator('[aria-label="Page body"][contenteditable="false"]').waitFor();

  // The reader sees it before any row: only Bob's live updates get through, and no one relays them before 5 s have passed (D7).
  await bob.putCaretAtEnd();
  await bob.type('Bob ');
  await bob.waitForReceipt('saved');
  await expect.poll(() => carol.bodyText()).toContain('Bob ');
  const rows = (await readLog(log, document)).length;
  await bob.page.route('**/rest/v1/rpc/append_update*', (route) => route.abort());
  await bob.type('whispers', 20);
  await expect.poll(() => carol.bodyText(), { timeout: 4_500, interval: 20 }).toContain('whispers');
  await expect.poll(() => alice.bodyText(), { timeout: 4_500, interval: 20 }).toContain('whispers');
  expect((await readLog(log, document)).length).toBe(rows);
  await saveScreenshots('before', alice, carol);

  // Alice's caret is in the middle of her own text when Bob loses access.
  await alice.body.locator('.block-text').first().click();
  await alice.page.keyboard.press('Home');
  for (let i = 0; i < 4; i += 1) await alice.page.keyboard.press('ArrowRight');
  await alice.page.waitForTimeout(100);
  await setRole('Bob', null);
  await expect.poll(() => carol.bodyText(), { timeout: 10_000 }).not.toContain('whispers');
  await expect.poll(() => alice.bodyText(), { timeout: 10_000 }).not.toContain('whispers');
  await alice.type('old ');
  await saveScreenshots('after', alice, carol, bob);
  expect(await alice.bodyText()).toBe('The old harbour opens at six. Bob ');
  await alice.waitForReceipt('saved');
  await expect.poll(() => carol.bodyText()).toBe('The old harbour opens at six. Bob ');
  expect(await replayText(log, document)).toBe('The old harbour opens at six. Bob ');
  // Bob can still keep what he could not save.
  expect(await bob.bodyText()).toContain('whispers');
});

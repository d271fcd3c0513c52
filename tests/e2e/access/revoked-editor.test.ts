// Text that is shown but not saved, in the built app: a reader follows it live, and when its author loses access it vanishes
// from every screen without moving anyone's caret.
import { createClient } from '@supabase/supabase-js';
import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person } from '../../support/browser/person.ts';

const FRESH = { serviceWorkers: 'block' } as const;
const PHONE = { ...FRESH, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

const fixture = useE2eFixture();

async function come(context: BrowserContext, name: string, link: string): Promise<Person> {
  const person = await Person.at(context);
  await person.signUp(fixture.server.url, name);
  await person.page.goto(link);
  await person.body.waitFor();
  return person;
}

/** Saves pictures for people who want to see what the test saw. */
async function shoot(name: string, ...people: readonly Person[]): Promise<void> {
  const folder = process.env['WEFT_SHOTS'];
  if (folder === undefined) return;
  for (const [at, { page }] of people.entries()) await page.screenshot({ path: `${folder}/${name}-${at}.png` });
}

test('[L6] [D7] a reader sees typing live; unsaved text of a person who loses access vanishes, and carets stay', async () => {
  const log = serviceClient(fixture.server);
  const ada = await Person.at(await fixture.browser.newContext(FRESH));
  const email = await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  await ada.putCaretAtEnd();
  await ada.insert('The harbour opens at six. ');
  await ada.waitForReceipt('saved');
  const document = ada.documentId;
  const editLink = await ada.createLink('edit');
  const bert = await come(await fixture.browser.newContext(FRESH), 'Bert', editLink);
  await bert.waitUntilEditable();
  const wanda = await come(await fixture.browser.newContext(PHONE), 'Wanda', editLink);
  await wanda.waitUntilEditable();
  const { data: profiles } = await log.from('profiles').select('id, display_name');
  // The share dialog has no list of people yet.
  const owner = createClient(fixture.server.url, fixture.server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  await owner.auth.signInWithPassword({ email, password: 'correct horse battery' });
  const setRole = async (name: string, role: string | null) => {
    const user = profiles?.find((profile) => profile.display_name === name)?.id as unknown;
    const { error } = await owner.rpc('set_document_member', { document, user, role });
    expect(error).toBeNull();
  };
  // From now on Wanda may only read.
  await setRole('Wanda', 'viewer');
  await wanda.page.locator('[aria-label="Page body"][contenteditable="false"]').waitFor();

  // The reader sees it letter by letter, long before the row: only Bert's live updates get through.
  await bert.putCaretAtEnd();
  await bert.type('Bert ');
  await bert.waitForReceipt('saved');
  await expect.poll(() => wanda.bodyText()).toContain('Bert ');
  const rows = (await readLog(log, document)).length;
  await bert.page.route('**/rest/v1/rpc/append_update*', (route) => route.abort());
  await bert.type('whispers', 20);
  await expect.poll(() => wanda.bodyText(), { timeout: 1_500, interval: 20 }).toContain('whispers');
  await expect.poll(() => ada.bodyText(), { timeout: 1_500, interval: 20 }).toContain('whispers');
  expect((await readLog(log, document)).length).toBe(rows);
  await shoot('before', ada, wanda);

  // Ada's caret is in the middle of her own text when Bert loses access.
  await ada.body.locator('.block-text').first().click();
  await ada.page.keyboard.press('Home');
  for (let i = 0; i < 4; i += 1) await ada.page.keyboard.press('ArrowRight');
  await ada.page.waitForTimeout(100);
  await setRole('Bert', null);
  await expect.poll(() => wanda.bodyText(), { timeout: 10_000 }).not.toContain('whispers');
  await expect.poll(() => ada.bodyText(), { timeout: 10_000 }).not.toContain('whispers');
  await ada.type('old ');
  await shoot('after', ada, wanda, bert);
  expect(await ada.bodyText()).toBe('The old harbour opens at six. Bert ');
  await ada.waitForReceipt('saved');
  await expect.poll(() => wanda.bodyText()).toBe('The old harbour opens at six. Bert ');
  expect(await replayText(log, document)).toBe('The old harbour opens at six. Bert ');
  // Bert can still keep what he could not save.
  expect(await bert.bodyText()).toContain('whispers');
});

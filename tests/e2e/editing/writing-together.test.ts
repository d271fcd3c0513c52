// Two people write in one paragraph at the same time, a watcher follows, and every receipt is true.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { LOWER, UPPER, countTurns, lettersOf, only } from '../../support/editor/letters.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { type ReceiptChange, observeReceipts } from '../../support/browser/receipts.ts';

const LETTERS = 200;
const EVERY_MS = 30;
/** The app's files come from the test's server; nothing may come from a cache. */
const FRESH = { serviceWorkers: 'block' } as const;

const fixture = useE2eFixture();

test('two people write 200 letters each into one paragraph, a watcher sees it, and every "saved" is in the log', async () => {
  const log = serviceClient(fixture.server);
  const [ada, bert, watcher] = await Promise.all([
    Person.at(await fixture.browser.newContext(FRESH)),
    Person.at(await fixture.browser.newContext(FRESH)),
    fixture.browser.newContext(FRESH).then(async (context) => new Watcher(await context.newPage())),
  ]);

  // A second connection checks each "Saved" at the moment it is shown.
  const broken: string[] = [];
  const checks: Promise<void>[] = [];
  let document = '';
  const check = (alphabet: string) => (change: ReceiptChange) => {
    if (change.receipt !== 'saved' || document === '') return;
    const promised = only(change.text, alphabet);
    checks.push(
      (async () => {
        const held = only(await replayText(log, document), alphabet);
        if (!held.startsWith(promised)) broken.push(`"saved" was shown for ${promised}, the log held ${held}`);
      })(),
    );
  };
  await observeReceipts(ada.page, check(UPPER));
  await observeReceipts(bert.page, check(LOWER));

  await ada.signUp(fixture.server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  const editLink = await ada.createLink('edit');
  const watchLink = await ada.createLink('watch');
  document = ada.documentId;

  await bert.signUp(fixture.server.url, 'Bert');
  await bert.page.goto(editLink);
  await bert.waitUntilEditable();
  expect(bert.documentId).toBe(document);

  let restCalls = 0;
  await watcher.page.route('**/rest/v1/**', (route) => (++restCalls === 1 ? route.continue() : route.abort()));
  await watcher.open(watchLink);
  await expect.poll(() => restCalls).toBeGreaterThan(0);

  const [ours, theirs] = [lettersOf(UPPER, LETTERS), lettersOf(LOWER, LETTERS)];
  await Promise.all([ada.putCaretAtEnd(), bert.putCaretAtEnd()]);
  await Promise.all([typeAtTheEnd(ada, ours), typeAtTheEnd(bert, theirs)]);

  // All 400 letters are on both screens, each person's in order.
  await expect.poll(() => ada.bodyText(), { timeout: 10_000 }).toHaveLength(2 * LETTERS);
  const text = await ada.bodyText();
  await expect.poll(() => bert.bodyText(), { timeout: 10_000 }).toBe(text);
  await Promise.all([ada.waitForReceipt('saved'), bert.waitForReceipt('saved')]);
  await expect.poll(() => watcher.text(), { timeout: 3_000 }).toBe(text);
  expect(only(text, UPPER)).toBe(ours);
  expect(only(text, LOWER)).toBe(theirs);
  expect(countTurns(text)).toBeGreaterThan(20);

  expect(await replayText(log, document)).toBe(text);
  await Promise.all(checks);
  expect(checks.length).toBeGreaterThan(2);
  expect(broken).toEqual([]);

  // They really wrote at the same time: rows of the two sessions alternate in the log.
  const writers = (await readLog(log, document)).slice(1).map((row) => row.session);
  expect(new Set(writers).size).toBe(2);
  expect(writers.filter((writer, at) => at > 0 && writer !== writers[at - 1]).length).toBeGreaterThan(20);
  await Promise.all([ada, bert, watcher].map(({ page }) => page.context().close()));
});

/**
 * Every few letters the person moves to the end of the paragraph. Otherwise each caret would stay behind its own last
 * letter, and the two texts would stand side by side.
 */
async function typeAtTheEnd(person: Person, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += 4) {
    await person.type(text.slice(at, at + 4), EVERY_MS);
    await person.page.keyboard.press('End');
  }
}

test('no receipt says "saved" while the append is held', async () => {
  const person = await Person.at(await fixture.browser.newContext(FRESH));
  const changes: ReceiptChange[] = [];
  await observeReceipts(person.page, (change) => changes.push(change));
  await person.signUp(fixture.server.url, 'Cleo');
  await person.createWorkspace('South Quay');
  await person.newPage();

  const gate = Promise.withResolvers<void>();
  let held = 0;
  await person.page.route('**/rest/v1/rpc/append_update', async (route) => {
    held++;
    await gate.promise;
    await route.continue();
  });
  await person.putCaretAtEnd();
  changes.length = 0;
  await person.type('not yet on the server', 30);
  await expect.poll(() => held).toBeGreaterThan(0);
  // Longer than any timer that could turn the receipt to "Saved".
  await person.page.waitForTimeout(7_000);
  expect(changes.map(({ receipt }) => receipt)).not.toContain('saved');
  expect(await person.receipt.getAttribute('data-receipt')).not.toBe('saved');
  expect(await replayText(serviceClient(fixture.server), person.documentId)).not.toContain('not yet');

  gate.resolve();
  await person.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), person.documentId)).toBe('not yet on the server');
  await person.page.context().close();
});

// Two people write in one paragraph at the same time and a watcher sees it. A receipt says "saved" only if it is true.
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { type ReceiptChange, observeReceipts } from '../../support/browser/receipts.ts';
import { LOWER, UPPER, countTurns, lettersOf, only } from '../../support/editor/letters.ts';
import { readLog, replayText, serviceClient } from '../../support/server/log-replay.ts';

const LETTERS = 200;
const EVERY_MS = 30;

const fixture = useE2eFixture();

test('two people write 200 letters each into one paragraph, a watcher sees it, and every "saved" is in the log', async () => {
  const log = serviceClient(fixture.server);
  const [alice, bob, watcher] = await Promise.all([
    Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER)),
    Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER)),
    fixture.browser.newContext(NO_SERVICE_WORKER).then(async (context) => new Watcher(await context.newPage())),
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
  await observeReceipts(alice.page, check(UPPER));
  await observeReceipts(bob.page, check(LOWER));

  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const editLink = await alice.createLink('edit');
  const watchLink = await alice.createLink('watch');
  document = alice.documentId;

  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(editLink);
  await bob.waitUntilEditable();
  expect(bob.documentId).toBe(document);

  // The first text, and the page itself: all that follows comes from the topic.
  let restCalls = 0;
  await watcher.page.route('**/rest/v1/**', (route) => (++restCalls <= 2 ? route.continue() : route.abort()));
  await watcher.open(watchLink);
  await expect.poll(() => restCalls).toBeGreaterThan(1);

  const [ours, theirs] = [lettersOf(UPPER, LETTERS), lettersOf(LOWER, LETTERS)];
  await Promise.all([alice.putCaretAtEnd(), bob.putCaretAtEnd()]);
  await Promise.all([typeAtTheEnd(alice, ours), typeAtTheEnd(bob, theirs)]);

  // All 400 letters are on both screens, each person's in order.
  await expect.poll(() => alice.bodyText(), { timeout: 10_000 }).toHaveLength(2 * LETTERS);
  const text = await alice.bodyText();
  await expect.poll(() => bob.bodyText(), { timeout: 10_000 }).toBe(text);
  await Promise.all([alice.waitForReceipt('saved'), bob.waitForReceipt('saved')]);
  await expect.poll(() => watcher.text()).toBe(text);
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
  await Promise.all([alice, bob, watcher].map(({ page }) => page.context().close()));
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

test('the receipt does not say "saved" while the append is on its way', async () => {
  const person = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  const changes: ReceiptChange[] = [];
  await observeReceipts(person.page, (change) => changes.push(change));
  await person.signUp(fixture.server.url, 'Carol');
  await person.createWorkspace('South Quay');
  await person.newPage();

  const release = Promise.withResolvers<void>();
  let held = 0;
  await person.page.route('**/rest/v1/rpc/append_update', async (route) => {
    held++;
    await release.promise;
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

  release.resolve();
  await person.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), person.documentId)).toBe('not yet on the server');
  await person.page.context().close();
});

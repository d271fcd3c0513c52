// Reloads immediately after a key, many times: the keys of the last milliseconds are the ones at risk.
import { expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { LOWER, UPPER, lettersOf, only } from '../../support/editor/letters.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const RELOADS = 24;
const RELOADS_BESIDE_ANOTHER = 20;

const fixture = useE2eFixture();

test('a reload right after a key loses no key', async () => {
  const person = await fixture.newcomer('Dave');
  await person.createWorkspace('Tide Check');
  await person.newPage();
  let written = '';
  for (let i = 0; i < RELOADS; i++) {
    await person.putCaretAtEnd();
    const word = `${String.fromCharCode(97 + i)}${i}.`;
    await person.type(word);
    written += word;
    await person.page.reload();
    await person.waitUntilEditable();
    await expect.poll(() => person.bodyText(), { timeout: 10_000 }).toBe(written);
  }
  await person.waitForReceipt('saved');
  expect(await replayText(serviceClient(fixture.server), person.documentId)).toBe(written);
});

test('twenty reloads in the middle of words while another person types in the same paragraph lose nothing', async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  const bob = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(await alice.createLink('edit'));
  await bob.waitUntilEditable();
  await bob.goToEnd();

  const written = { capitals: '', small: '', isDone: false };
  const typing = (async () => {
    while (!written.isDone) {
      await bob.type(lettersOf(LOWER, 5), 40);
      written.small += lettersOf(LOWER, 5);
      // Move to the end again; otherwise both texts would stand side by side.
      await bob.page.keyboard.press('Control+End');
    }
  })();
  typing.catch(() => undefined);
  for (let i = 0; i < RELOADS_BESIDE_ANOTHER; i++) {
    await alice.goToEnd();
    const word = UPPER.slice(i, i + 4);
    await alice.type(word);
    written.capitals += word;
    await alice.page.reload();
    await alice.waitUntilEditable();
    await expect.poll(() => lettersIn(alice, UPPER), { timeout: 10_000 }).toBe(sorted(written.capitals));
  }
  written.isDone = true;
  await typing;
  for (const person of [alice, bob]) {
    await expect.poll(() => lettersIn(person, UPPER), { timeout: 20_000 }).toBe(sorted(written.capitals));
    await expect.poll(() => lettersIn(person, LOWER), { timeout: 20_000 }).toBe(sorted(written.small));
    await person.waitForReceipt('saved');
  }
  const text = await replayText(serviceClient(fixture.server), alice.documentId);
  expect([await alice.bodyText(), await bob.bodyText()]).toEqual([text, text]);
});

const sorted = (letters: string): string => Array.from(letters).toSorted().join('');

/** The letters of one person, sorted: where a word stands depends on the caret, which this test does not check. */
const lettersIn = async (person: Person, alphabet: string): Promise<string> =>
  sorted(only(await person.bodyText(), alphabet));

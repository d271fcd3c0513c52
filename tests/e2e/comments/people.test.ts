// People in the comments of a page: who is here and who is writing, a mention that gives access, and the threads of one person.
import { beforeAll, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';
import { rpc } from '../../support/server/rpc.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let carol: Person;

beforeAll(async () => {
  alice = await fixture.author('Alice', 'Northquay', 'The course leaves the east slip on the rising tide.');
  bob = await fixture.guest('Bob', await alice.account.createLink(alice.documentId, 'editor'));
  carol = await fixture.newcomer('Carol');
  await carol.join(await alice.createInviteLink());
  await rpc(alice.account.client, 'set_document_access', { document: alice.documentId, access: 'restricted' });
  for (const { page } of [alice, bob]) await page.setViewportSize({ width: 1440, height: 900 });
  await alice.page.emulateMedia({ reducedMotion: 'reduce' });
});

const comments = ({ page }: Person) => page.getByRole('complementary', { name: 'Comments' });

test('who is writing a reply is seen at once, and a mention can give access to the page', async () => {
  await alice.body.waitFor();
  await alice.page.locator('body').click({ position: { x: 700, y: 700 } });
  await alice.page.keyboard.press('Control+Alt+m');
  await alice.page.getByRole('textbox', { name: /^Comment on/ }).waitFor();
  await alice.type('Who has the boat?');
  await alice.page.keyboard.press('Control+Enter');
  const closed = comments(bob).getByRole('button', { name: /Who has the boat/ });
  await bob.page.getByRole('button', { name: /^Comments: 1 open/ }).click();
  await closed.click();
  const hers = comments(alice).getByRole('article');
  if ((await hers.count()) === 0)
    await comments(alice)
      .getByRole('button', { name: /Who has the boat/ })
      .click();

  await comments(bob).getByRole('textbox', { name: 'Reply' }).click();
  await bob.type('I have');
  await hers.getByText('Bob is writing…').waitFor();
  expect(await comments(bob).getByText('writing…').count()).toBe(0);
  await bob.type(' it.');
  await bob.page.keyboard.press('Control+Enter');
  await hers.getByText('I have it.').waitFor();
  await hers.getByText('writing…').waitFor({ state: 'detached' });

  await comments(alice).getByRole('textbox', { name: 'Reply' }).click();
  await alice.type('@Bo');
  await alice.page.getByRole('option', { name: /Bob.*here now/ }).waitFor();
  for (let key = 0; key < 3; key++) await alice.page.keyboard.press('Backspace');
  await alice.type('@Caro');
  await alice.page.getByRole('option', { name: /Carol.*can’t open this page/ }).waitFor();
  await alice.page.keyboard.press('Enter');
  await alice.type('come along');
  await alice.page.keyboard.press('Control+Enter');
  const question = alice.page.getByRole('dialog', { name: 'Give access to this page?' });
  await question.waitFor();
  expect(await violationsOn(alice.page, 'question')).toEqual([]);
  await question.getByRole('button', { name: 'Give access and send' }).click();
  await hers.getByText('come along').waitFor();

  await carol.page.getByRole('button', { name: /^Inbox/ }).click();
  await carol.page.getByRole('link', { name: /Alice mentioned you/ }).click();
  await comments(carol).getByText('come along').waitFor();

  await comments(alice).getByRole('button', { name: 'Show: Open' }).click();
  await alice.page.getByRole('menuitemcheckbox', { name: 'Bob' }).click();
  await comments(alice).getByRole('button', { name: 'Show: By Bob' }).waitFor();
  expect(await violationsOn(alice.page, 'filter')).toEqual([]);
});

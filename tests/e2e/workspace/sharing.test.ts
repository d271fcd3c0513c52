// The share dialog with two and three people: roles on a restricted page, links, requests, and what another manager does.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

/** Alice's workspace with a page, and another member in it. */
async function twoMembers() {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await alice.newPage();
  await alice.field('Page title').click();
  await alice.type('Plan');
  await alice.putCaretAtEnd();
  await alice.insert('The slip is swept by noon.');
  await alice.waitForReceipt('saved');
  const page = alice.page.url();
  const link = await alice.createInviteLink();
  const bob = await fixture.newcomer('Bob');
  await bob.join(link);
  await bob.page.getByRole('treegrid', { name: 'Pages' }).waitFor();
  return { alice, bob, page };
}

const access = (person: Person) =>
  person.page.getByRole('list', { name: 'People with access' }).getByRole('listitem').allTextContents();
/** The class of what is in front of an element's left edge. */
const frontOf = ({ page }: Person, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return document.elementFromPoint(left + 4, top + height / 2)?.className;
  });
async function chooseRole(person: Person, name: string, item: RegExp): Promise<void> {
  await person.page.getByRole('button', { name: new RegExp(`, ${name}$`) }).click();
  await person.page.getByRole('menuitem', { name: item }).click();
}

test(
  'a page is restricted, a member added to it, and their role changes in their open tab',
  { timeout: 120_000 },
  async () => {
    const { alice, bob, page } = await twoMembers();
    await bob.page.goto(page);
    await bob.waitUntilEditable();
    await alice.button('Share').click();
    await expect
      .poll(() => access(alice))
      .toEqual(['Everyone in NorthquayMembers of the workspaceCan edit', 'Alice (you)Owner of NorthquayCan manage']);
    await alice.button('Restrict this page…').click();
    await alice.page.getByText('Bob loses access at once.').waitFor();
    // The question dims the dialog below it, whose cross is gone.
    expect(await alice.page.locator('.dialog .icon-btn[aria-label="Close"]:visible').count()).toBe(1);
    expect(await frontOf(alice, '.dialog:not([data-size="small"])')).toBe('scrim');
    await alice.button('Restrict page').click();
    await alice.page.getByText('Restricted. Only the people below can open this page').waitFor();
    // The tab that has it open closes it.
    await bob.page.getByText('Alice restricted this page.').first().waitFor({ timeout: 30_000 });

    await alice.page.getByRole('combobox', { name: 'Name or email' }).fill('bo');
    await alice.page.getByRole('option', { name: /Bob/ }).click();
    await alice.chooseOption('Role', 'Can edit');
    await alice.button('Add').click();
    await expect.poll(() => access(alice)).toContainEqual('BobAdded to this page by youCan edit');
    await bob.page.goto(page);
    await bob.waitUntilEditable();

    await chooseRole(alice, 'Bob', /^Can view/);
    await bob.page.locator('[aria-label="Page body"][contenteditable="false"]').waitFor({ timeout: 30_000 });
    // Bob sees who has access and can change nothing.
    await bob.button('Share').click();
    await expect
      .poll(() => access(bob))
      .toEqual(['AliceOwner of NorthquayCan manage', 'Bob (you)Added to this page by AliceCan view']);
    await bob.page.getByText('Only managers can change this.').waitFor();
    expect(await bob.page.getByRole('button', { name: /Add|Restrict|New link/ }).count()).toBe(0);
    // His dialog follows.
    await chooseRole(alice, 'Bob', /^Can manage/);
    await bob.button('New link').waitFor({ timeout: 30_000 });
    await bob.button('Open to everyone…').click();
    await bob.button('Open to everyone').click();
    await expect
      .poll(() => access(alice), { timeout: 30_000 })
      .toContainEqual(expect.stringMatching(/^Everyone in Northquay/));
  },
);

test(
  'a link to edit lets a guest in; the count of who joined appears in the open dialog; removing them closes their tab',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice');
    await alice.createWorkspace('Northquay');
    await alice.newPage();
    await alice.button('Share').click();
    await alice.button('New link').click();
    await alice.chooseOption('Access', 'Can edit');
    await alice.chooseOption('Expires', 'In a week');
    await alice.page.getByLabel('Name (optional)').fill('marshals');
    await alice.button('Create link').click();
    const field = alice.page.getByLabel('New link address', { exact: true });
    await field.waitFor();
    const state = await field.evaluate((input: HTMLInputElement) => ({
      isFocused: document.activeElement === input,
      isReadOnly: input.readOnly,
      selected: input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    }));
    const link = await field.inputValue();
    expect(state).toEqual({ isFocused: true, isReadOnly: true, selected: link });

    const bob = await fixture.newcomer('Bob');
    await bob.page.goto(link);
    await bob.waitUntilEditable();
    await alice.page.getByText(/expires .* · 1 joined/).waitFor({ timeout: 30_000 });
    await expect
      .poll(() => access(alice))
      .toContainEqual(expect.stringMatching(/^BobGuest · by link “marshals”, until .*Can edit$/));
    await chooseRole(alice, 'Bob', /^Remove access/);
    await bob.page.getByText('Alice removed your access.').first().waitFor({ timeout: 30_000 });
    await expect.poll(() => access(alice)).toHaveLength(2);
  },
);

test('a request appears in the open dialog with its note, and Allow opens the page', { timeout: 90_000 }, async () => {
  const alice = await fixture.author('Alice', 'Northquay', 'The slip is swept by noon.');
  await alice.button('Share').click();
  await alice.button('New link').waitFor();
  const bob = await fixture.newcomer('Bob');
  const asked = { document: alice.documentId, role: 'editor', note: 'I do the start list.' };
  expect((await bob.account.client.rpc('request_access', asked)).error).toBeNull();
  await alice.page.getByText('Bob wants to edit').waitFor({ timeout: 20_000 });
  await alice.page.getByText('“I do the start list.”').waitFor();
  await alice.button('Allow').click();
  await expect.poll(() => access(alice)).toContainEqual('BobGuest · added to this page by youCan edit');
  expect(await alice.page.getByText('Bob wants to edit').count()).toBe(0);
  await bob.page.goto(alice.page.url());
  await bob.waitUntilEditable();
});

test('moving a page below a restricted one asks first, and names who loses it', { timeout: 90_000 }, async () => {
  const { alice, bob } = await twoMembers();
  const tree = ({ page }: Person) => page.getByRole('treegrid', { name: 'Pages' });
  await tree(bob).getByRole('link', { name: 'Welcome to Weft' }).waitFor();
  await alice.button('Share').click();
  await alice.button('Restrict this page…').click();
  await alice.button('Restrict page').click();
  await alice.page.getByText('Restricted. Only the people below').waitFor();
  // The question has a Close of its own, and takes clicks and keys until it has faded.
  const share = alice.page.getByRole('dialog', { name: 'Share “Plan”' });
  await share.getByRole('button', { name: 'Close', exact: true }).click();
  await alice.page.getByRole('img', { name: 'Restricted' }).waitFor();
  const row = tree(alice).getByRole('row').filter({ hasText: 'Welcome to Weft' });
  await row.hover();
  await row.getByRole('button', { name: 'More' }).click();
  await alice.page.getByRole('menuitem', { name: 'Move to…' }).click();
  await alice.choose('Move “Welcome to Weft” to…', 'plan');
  const question = alice.page.getByRole('dialog', { name: 'Move “Welcome to Weft” to “Plan”?' });
  await question.getByText('Bob loses access at once.').waitFor();
  expect(await tree(bob).getByRole('link', { name: 'Welcome to Weft' }).count()).toBe(1);
  await question.getByRole('button', { name: 'Move page' }).click();
  await tree(bob).getByRole('link', { name: 'Welcome to Weft' }).waitFor({ state: 'detached', timeout: 20_000 });
});

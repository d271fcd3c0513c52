// Comments between an editor, a commenter, a guest by a link to comment, a viewer and a watcher.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { expectNoOverflow, smallTargets } from '../../support/browser/small-screen.ts';
import { rpc } from '../../support/server/rpc.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;

beforeAll(async () => {
  alice = await fixture.author('Alice', 'Northquay', 'The course leaves the east slip on the rising tide.');
  bob = await fixture.newcomer('Bob');
  await bob.page.goto(await alice.account.createLink(alice.documentId, 'commenter'));
  await bob.body.waitFor();
  for (const { page } of [alice, bob]) await page.setViewportSize({ width: 1440, height: 900 });
});

/** Selects words of the page's only paragraph, as a person does who may not write: with the pointer. */
async function select({ page }: Person, words: string): Promise<void> {
  const box = await page.evaluate((text) => {
    const block = Array.from(document.querySelectorAll('[aria-label="Page body"] .block-text')).find((one) =>
      one.textContent.includes(text),
    );
    const walker = document.createTreeWalker(block ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) {
      const node = walker.currentNode;
      const at = node.textContent?.indexOf(text) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      const { left, right, top, height } = range.getBoundingClientRect();
      return { left, right, middle: top + height / 2 };
    }
    throw new Error(`“${text}” is not on the page`);
  }, words);
  await page.mouse.move(box.left + 1, box.middle);
  await page.mouse.down();
  await page.mouse.move(box.right - 1, box.middle, { steps: 5 });
  await page.mouse.up();
}

const comments = ({ page }: Person): Locator => page.getByRole('complementary', { name: 'Comments' });
const closed = (person: Person, text: string): Locator =>
  comments(person).getByRole('button', { name: new RegExp(`^Comment on .*${text}`) });
const open = (person: Person, words: string): Locator =>
  comments(person).getByRole('article', { name: `Comment on “${words}”` });
/** Opens the thread on these words, whose first comment says `text`, if it is not open. */
const read = async (person: Person, words: string, text: string): Promise<Locator> => {
  const thread = open(person, words);
  await thread.or(closed(person, text)).first().waitFor();
  if ((await thread.count()) === 0) await closed(person, text).click();
  await thread.waitFor();
  return thread;
};
const show = (person: Person): Promise<void> => person.page.getByRole('button', { name: /^Comments: / }).click();
/** Pastes a picture into the field that has the focus. */
const pastePicture = ({ page }: Person): Promise<void> =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 400);
    const context = canvas.getContext('2d');
    if (context === null || document.activeElement === null) throw new Error('nothing to paste into');
    context.fillStyle = 'seagreen';
    context.fillRect(40, 40, 400, 200);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([await canvas.convertToBlob()], 'slip.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(paste);
  });
const count = (person: Person, open: number): Promise<void> =>
  person.page.getByRole('button', { name: new RegExp(`^Comments: ${open} open`) }).waitFor();

test('an editor comments on words, a commenter sees it live and replies, and the inbox leads to the reply', async () => {
  await alice.putCaretAtEnd();
  await select(alice, 'the east slip');
  await alice.page.keyboard.press('Control+Alt+m');
  const field = alice.field('Comment on “the east slip”');
  await field.and(alice.page.locator(':focus')).waitFor();
  await alice.type('East or west? The chart says **west**');
  await alice.page.keyboard.press('Control+Enter');
  await open(alice, 'the east slip').getByText('The chart says').waitFor();
  await count(alice, 1);

  await count(bob, 1);
  await show(bob);
  await closed(bob, 'East or west').click();
  await open(bob, 'the east slip').locator('strong', { hasText: 'west' }).waitFor();
  await bob.type('<img src=x onerror="document.title=1"> West, I asked.');
  await bob.page.keyboard.press('Control+Enter');
  await open(alice, 'the east slip').getByText('West, I asked.').waitFor();
  expect(await alice.page.locator('.comments-lane img').count()).toBe(0);

  await alice.page.getByRole('button', { name: /^Close comments/ }).click();
  await alice.page.getByRole('button', { name: 'Inbox' }).click();
  await alice.page.getByRole('link', { name: /Bob replied to a comment/ }).click();
  await open(alice, 'the east slip').getByText('West, I asked.').waitFor();
  expect(new URL(alice.page.url()).hash).toMatch(/^#c-/);

  await open(bob, 'the east slip').getByRole('textbox', { name: 'Reply' }).click();
  await pastePicture(bob);
  await bob.page.getByRole('textbox', { name: 'Describe this picture' }).fill('The slip');
  await open(bob, 'the east slip').getByRole('button', { name: 'Send', exact: true }).click();
  const picture = open(alice, 'the east slip').getByRole('img', { name: 'The slip' });
  await picture.click();
  await alice.page.getByRole('dialog', { name: 'The slip' }).waitFor();
  await alice.page.keyboard.press('Escape');
  await open(bob, 'the east slip').getByRole('button', { name: 'More' }).last().click();
  await bob.page.getByRole('menuitem', { name: 'Delete' }).click();
  await bob.button('Delete').click();
  await picture.waitFor({ state: 'detached' });
});

test('a commenter comments on selected words without writing the page', async () => {
  await select(bob, 'rising tide');
  await bob.button('Comment').click();
  await bob.field('Comment on “rising tide”').and(bob.page.locator(':focus')).waitFor();
  await bob.type('Which one?');
  await bob.page.keyboard.press('Control+Enter');
  await closed(alice, 'Which one').waitFor();
  await count(alice, 2);
  expect(await alice.bodyText()).toBe('The course leaves the east slip on the rising tide.');
});

test('the lane has no violations, at rest, with an open thread and while one is written', async () => {
  for (const { page } of [alice, bob]) await page.emulateMedia({ reducedMotion: 'reduce' });
  await closed(alice, 'Which one').click();
  expect(await violationsOn(alice.page, 'open thread')).toEqual([]);
  await select(alice, 'The course');
  await alice.page.keyboard.press('Control+Alt+m');
  await alice.field('Comment on “The course”').waitFor();
  expect(await violationsOn(alice.page, 'new comment')).toEqual([]);
  await alice.button('Cancel').click();
  expect(await violationsOn(bob.page, 'commenter')).toEqual([]);
});

test('when the words go, the thread keeps its quote, and finds them again when they come back', async () => {
  await select(alice, 'rising tide');
  await alice.page.keyboard.press('Delete');
  await comments(alice).getByText('The words were deleted').waitFor();
  await comments(alice).locator('q', { hasText: 'rising tide' }).waitFor();
  await alice.body.click();
  await alice.page.keyboard.press('Control+z');
  await comments(alice).getByText('The words were deleted').waitFor({ state: 'detached' });
  expect(await comments(alice).locator('q').count()).toBe(0);
});

test('resolve, undo, reopen, react, edit and delete', async () => {
  const thread = await read(bob, 'rising tide', 'Which one');
  await thread.getByRole('button', { name: 'React' }).click();
  await bob.button('👍').click();
  await thread.getByRole('button', { name: /^👍 You/ }).waitFor();
  const hers = await read(alice, 'rising tide', 'Which one');
  await hers.getByRole('button', { name: /^👍 Bob/ }).waitFor();
  await thread.getByRole('button', { name: 'More' }).click();
  await bob.page.getByRole('menuitem', { name: 'Edit' }).click();
  await bob.field('Edit comment').and(bob.page.locator(':focus')).waitFor();
  await bob.type(' The first?');
  await bob.button('Save').click();
  await hers.getByText('Which one? The first?').waitFor();
  await hers.getByRole('button', { name: 'Resolve' }).click();
  await count(bob, 1);
  await alice.button('Undo').click();
  await count(bob, 2);
  await open(bob, 'rising tide').getByRole('button', { name: 'More' }).click();
  await bob.page.getByRole('menuitem', { name: 'Delete' }).click();
  await bob.button('Delete').click();
  await count(alice, 1);
  expect(await closed(alice, 'Which one').count()).toBe(0);
});

test('a guest by a link comments under their name; others read them as the page says', async () => {
  const lena = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await lena.page.setViewportSize({ width: 1440, height: 900 });
  await lena.page.goto(await alice.account.createLink(alice.documentId, 'commenter'));
  await lena.field('Your name').fill('Lena Voss');
  await lena.button('Continue as guest').click();
  await show(lena);
  await closed(lena, 'East or west').click();
  await open(lena, 'the east slip').waitFor();
  await lena.type('I have the chart here.');
  await lena.page.keyboard.press('Control+Enter');
  const thread = await read(alice, 'the east slip', 'East or west');
  await thread.getByText('Lena Voss').waitFor();

  const carol = await fixture.newcomer('Carol');
  const person = (await carol.account.client.auth.getUser()).data.user?.id;
  await carol.join(await alice.createInviteLink());
  await rpc(alice.account.client, 'set_document_member', { document: alice.documentId, person, role: 'viewer' });
  await rpc(alice.account.client, 'set_document_access', { document: alice.documentId, access: 'restricted' });
  await carol.page.goto(alice.page.url());
  await open(carol, 'the east slip').getByText('I have the chart here.').waitFor();
  expect(await comments(carol).getByRole('textbox').count()).toBe(0);
  expect(await comments(carol).getByRole('button', { name: 'Resolve' }).count()).toBe(0);

  const watcher = new Watcher(await (await fixture.browser.newContext(NO_SERVICE_WORKER)).newPage());
  await watcher.page.emulateMedia({ reducedMotion: 'reduce' });
  await watcher.open(await alice.createLink('watch'));
  const buttonOf = ({ page }: { readonly page: Page }) => page.getByRole('button', { name: /^Comments: / });
  expect(await buttonOf(watcher).count()).toBe(0);

  const setReaders = async (readers: string) => {
    await alice.button('Share').click();
    await alice.page.getByRole('button', { name: /^Who can read comments: / }).click();
    await alice.page.getByRole('menuitem', { name: readers }).click();
    await alice.page.getByRole('button', { name: `Who can read comments: ${readers}` }).waitFor();
    await alice.page.keyboard.press('Escape');
  };
  await setReaders('People who can comment');
  await comments(carol).waitFor({ state: 'detached' });
  expect([await buttonOf(carol).count(), await carol.page.locator('.commented').count()]).toEqual([0, 0]);

  await setReaders('Anyone with a link');
  await comments(carol).getByText('I have the chart here.').waitFor();
  await buttonOf(watcher).click();
  const byLink = watcher.page.getByRole('complementary', { name: 'Comments' });
  await byLink.getByText('I have the chart here.').waitFor();
  expect(await byLink.getByText('Lena Voss').count()).toBe(0);
  expect(await byLink.getByRole('textbox').count()).toBe(0);
  expect(await violationsOn(watcher.page, 'comments by link')).toEqual([]);
  await (await read(alice, 'the east slip', 'East or west')).getByRole('textbox', { name: 'Reply' }).click();
  await alice.type('Bring it along.');
  await alice.page.keyboard.press('Control+Enter');
  await byLink.getByText('Bring it along.').waitFor();
  await watcher.page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(watcher.page, 'comments by link');
  expect(await smallTargets(watcher.page)).toEqual([]);

  await setReaders('People with a role on this page');
  await byLink.waitFor({ state: 'detached' });
  expect(await buttonOf(watcher).count()).toBe(0);
});

test('on a phone the thread is a sheet at the bottom, and what was typed is there after a reload', async () => {
  const { page } = bob;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await show(bob);
  await closed(bob, 'East or west').click();
  await page.getByRole('heading', { name: 'Comment 1 of 1' }).waitFor();
  await expectNoOverflow(page, 'sheet');
  expect(await smallTargets(page)).toEqual([]);
  expect(await violationsOn(page, 'sheet')).toEqual([]);
  await bob.field('Reply').click();
  await bob.type('Half a thought');
  await page.reload();
  await show(bob);
  await closed(bob, 'East or west').click();
  await expect.poll(() => bob.field('Reply').textContent()).toBe('Half a thought');
  await bob.button('Send').click();
  const thread = await read(alice, 'the east slip', 'East or west');
  await thread.getByText('Half a thought').waitFor();
});

test('a comment that was written offline waits on this device and is sent later, once', async () => {
  const { page } = alice;
  await page.context().setOffline(true);
  await read(bob, 'the east slip', 'East or west');
  await (await read(alice, 'the east slip', 'East or west')).getByRole('textbox', { name: 'Reply' }).click();
  await alice.type('Written on the boat');
  await page.keyboard.press('Control+Enter');
  await open(alice, 'the east slip').getByText('On this device').waitFor();
  await page.context().setOffline(false);
  await open(bob, 'the east slip').getByText('Written on the boat').waitFor({ timeout: 60_000 });
  await open(alice, 'the east slip').getByText('On this device').waitFor({ state: 'detached' });
  expect(await open(bob, 'the east slip').getByText('Written on the boat').count()).toBe(1);
});

test('a file has the comments that were asked for; an import, a duplicate and a page from a template have none', async () => {
  await alice.page.setViewportSize({ width: 1440, height: 900 });
  const saved = async (item: string): Promise<string> => {
    const [file] = await Promise.all([
      alice.page.waitForEvent('download'),
      alice.choosePageItem('Export and import', item),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  expect(await saved('Export as Markdown (.md)')).not.toContain('[^c1]');
  const markdown = await saved('Export as Markdown with open comments (.md)');
  expect(markdown).toContain('the east slip[^c1]');
  expect(markdown).toMatch(/^\[\^c1\]: “the east slip”\n\n {4}- \*\*Alice\*\*, \d{4}-\d\d-\d\d: East or west\?/m);
  expect(await saved('Export as Weft file (.json)')).not.toContain('"comments"');
  const own = await saved('Export as Weft file with all comments (.json)');
  expect(own).toContain('{"kind":"text","quote":"the east slip","from":');

  const seen = new Set<string>([alice.documentId]);
  const pageIn = ({ pathname }: URL) => /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.exec(pathname)?.[0] ?? null;
  /** The page that opens next is a copy, of which the server has no comment. */
  const expectCopy = async () => {
    await alice.page.waitForURL((address) => !seen.has(pageIn(address) ?? alice.documentId), { timeout: 20_000 });
    await expect.poll(() => alice.bodyText(), { timeout: 20_000 }).toContain('the east slip');
    await alice.waitForReceipt('saved');
    const document = pageIn(new URL(alice.page.url()));
    seen.add(document ?? '');
    expect(await rpc(alice.account.client, 'list_comments', { document, after: 0 })).toMatchObject({ threads: [] });
  };
  const original = alice.page.url();
  await alice.choosePageItem('Page options', 'Save as template');
  await alice.page.keyboard.press('Control+k');
  await alice.choose(/Search pages/, 'new page from');
  await alice.page
    .getByRole('group', { name: /^From / })
    .getByRole('option')
    .first()
    .click({ timeout: 15_000 });
  await expectCopy();

  await alice.page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'copy.json', { type: 'application/json' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, own);
  await alice.page.getByText('Imported without the comments in the file').waitFor({ timeout: 20_000 });
  await expectCopy();

  await alice.page.goto(original);
  await count(alice, 1);
  await alice.page.locator('.bar').getByRole('button', { name: 'More' }).click();
  await alice.page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
  await expectCopy();
});

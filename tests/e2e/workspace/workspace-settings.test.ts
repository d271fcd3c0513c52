// The settings of a workspace, and what ends with an account: others see a new name at once, the export holds every page with
// its pictures, and a deleted workspace and account are gone.
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

async function newPageCalled(person: Person, title: string, words: string): Promise<void> {
  await person.newPage();
  await person.field('Page title').fill(title);
  await person.putCaretAtEnd();
  await person.insert(words);
  await person.waitForReceipt('saved');
}

/** Puts the page below the one above it. */
async function nest(person: Person, title: string): Promise<void> {
  await person.page.getByRole('treegrid', { name: 'Pages' }).getByRole('link', { name: title, exact: true }).focus();
  await person.page.keyboard.press('Alt+ArrowRight');
}

async function openSettings(person: Person): Promise<void> {
  await person.button('Workspaces').click();
  await person.page.getByRole('menuitem', { name: 'Workspace settings' }).click();
  await person.page.getByRole('heading', { level: 1, name: 'Workspace settings' }).waitFor();
}

function picture(side: number): Buffer {
  const png = new PNG({ width: side, height: side });
  png.data.fill(0x80);
  return PNG.sync.write(png);
}

test(
  'a workspace of three nested pages with a picture is exported, and the zip holds them all',
  { timeout: 120_000 },
  async () => {
    const alice = await fixture.newcomer('Alice');
    await alice.createWorkspace('Northquay');
    await newPageCalled(alice, 'Harbour swim', 'Bring towels.');
    await newPageCalled(alice, 'Plan', 'The course:');
    const bytes = picture(8);
    await alice.page.evaluate((base64) => {
      const file = new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'course.png', {
        type: 'image/png',
      });
      const clipboardData = new DataTransfer();
      clipboardData.items.add(file);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('[aria-label="Page body"] .block')?.dispatchEvent(event);
    }, bytes.toString('base64'));
    await alice.page.locator('[aria-label="Page body"] .picture > img').waitFor();
    await alice.waitForReceipt('saved');
    await newPageCalled(alice, 'Waves', 'Juniors first.');
    await nest(alice, 'Plan');
    await nest(alice, 'Waves');
    await nest(alice, 'Waves');
    await alice.waitForReceipt('saved');

    await openSettings(alice);
    const download = alice.page.waitForEvent('download');
    await alice.button('Export workspace').click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('Northquay.zip');
    await alice.page.getByText('4 pages exported to your downloads: Northquay.zip.').waitFor();
    const zip = unzipSync(await readFile(await saved.path()));
    const text = (name: string) => new TextDecoder().decode(zip[`Northquay/${name}`]);
    expect(Object.keys(zip).filter((name) => /Harbour/.test(name))).toEqual([
      'Northquay/markdown/Harbour swim.md',
      'Northquay/markdown/Harbour swim/Plan/files/course.png',
      'Northquay/markdown/Harbour swim/Plan.md',
      'Northquay/markdown/Harbour swim/Plan/Waves.md',
    ]);
    expect(text('markdown/Harbour swim/Plan.md')).toContain('](Plan/files/course.png)');
    expect(text('markdown/Harbour swim/Plan/Waves.md')).toBe('# Waves\n\nJuniors first.\n');
    expect(Buffer.from(zip['Northquay/markdown/Harbour swim/Plan/files/course.png'] ?? [])).toEqual(bytes);
    const contents = JSON.parse(text('weft/workspace.json'));
    expect(contents.pages).toHaveLength(4);
    expect(contents.missing).toEqual([]);
    expect(JSON.parse(text(contents.pages[1].weft)).format).toBe('weft-page');

    // One page with those below it, from its menu.
    await alice.page.getByRole('treegrid').getByRole('link', { name: 'Plan', exact: true }).click();
    await alice.page.waitForURL(/\/p\/plan-/);
    await alice.waitUntilEditable();
    const part = alice.page.waitForEvent('download');
    await alice.choosePageItem('Export and import', 'Export with subpages (.zip)');
    const [name, files] = [(await part).suggestedFilename(), unzipSync(await readFile(await (await part).path()))];
    expect([name, Object.keys(files)]).toEqual([
      'Plan.zip',
      ['Plan/Plan/files/course.png', 'Plan/Plan.md', 'Plan/Plan/Waves.md'],
    ]);
  },
);

test('others see a new name and a new picture at once', { timeout: 90_000 }, async () => {
  const alice = await fixture.author('Alice', 'Southquay', 'Hello.');
  const invitation = await alice.createInviteLink();
  const bob = await fixture.newcomer('Bob');
  await bob.join(invitation);
  await bob.page.waitForURL(/\/w\//);

  await openSettings(alice);
  await alice.field('Workspace name').fill('Tidewatch');
  await alice.button('Rename').click();
  await bob.page.locator('.side-head').getByText('Tidewatch').waitFor();

  // Bob sees Alice among the members, at first with her initials.
  await bob.page.getByRole('link', { name: 'Members' }).click();
  const tag = bob.page.locator('.member-row', { hasText: 'Alice' }).locator('.tag');
  await tag.waitFor();
  expect(await tag.locator('img').count()).toBe(0);
  await alice.page.getByRole('button', { name: /^Account of / }).click();
  const chooser = alice.page.waitForEvent('filechooser');
  await alice.button('Add picture').click();
  await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture(700) });
  await alice.button('Remove picture').waitFor();
  await tag.locator('img').waitFor();
  const side = () => tag.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(side).toBe(512);
  await alice.button('Remove picture').click();
  await tag.locator('img').waitFor({ state: 'detached' });
});

test('deleting a workspace and then the account leaves nothing to come back to', { timeout: 90_000 }, async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Westquay');
  const address = alice.page.url();
  await openSettings(alice);
  await alice.button('Delete workspace…').click();
  await alice.field('Type “Westquay” to confirm').fill('Westquay');
  await alice.button('Delete workspace').click();
  // Without any workspace one names the next. The settings have a field of that name too.
  await alice.page.waitForURL(/\/welcome$/);
  await alice.page.getByLabel('Workspace name', { exact: true }).waitFor();
  await alice.page.goto(address);
  await expect.poll(() => alice.page.locator('body').innerText()).toContain('You can’t open this');

  await alice.page.goto(`${fixture.server.url}/account`);
  const email = await alice.page.locator('#account-sign-in + p').innerText();
  await alice.button('Delete account…').click();
  await alice.field(`Type “${email}” to confirm`).fill(email);
  await alice.button('Delete account').click();
  await alice.page.waitForURL(/\/sign-in/);
  await alice.signIn(email);
  await alice.page.getByText('Incorrect email or password.').waitFor();
  expect(new URL(alice.page.url()).pathname).toBe('/sign-in');
});

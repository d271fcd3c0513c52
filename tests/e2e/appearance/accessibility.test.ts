// Accessibility of every screen: axe finds nothing in light or dark, with each menu and dialog open; nothing moves for people
// who asked for reduced motion; on a phone nothing overflows and touch targets are large enough.
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsOn } from '../../support/browser/axe.ts';
import { NO_SERVICE_WORKER, SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { expectNoOverflow, smallTargets } from '../../support/browser/small-screen.ts';
import { writeAllKinds } from '../../support/editor/all-kinds.ts';

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let aliceEmail: string;
let watchLink: string;

const contextOf = (more: object = {}): Promise<BrowserContext> =>
  fixture.browser.newContext({
    ...NO_SERVICE_WORKER,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...more,
  });

beforeAll(async () => {
  // She goes offline later.
  alice = await Person.at(await contextOf(SERVICE_WORKER));
  alice.page.setDefaultTimeout(20_000);
  aliceEmail = await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.field('Page title').fill('Harbour festival');
  await alice.putCaretAtEnd();
  await writeAllKinds(alice);
  watchLink = await alice.createLink('watch');
  const editLink = await alice.createLink('edit');
  bob = await Person.at(await contextOf());
  await bob.signUp(fixture.server.url, 'Bob');
  await bob.page.goto(editLink);
  await bob.waitUntilEditable();
});

test('axe finds nothing on the screens before sign-in', async () => {
  const stranger = await Person.at(await contextOf());
  const violations: string[] = [];
  for (const [path, heading] of [
    ['/sign-in', /Write together/],
    ['/sign-up', /Write together/],
    ['/reset', /password/],
    ['/nothing/here', /Page not found/],
    ['/s#short', /./],
  ] as const) {
    await stranger.page.goto(`${fixture.server.url}${path}`);
    await stranger.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    violations.push(...(await violationsOn(stranger.page, path)));
  }
  await stranger.page.goto(`${fixture.server.url}/sign-in`);
  await stranger.fillIn('nobody@weft.example');
  await stranger.button('Sign in').click();
  await stranger.page.getByRole('alert').waitFor();
  violations.push(...(await violationsOn(stranger.page, 'a wrong password')));
  const watcher = new Watcher(stranger.page);
  await watcher.open(watchLink);
  await watcher.page.locator('.katex-html, .block-text').first().waitFor();
  violations.push(...(await violationsOn(stranger.page, 'watching')));
  await stranger.page.context().close();
  expect(violations).toEqual([]);
});

test('axe finds nothing on the screens around a page and on the error screens', async () => {
  const carol = await Person.at(await contextOf());
  const violations: string[] = [];
  const check = async (where: string) => void violations.push(...(await violationsOn(carol.page, where)));
  await carol.signUpOnScreen(fixture.server.url, 'Carol');
  await carol.page.getByLabel('Workspace name', { exact: true }).waitFor();
  await check('welcome');
  await carol.createWorkspaceOnScreen('South Quay');
  await carol.waitUntilEditable();
  await check('the first page');
  await carol.page.getByRole('link', { name: 'Home' }).click();
  await carol.page.getByRole('heading', { level: 1, name: 'South Quay' }).waitFor();
  await check('home');
  await carol.newPage();
  const ownRow = carol.page.getByRole('row', { name: /^Untitled/ });
  await ownRow.hover();
  await ownRow.getByRole('button', { name: 'More' }).click();
  await carol.page.getByRole('menuitem', { name: 'Move to trash' }).waitFor();
  violations.push(...(await violationsOn(carol.page, 'menu of a row', '.menu')));
  await carol.page.getByRole('menuitem', { name: 'Move to…' }).click();
  await carol.page.getByRole('combobox').waitFor();
  await check('“Move to…”');
  await carol.page.keyboard.press('Escape');
  await carol.page.getByRole('combobox').waitFor({ state: 'detached' });
  await carol.page.getByRole('button', { name: 'Search' }).click();
  await carol.page.getByRole('combobox').fill('wel');
  await check('the palette');
  await carol.page.keyboard.press('Escape');
  await carol.page.getByRole('combobox').waitFor({ state: 'detached' });
  await ownRow.hover();
  await ownRow.getByRole('button', { name: 'More' }).click();
  await carol.page.getByRole('menuitem', { name: 'Change icon…' }).click();
  await carol.page.getByRole('combobox', { name: 'Search icons' }).waitFor();
  await check('the icon picker');
  await carol.page.keyboard.press('Escape');
  await carol.page.getByRole('combobox', { name: 'Search icons' }).waitFor({ state: 'detached' });
  await carol.page.getByRole('button', { name: 'Search' }).click();
  await carol.page.getByRole('combobox').fill('template');
  await carol.page.getByRole('option', { name: 'New page from a template' }).click();
  await carol.page.getByRole('combobox', { name: /template/i }).waitFor();
  await check('the list of templates');
  await carol.page.keyboard.press('Escape');
  await carol.page.getByRole('combobox').waitFor({ state: 'detached' });
  await carol.page.goto(`${new URL(carol.page.url()).href.replace(/\/p\/.*$/, '')}/search?q=weft`);
  await carol.page.locator('.hit-title').first().waitFor();
  await check('search');
  await carol.button('Best match').click();
  await carol.page.getByRole('menuitemcheckbox', { name: 'Newest first' }).waitFor();
  violations.push(...(await violationsOn(carol.page, 'order of the results', '.menu')));
  await carol.page.keyboard.press('Escape');
  await carol.page.getByRole('menuitemcheckbox').first().waitFor({ state: 'detached' });
  await ownRow.getByRole('link').focus();
  await carol.page.keyboard.press('Delete');
  await ownRow.waitFor({ state: 'detached' });
  await carol.waitForReceipt('saved');
  await carol.page.getByRole('link', { name: 'Trash' }).click();
  await carol.page.getByRole('button', { name: 'Delete permanently' }).waitFor();
  await check('trash');
  await carol.page.getByRole('button', { name: 'Delete permanently' }).click();
  await carol.page.getByRole('dialog', { name: /^Delete/ }).waitFor();
  await check('deleting for good');
  await carol.button('Cancel').click();
  await carol.page.locator('.trash-title').click();
  await carol.page.getByRole('region', { name: 'Page in the trash' }).locator('.page-body, p').first().waitFor();
  await check('a page in the trash');
  await carol.page.keyboard.press('Escape');
  await carol.button('Empty trash').click();
  await carol.page.getByRole('dialog', { name: 'Empty the trash?' }).waitFor();
  await check('emptying the trash');
  await carol.button('Cancel').click();
  await carol.page.getByRole('link', { name: 'Members' }).click();
  await carol.button('Create invite link').click();
  await carol.page.getByRole('textbox', { name: 'Invite link' }).waitFor();
  await check('members');
  const invitation = await carol.page.getByRole('textbox', { name: 'Invite link' }).inputValue();
  await carol.button('Workspaces').click();
  await carol.page.getByRole('menuitem', { name: 'Workspace settings' }).click();
  await carol.button('Delete workspace…').waitFor();
  await check('workspace settings');
  await carol.button('Delete workspace…').click();
  await carol.page.getByRole('dialog', { name: /^Delete/ }).waitFor();
  await check('deleting a workspace');
  await carol.button('Cancel').click();
  await carol.page.getByRole('button', { name: /^Account of / }).click();
  await carol.page.getByRole('dialog', { name: 'Account' }).waitFor();
  await check('account menu');
  await carol.page.getByRole('link', { name: 'Account settings' }).click();
  await carol.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  await check('/account');
  await carol.button('Delete account…').click();
  await carol.page.getByRole('dialog', { name: 'Delete your account?' }).waitFor();
  await check('deleting the account');
  await carol.button('Cancel').click();
  await carol.page.getByRole('link', { name: 'Check how the server is set up' }).click();
  await carol.page.getByText('The server is set up as Weft needs it.').waitFor();
  await check('/status');
  await carol.page.keyboard.press('?');
  await carol.page.getByRole('dialog', { name: 'Keys and marks' }).waitFor();
  await check('help');
  await carol.page.goto(invitation);
  await carol.button('Join').waitFor();
  await check('an invitation');
  await carol.page.goto(`${fixture.server.url}/w/elsewhere`);
  await carol.page.getByRole('heading', { level: 1 }).waitFor();
  await check('a workspace that is not there');
  await carol.page.goto(alice.page.url());
  await carol.page.getByRole('heading', { level: 1 }).waitFor();
  await carol.field('Message').waitFor();
  await check('a page that is not theirs');
  await carol.button('Request access').click();
  await carol.page.getByRole('heading', { level: 1, name: 'Request sent' }).waitFor();
  await check('a request for access');
  await carol.page.context().close();
  expect(violations).toEqual([]);
});

/** Each entry opens something and names what must appear; Escape closes it. */
const OPENED: readonly (readonly [name: string, open: (person: Person) => Promise<unknown>, shown: string])[] = [
  ['slash menu', (person) => typeAtEnd(person, '/'), '.typed-menu'],
  ['people, pages and days', (person) => typeAtEnd(person, '@'), '.typed-menu'],
  ['emoji', (person) => typeAtEnd(person, ':smi'), '.typed-menu'],
  ['selection bar', (person) => selectFirstLine(person), '.selection-bar'],
  [
    'turn into',
    async (person) => {
      await selectFirstLine(person);
      await person.page.locator('.selection-bar .turn-into').click();
    },
    '.menu',
  ],
  [
    'link form',
    async (person) => {
      await selectFirstLine(person);
      await person.page.keyboard.press('Control+k');
    },
    '.link-form',
  ],
  [
    'block menu',
    async (person) => {
      await person.putCaretAtEnd();
      await person.page.keyboard.press('Control+/');
    },
    '.menu [role="menuitem"]',
  ],
  [
    'submenu of the block menu',
    async (person) => {
      await person.putCaretAtEnd();
      await person.page.keyboard.press('Control+/');
      await person.page.getByRole('menuitem', { name: 'Turn into' }).press('ArrowRight');
    },
    '.layer + .layer .menu, .menu >> nth=1',
  ],
  [
    'table menu',
    async (person) => {
      await person.body.locator('td').last().click();
      await person.page.keyboard.press('Control+/');
    },
    '.menu [role="menuitem"]',
  ],
  ['row menu', (person) => tableMenu(person, /^Row /), '.menu [role="menuitem"]'],
  ['column menu', (person) => tableMenu(person, /^Column /), '.menu [role="menuitem"]'],
  [
    'find bar',
    async (person) => {
      await person.putCaretAtEnd();
      await person.page.keyboard.press('Control+f');
      await person.button('Show replace').click();
      await person.field('Find').fill('[');
      await person.button('Regular expression').click();
      await person.field('Find').fill('har(b');
    },
    '.find-problem',
  ],
  ['language menu', (person) => person.body.locator('button.code-language').first().click(), '.language-menu'],
  ['kind of callout', (person) => person.body.locator('[data-kind="callout"] > button').first().click(), '.menu'],
  ['form of a link card', (person) => person.body.locator('.card-edit').first().click(), '.card-form'],
  ['more', (person) => person.button('More').click(), '.menu'],
  [
    'submenu of more',
    async (person) => {
      await person.button('More').click();
      await person.page.getByRole('menuitem', { name: 'Page options' }).press('ArrowRight');
    },
    '.menu >> nth=1',
  ],
  ['receipt', (person) => person.receipt.click(), '.receipt-details'],
  [
    'menu of a person’s tag',
    (person) => person.page.locator('.face').first().click(),
    '.menu [role="menuitem"]:not([data-disabled])',
  ],
  ['inbox', (person) => person.button('Inbox').click(), '.inbox'],
  ['workspaces', (person) => person.page.locator('.side button').first().click(), '.pop'],
  [
    'share dialog with the form for a link',
    async (person) => {
      await person.button('Share').click();
      await person.button('New link').click();
      await person.button('Access: Can watch').waitFor();
      await person.page.getByRole('list', { name: 'People with access' }).waitFor();
    },
    '.dialog',
  ],
  [
    'share dialog with a new link',
    async (person) => {
      await person.button('Share').click();
      await person.button('New link').click();
      await person.button('Create link').click();
      await person.page.getByLabel('New link address', { exact: true }).waitFor();
    },
    '.dialog',
  ],
  [
    'question before a page is restricted',
    async (person) => {
      await person.button('Share').click();
      await person.button('Restrict this page…').click();
      await person.page.getByText(/access at once|No one loses access/).waitFor();
    },
    '.dialog[data-size="small"]',
  ],
  ['help', (person) => person.page.keyboard.press('Control+Shift+?'), '.dialog'],
];

test('axe finds nothing on a page with all kinds of blocks, another person’s caret, and each menu and dialog open', async () => {
  const violations: string[] = [];
  const { page } = alice;
  await bob.putCaretAtEnd(1);
  await bob.type(' and the crane');
  await page.locator('.caret').first().waitFor({ state: 'attached' });
  violations.push(...(await violationsOn(page, 'page')));
  for (const [name, open, shown] of OPENED) {
    await open(alice);
    await page.locator(shown).first().waitFor();
    violations.push(...(await violationsOn(page, name, '.layer, .pop, .dialog, .inbox, .table-tools')));
    await closeMenus(alice);
  }
  expect(violations).toEqual([]);
});

test('axe finds nothing on the safe view, with a block chosen too', async () => {
  const violations: string[] = [];
  const page = await alice.page.context().newPage();
  await page.goto(`${alice.page.url()}?safe`);
  await page.locator('.plain-row').first().waitFor();
  violations.push(...(await violationsOn(page, 'safe view')));
  await page.getByRole('checkbox', { name: 'Choose block 1', exact: true }).check();
  await page.getByRole('button', { name: 'Delete 1 block' }).waitFor();
  violations.push(...(await violationsOn(page, 'safe view with a block chosen')));
  await page.close();
  expect(violations).toEqual([]);
});

test('axe finds nothing on a page with recovered text, for a reader, and offline', async () => {
  const violations: string[] = [];
  await deleteUnseenWords();
  violations.push(...(await violationsOn(alice.page, 'recovered text')));
  await alice.page.goto(`${fixture.server.url}/account`);
  await alice.page.locator('.recovered-texts').waitFor();
  violations.push(...(await violationsOn(alice.page, 'recovered text in the account')));
  await alice.page.goBack();
  await alice.waitUntilEditable();

  const owner = alice.account.client;
  const { data: profiles } = await owner.from('profiles').select('id, display_name').eq('display_name', 'Bob');
  const set = await owner.rpc('set_document_member', {
    document: alice.documentId,
    person: profiles?.[0]?.id as unknown,
    role: 'viewer',
  });
  expect(set.error).toBeNull();
  await bob.page.locator('[aria-label="Page body"][contenteditable="false"]').waitFor();
  violations.push(...(await violationsOn(bob.page, 'page of a reader')));

  await alice.waitForOfflineShell();
  await alice.page.context().setOffline(true);
  await alice.putCaretAtEnd();
  await alice.type('offline ');
  await alice.waitForReceipt('device');
  await alice.page.locator('.banner').waitFor({ timeout: 15_000 });
  violations.push(...(await violationsOn(alice.page, 'offline')));
  await alice.page.context().setOffline(false);
  await alice.waitForReceipt('saved');
  expect(violations).toEqual([]);
});

/** A finger that rests on a page opens its menu, and opens no page when it leaves. */
async function expectLongPressOpensMenu(page: Page): Promise<void> {
  const address = page.url();
  const box = await page.getByRole('treegrid').getByRole('link').first().boundingBox();
  if (box === null) throw new Error('the tree has no page');
  const finger = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + 20, y: box.y + box.height / 2 }];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const item = page.getByRole('menuitem', { name: 'Copy link' });
  await item.waitFor();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  // Long enough for the click and whatever else the browser makes of it.
  await page.waitForTimeout(300);
  expect([await item.isVisible(), page.url()]).toEqual([true, address]);
  await page.keyboard.press('Escape');
  await item.waitFor({ state: 'detached' });
}

test('on a phone nothing overflows, the format bar stands above the keyboard, and touch targets are large enough', async () => {
  const phone = await Person.at(
    await contextOf({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }),
  );
  await phone.page.goto(`${fixture.server.url}/sign-in`);
  await expectNoOverflow(phone.page, 'sign-in');
  expect(['sign-in', await smallTargets(phone.page)]).toEqual(['sign-in', []]);
  await phone.signIn(aliceEmail);
  await phone.page.getByRole('heading', { level: 1, name: 'North Quay' }).waitFor();
  await phone.button('Show pages').tap();
  await phone.page.getByRole('treegrid').waitFor();
  await phone.page.waitForTimeout(400);
  expect(['pages', await smallTargets(phone.page)]).toEqual(['pages', []]);
  await expectLongPressOpensMenu(phone.page);
  await phone.page.getByRole('button', { name: 'Search' }).tap();
  await phone.page.getByRole('combobox').waitFor();
  expect(['palette', await smallTargets(phone.page)]).toEqual(['palette', []]);
  await phone.button('Close').tap();
  await phone.page.getByRole('combobox').waitFor({ state: 'detached' });
  await expectNoOverflow(phone.page, 'home');
  expect(['home', await smallTargets(phone.page)]).toEqual(['home', []]);
  await phone.page.goto(alice.page.url());
  await phone.waitUntilEditable();
  await expectNoOverflow(phone.page, 'page');
  expect(['page', await smallTargets(phone.page)]).toEqual(['page', []]);
  await phone.page.goto(`${alice.page.url()}?safe`);
  await phone.page.locator('.plain-row').first().waitFor();
  await expectNoOverflow(phone.page, 'safe view');
  expect(['safe view', await smallTargets(phone.page)]).toEqual(['safe view', []]);
  await phone.page.goto(alice.page.url());
  await phone.waitUntilEditable();

  await phone.body.locator('.block-text').first().tap();
  const bar = phone.page.getByRole('toolbar', { name: 'Format' });
  await bar.waitFor();
  expect(['format bar', await smallTargets(phone.page)]).toEqual(['format bar', []]);
  // In a list the bar has indent and outdent, on the screen without scrolling it.
  const outdent = bar.getByRole('button', { name: 'Outdent' });
  expect(await outdent.count()).toBe(0);
  await phone.body.locator(':is([data-kind="bullet"], [data-kind="numbered"]) > .block-text').first().tap();
  for (const name of ['Outdent', 'Indent']) {
    const box = await bar.getByRole('button', { name, exact: true }).boundingBox();
    expect([name, box !== null && box.x >= 0 && box.x + box.width <= 360]).toEqual([name, true]);
  }
  expect(['format bar in a list', await smallTargets(phone.page)]).toEqual(['format bar in a list', []]);
  await phone.body.locator('.block-text').first().tap();
  await outdent.waitFor({ state: 'detached' });
  // An on-screen keyboard shrinks the visual viewport, not the window.
  await phone.page.evaluate(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    Object.defineProperty(viewport, 'height', { get: () => 420 });
    viewport.dispatchEvent(new Event('resize'));
  });
  await expect.poll(async () => bottomOf(bar)).toBe(420);

  // The bar has the block menu, so blocks can be moved without a keyboard.
  const before = await phone.bodyText();
  await bar.getByRole('button', { name: 'Move or change this block' }).tap();
  await phone.page.getByRole('menuitem', { name: 'Move down' }).tap();
  await expect.poll(() => phone.bodyText()).not.toBe(before);
  expect((await phone.bodyText()).split('\n')[1]).toBe(before.split('\n')[0]);
  const workspace = new URL(alice.page.url()).pathname.split('/').slice(0, 3).join('/');
  const violations: string[] = [];
  for (const path of [
    '/account',
    '/status',
    '/w/nowhere',
    `${workspace}/members`,
    `${workspace}/trash`,
    `${workspace}/settings`,
    `${workspace}/search?q=e`,
  ]) {
    await phone.page.goto(`${fixture.server.url}${path}`);
    await phone.page.getByRole('heading', { level: 1 }).waitFor();
    await phone.page.locator('.skeleton').waitFor({ state: 'detached' });
    await expectNoOverflow(phone.page, path);
    expect([path, await smallTargets(phone.page)]).toEqual([path, []]);
    violations.push(...(await violationsOn(phone.page, `${path} on a phone`)));
  }
  await phone.page.goto(alice.page.url());
  await phone.waitUntilEditable();
  await phone.button('More').tap();
  await phone.page.getByRole('menuitem', { name: 'Share' }).tap();
  await phone.page.getByRole('list', { name: 'People with access' }).waitFor();
  violations.push(...(await violationsOn(phone.page, 'share dialog on a phone', '.dialog')));
  await phone.page.keyboard.press('Escape');
  await phone.button('Show pages').tap();
  await phone.button('Inbox').tap();
  await phone.page.locator('.inbox').waitFor();
  violations.push(...(await violationsOn(phone.page, 'inbox on a phone', '.inbox')));
  await phone.page.goto(alice.page.url());
  await phone.waitUntilEditable();
  violations.push(...(await violationsOn(phone.page, 'a page on a phone')));
  await phone.page.goto(watchLink);
  await phone.page.locator('.katex-html, .block-text').first().waitFor();
  // Until the app takes over, it loads behind the first text: inert, with a `main` of its own.
  await phone.page.locator('.text-first').waitFor({ state: 'detached' });
  violations.push(...(await violationsOn(phone.page, 'watching on a phone')));
  expect(violations).toEqual([]);
  await phone.page.context().close();
});

async function typeAtEnd(person: Person, sign: string): Promise<void> {
  await person.putCaretAtEnd();
  await person.type(` ${sign}`);
}

async function selectFirstLine(person: Person): Promise<void> {
  const bar = person.page.locator('.selection-bar');
  // A menu that has just closed may still move the focus. Then the text has to be selected again.
  for (let times = 0; times < 4 && !(await bar.isVisible()); times++) {
    await person.putCaretAtEnd();
    await person.page.keyboard.press('Shift+Home');
    await bar.waitFor({ timeout: 3_000 }).catch(() => undefined);
  }
  await bar.waitFor();
}

async function tableMenu(person: Person, name: RegExp): Promise<void> {
  await person.body.locator('td').last().click();
  await person.page.locator('.table-tools').getByRole('button', { name }).click();
}

/** Closes every menu and dialog, deletes what was typed to open one, and leaves the caret in the first line. */
async function closeMenus({ page, body }: Person): Promise<void> {
  for (let times = 0; times < 4 && (await page.locator('.pop, .dialog, .inbox').count()) > 0; times++) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(60);
  }
  const first = body.locator('.block-text').first();
  const words = await first.innerText();
  const added = /(?: \/| @| :smi)$/.exec(words)?.[0].length ?? 0;
  await first.click();
  await page.keyboard.press('End');
  for (let at = 0; at < added; at++) await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
}

/** Bob deletes the block in which Alice has typed offline, so he has not seen her words. */
async function deleteUnseenWords(): Promise<void> {
  await alice.page.context().setOffline(true);
  await alice.putCaretAtEnd(2);
  await alice.type(' and slow down at buoy C');
  await alice.waitForReceipt('device');
  await bob.putCaretAtEnd(2);
  await bob.page.keyboard.press('Escape');
  await bob.page.keyboard.press('Delete');
  await bob.waitForReceipt('saved');
  await alice.page.context().setOffline(false);
  await alice.page.locator('.recovered-text').waitFor({ timeout: 20_000 });
  await alice.waitForReceipt('saved');
}

async function bottomOf(bar: ReturnType<Page['getByRole']>): Promise<number> {
  const box = await bar.boundingBox();
  return box === null ? 0 : Math.round(box.y + box.height);
}

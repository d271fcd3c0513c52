// A person at a browser. Actions find controls by the names that people see on the screen, except that accounts, workspaces,
// links and invitations come through the API: their screens take seconds. The tests of these screens call `…OnScreen`.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { Account, PASSWORD, newEmail } from '../server/account.ts';

export class Person {
  readonly page: Page;
  #account: Account | null = null;
  constructor(page: Page) {
    this.page = page;
  }

  static async at(context: BrowserContext): Promise<Person> {
    return new Person(await context.newPage());
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true });
  }
  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
  get body(): Locator {
    return this.field('Page body');
  }
  get receipt(): Locator {
    return this.page.locator('[data-receipt]').first();
  }

  /** The account that `signUp` created. */
  get account(): Account {
    if (this.#account === null) throw new Error('this person signed up on the screen');
    return this.#account;
  }

  /** Creates an account, signs this browser in, and returns the unique email address. No screen of the app is open then. */
  async signUp(url: string, name: string): Promise<string> {
    this.#account = await Account.create(url, name);
    // A file of the app's origin that runs no script.
    await this.page.goto(`${url}/icon.svg`);
    await this.page.evaluate(([key, session]) => localStorage.setItem(key, session), this.#account.stored);
    return this.#account.email;
  }

  /** Creates an account on its screen, waits until it is signed in, and returns its unique email address. */
  async signUpOnScreen(url: string, name: string): Promise<string> {
    const email = newEmail(name);
    await this.page.goto(`${url}/sign-up`);
    await this.field('Name').fill(name);
    await this.fillIn(email);
    await this.button('Create account').click();
    await this.page.waitForURL((address) => !address.pathname.startsWith('/sign-up'));
    return email;
  }

  async signIn(email: string): Promise<void> {
    await this.fillIn(email);
    await this.button('Sign in').click();
  }

  /** Fills in the email address and the password. */
  async fillIn(email: string): Promise<void> {
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  }

  /** Signs out while everything is saved, so that no dialog appears. */
  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of / }).click();
    await this.button('Sign out').click();
    await this.page.waitForURL(/\/sign-in/);
  }

  /** Opens the first page of a new workspace. */
  async createWorkspace(name: string): Promise<void> {
    await this.page.goto(await this.account.createWorkspace(name));
    await this.button('New page').first().waitFor();
  }

  /** Goes from /welcome to the first page of a new workspace. */
  async createWorkspaceOnScreen(name: string): Promise<void> {
    await this.page.getByLabel('Workspace name', { exact: true }).fill(name);
    await this.button('Create workspace').click();
    await this.page.waitForURL(/\/w\/[^/]+/);
    await this.button('New page').first().waitFor();
  }

  /** Opens a new, empty page and waits until it is editable. */
  async newPage(): Promise<void> {
    // Compare the id, not the whole address, which also changes when the title becomes known.
    const before = documentIn(this.page.url());
    await this.button('New page').first().click();
    await this.page.waitForURL((address) => ![null, before].includes(documentIn(address.href)));
    await this.waitUntilEditable();
  }

  /** Waits until the page is editable and everything is saved. */
  async waitUntilEditable(): Promise<void> {
    await this.page.locator('[aria-label="Page body"][contenteditable="true"]').waitFor();
    await this.waitForReceipt('saved');
  }

  /** Waits until the service worker has cached the app and its configuration, so that it starts without a server. */
  async waitForOfflineShell(): Promise<void> {
    const isCached = () =>
      this.page.evaluate(async () => {
        return navigator.serviceWorker.controller !== null && (await caches.match('/config.json')) !== undefined;
      });
    // Caching the whole app takes a while beside other tests.
    const until = Date.now() + 60_000;
    while (!(await isCached())) {
      if (Date.now() > until) throw new Error('the service worker did not cache the app');
      await this.page.waitForTimeout(100);
    }
  }

  /** The document id at the end of the page's address. */
  get documentId(): string {
    const id = documentIn(this.page.url());
    if (id === null) throw new Error(`no page id in ${this.page.url()}`);
    return id;
  }

  /** Puts the caret behind the last character of a paragraph, counted from 0. */
  async putCaretAtEnd(block = 0): Promise<void> {
    await this.body.locator('.block-text').nth(block).click();
    await this.page.keyboard.press('End');
  }

  /** Puts the caret behind the last character of the page, however many lines it has. */
  async goToEnd(): Promise<void> {
    await this.body.locator('.block-text').last().click();
    await this.page.keyboard.press('Control+End');
  }

  /** Types character by character. */
  async type(text: string, everyMs = 0): Promise<void> {
    await this.page.keyboard.type(text, { delay: everyMs });
  }

  /** Types into a palette that is opening, and chooses the first thing that it finds. */
  async choose(palette: string | RegExp, text: string): Promise<void> {
    // Keys go to what has the focus, which a palette gets a moment after it shows.
    await this.page.getByRole('combobox', { name: palette }).and(this.page.locator(':focus')).waitFor();
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses an item in one of the submenus of the open page's menu. */
  async choosePageItem(submenu: string, item: string): Promise<void> {
    await this.page.locator('.bar').getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: submenu, exact: true }).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Inserts all text at once, like a paste of plain text: one edit. */
  async insert(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  /** The page's text, one line per block. */
  async bodyText(): Promise<string> {
    return this.page.evaluate(readBlocks, '[aria-label="Page body"]');
  }

  async waitForReceipt(receipt: string): Promise<void> {
    await this.page.locator(`[data-receipt="${receipt}"]`).first().waitFor();
  }

  /** Creates an invitation to this person's own workspace and returns its link. */
  createInviteLink(): Promise<string> {
    return this.account.createInviteLink();
  }

  /** Accepts an invitation and opens its workspace. */
  async join(invitation: string): Promise<void> {
    await this.page.goto(await this.account.join(invitation));
  }

  /** Creates a share link to the page that is open and returns its address. */
  createLink(kind: 'watch' | 'edit'): Promise<string> {
    return this.account.createLink(this.documentId, kind === 'watch' ? 'viewer' : 'editor');
  }

  /** Chooses from the menu of a field. */
  async chooseOption(label: string, choice: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${label}: `) }).click();
    await this.page.getByRole('menuitemcheckbox', { name: choice, exact: true }).click();
    await this.button(`${label}: ${choice}`).waitFor();
  }

  /** Creates a share link in the dialog and returns its address. */
  async createLinkOnScreen(kind: 'watch' | 'edit'): Promise<string> {
    if ((await this.button('New link').count()) === 0) await this.button('Share').click();
    await this.button('New link').click();
    await this.chooseOption('Access', kind === 'watch' ? 'Can watch' : 'Can edit');
    await this.button('Create link').click();
    const field = this.page.getByLabel('New link address', { exact: true });
    await field.waitFor();
    const address = await field.inputValue();
    await this.page.keyboard.press('Escape');
    await this.button('New link').waitFor({ state: 'detached' });
    return address;
  }
}

const documentIn = (address: string): string | null =>
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:$|[/?#])/.exec(address)?.[1] ?? null;

/** A person without an account who watches a page by link. */
export class Watcher {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** The app's, not the first text that stands above it until then. */
  get region(): Locator {
    return this.page.locator('#root').getByRole('region', { name: 'Watched page' });
  }

  async open(link: string): Promise<void> {
    await this.page.goto(link);
    await this.region.waitFor();
    await this.page.locator('.text-first').waitFor({ state: 'detached' });
  }

  async text(): Promise<string> {
    return this.page.evaluate(readBlocks, '#root [aria-label="Watched page"]');
  }
}

/** Runs in the page. Leaves out the tags that stand for what was removed since the last visit. */
function readBlocks(selector: string): string {
  return Array.from(document.querySelectorAll(`${selector} .block-text`), (text) => {
    const copy = text.cloneNode(true) as Element;
    for (const tag of copy.querySelectorAll('.gone, .gone-text')) tag.remove();
    return copy.textContent;
  }).join('\n');
}

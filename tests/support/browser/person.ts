// A person at a browser. Actions find controls by the names that people see on the screen.
import { randomBytes } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** The password of everybody who signs up. */
export const PASSWORD = 'correct horse battery';

export class Person {
  readonly page: Page;
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

  /** Creates an account, waits until it is signed in, and returns its unique email address. */
  async signUp(url: string, name: string): Promise<string> {
    const email = `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@weft.example`;
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

  /** Goes from /welcome to the first page of a new workspace. */
  async createWorkspace(name: string): Promise<void> {
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
        await navigator.serviceWorker.ready;
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

  /** Puts the caret behind the last letter of a paragraph, counted from 0. */
  async putCaretAtEnd(block = 0): Promise<void> {
    await this.body.locator('.block-text').nth(block).click();
    await this.page.keyboard.press('End');
  }

  /** Puts the caret behind the last letter of the page, however many lines it has. */
  async goToEnd(): Promise<void> {
    await this.body.locator('.block-text').last().click();
    await this.page.keyboard.press('Control+End');
  }

  /** Types letter by letter. */
  async type(text: string, everyMs = 0): Promise<void> {
    await this.page.keyboard.type(text, { delay: everyMs });
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

  /** Creates an invitation to the workspace on the screen of its members, where this person then is, and returns its link. */
  async createInviteLink(): Promise<string> {
    await this.page.getByRole('link', { name: 'Members' }).click();
    await this.button('Create invite link').click();
    return this.page.getByRole('textbox', { name: 'Invite link' }).inputValue();
  }

  async join(invitation: string): Promise<void> {
    await this.page.goto(invitation);
    await this.button('Join').click();
  }

  /** Creates a share link in the dialog and returns its address. */
  async createLink(kind: 'watch' | 'edit'): Promise<string> {
    if ((await this.button('New link').count()) === 0) await this.button('Share').click();
    await this.button('New link').click();
    await this.page.getByLabel('Access', { exact: true }).selectOption(kind === 'watch' ? 'Can watch' : 'Can edit');
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

  get region(): Locator {
    return this.page.getByRole('region', { name: 'Watched page' });
  }

  async open(link: string): Promise<void> {
    await this.page.goto(link);
    await this.region.waitFor();
  }

  async text(): Promise<string> {
    return this.page.evaluate(readBlocks, '[aria-label="Watched page"]');
  }
}

/** Runs in the page. */
function readBlocks(selector: string): string {
  const texts = document.querySelectorAll(`${selector} .block-text`);
  return Array.from(texts, (text) => text.textContent).join('\n');
}

// A person at a tab of any engine. Like `Person`, but with what every engine's driver can do.
import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { type EngineTab, typeInto } from '../support/browser/engines/engine-tab.ts';
import { PASSWORD } from '../support/server/account.ts';

export class EnginePerson {
  readonly tab: EngineTab;
  constructor(tab: EngineTab) {
    this.tab = tab;
  }

  /** Creates an account, a workspace and, in it, an empty page. */
  async start(url: string, name: string): Promise<void> {
    await this.signUp(url, name);
    await this.fill('Workspace name', `${name}’s workspace`);
    await this.click('button', 'Create workspace');
    await this.newPage();
  }
  async signUp(url: string, name: string): Promise<void> {
    await this.tab.goto(`${url}/sign-up`);
    await this.fill('Email', `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@weft.example`);
    await this.fill('Password', PASSWORD);
    await this.fill('Name', name);
    await this.click('button', 'Create account');
    await until('the account', async () => (await this.path()) !== '/sign-up');
  }
  async newPage(): Promise<void> {
    await this.click('button', 'New page');
    // The page before stays on screen until the new one is ready. A new page has the caret in its title.
    await until('the new page', () => this.tab.evaluate(isInEmptyTitle));
    await this.waitUntilSaved();
    await this.clickBlock(0);
  }
  /** Creates a link in the share dialog and returns its address. */
  async createLink(kind: 'watch' | 'edit'): Promise<string> {
    await this.click('button', 'Share');
    await this.click('button', 'New link');
    await this.click('button', 'Access: Can watch');
    await this.click('[role=menuitemcheckbox]', kind === 'watch' ? 'Can watch' : 'Can edit');
    await this.click('button', 'Create link');
    const label = 'New link address';
    await until(label, async () => (await this.tab.evaluate(valueOf, label)).includes('/s#'));
    const address = await this.tab.evaluate(valueOf, label);
    await this.tab.press(['Escape']);
    await until('no dialog', async () => (await this.tab.evaluate(placeOf, '[role=dialog]', '')) === null);
    return address;
  }

  type(keys: string): Promise<void> {
    return typeInto(this.tab, keys);
  }
  async fill(label: string, text: string): Promise<void> {
    await until(label, () => this.tab.evaluate(focusField, label));
    await this.type(text);
  }
  /** Waits for the first element that matches and has this text or label, and that it rests, and clicks its middle. */
  async click(selector: string, text = ''): Promise<void> {
    let before = '';
    const place = await until(`${selector} ${text}`, async () => {
      const found = await this.tab.evaluate(placeOf, selector, text);
      // A dialog that grows moves its buttons away from the pointer.
      const isAtRest = before === JSON.stringify(found);
      before = JSON.stringify(found);
      return isAtRest && found;
    });
    await this.tab.clickAt(...place);
  }
  async clickBlock(index: number): Promise<void> {
    await this.click(`[aria-label="Page body"] > :nth-child(${index + 1}) .block-text`);
  }

  async reload(): Promise<void> {
    await this.tab.goto(await this.tab.evaluate(() => location.href));
  }
  path(): Promise<string> {
    return this.tab.evaluate(() => location.pathname);
  }
  /** One line for each block, as `linesOf` of the editor's tests writes them. */
  lines(region = 'Page body'): Promise<readonly string[]> {
    return this.tab.evaluate(readLines, region);
  }
  receipt(): Promise<string> {
    return this.tab.evaluate(() => document.querySelector('[data-receipt]')?.getAttribute('data-receipt') ?? '');
  }
  async waitUntilSaved(): Promise<void> {
    await until('the editor', () => this.tab.evaluate(isEditable));
    await until('saved', async () => (await this.receipt()) === 'saved');
  }
}

/** The first answer that is neither false nor null. */
async function until<T>(what: string, ask: () => Promise<T | false | null>): Promise<T> {
  const answer = await vi.waitUntil(ask, { timeout: 20_000 }).catch(() => null);
  if (answer === null || answer === false) throw new Error(`Waited in vain for ${what}.`);
  return answer;
}

// These run in the page.

const isEditable = (): boolean => document.querySelector('[aria-label="Page body"][contenteditable="true"]') !== null;

function isInEmptyTitle(): boolean {
  const { activeElement } = document;
  return (
    activeElement instanceof HTMLTextAreaElement &&
    activeElement.ariaLabel === 'Page title' &&
    activeElement.value === ''
  );
}

function placeOf(selector: string, text: string): [number, number] | null {
  for (const element of document.querySelectorAll(selector)) {
    const name = element.getAttribute('aria-label') ?? element.textContent;
    const { left, top, width, height } = element.getBoundingClientRect();
    if ((text === '' || name.trim() === text) && width > 0) return [left + width / 2, top + height / 2];
  }
  return null;
}

function focusField(label: string): boolean {
  const field = Array.from(document.querySelectorAll('input')).find(
    (input) => input.labels?.[0]?.textContent.trim() === label || input.getAttribute('aria-label') === label,
  );
  field?.focus();
  return field !== undefined;
}

function valueOf(label: string): string {
  const field = Array.from(document.querySelectorAll('input')).find(
    (input) => input.labels?.[0]?.textContent.trim() === label || input.getAttribute('aria-label') === label,
  );
  return field?.value ?? '';
}

function readLines(region: string): string[] {
  const tags: Readonly<Record<string, string>> = {
    STRONG: 'bold',
    EM: 'italic',
    U: 'underline',
    S: 'strike',
    CODE: 'code',
    MARK: 'highlight',
    A: 'link',
    TIME: 'date',
  };
  const marked = (node: Node): string => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof HTMLElement) || node.matches('.ProseMirror-trailingBreak, [contenteditable=false]'))
      return '';
    if (node.tagName === 'BR') return '';
    const text = Array.from(node.childNodes, marked).join('');
    const name = node.hasAttribute('data-formula') ? 'formula' : tags[node.tagName];
    const mark = node.closest('pre') === null ? name : undefined;
    return mark === undefined || text === '' ? text : `<${mark}:${text}>`;
  };
  return Array.from(document.querySelectorAll<HTMLElement>(`[aria-label="${region}"] .block`), (block) => {
    const { kind = '', level = '', indent = '0', checked } = block.dataset;
    const texts = Array.from(block.querySelectorAll('.block-text'), (text) => marked(text));
    return `${kind}${level}${indent === '0' ? '' : `>${indent}`}${checked === 'true' ? 'x' : ''}: ${texts.join(' | ')}`;
  });
}

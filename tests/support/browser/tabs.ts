// Tabs that one person after another uses. The app takes 2.7 s of a core in a new browser context, mostly for reading its code,
// and 0.9 s in a tab that has run it before. Before the next person comes, what the last one left is deleted.
import type { Browser, Page } from 'playwright-core';
import { NO_SERVICE_WORKER } from './browser.ts';

/** What cannot be undone with certainty: a tab whose person used one of these is closed. */
const OF_PAGE = ['emulateMedia', 'setDefaultTimeout', 'setViewportSize'];
const OF_CONTEXT = ['addCookies', 'grantPermissions', 'newCDPSession', 'setOffline'];
const OF_CLOCK = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'];
const OF_BOTH = ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket', 'setExtraHTTPHeaders'];
const EVENTS = ['console', 'dialog', 'download', 'page', 'pageerror', 'popup', 'request', 'requestfailed'];
const MORE_EVENTS = ['requestfinished', 'response', 'weberror', 'websocket', 'worker'];

type Tab = { readonly page: Page; readonly clear: (origin: string) => Promise<void>; isChanged: boolean };

export class Tabs {
  readonly #browser: Browser;
  readonly #free: Tab[] = [];
  readonly #taken = new Set<Tab>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A tab of a context of its own, without a service worker, which takes a second of a core. */
  async take(): Promise<Page> {
    const tab = this.#free.pop() ?? (await this.#open());
    this.#taken.add(tab);
    return tab.page;
  }

  /** Keeps the tabs that were taken, as far as they are as good as new, and closes every other context of the browser. */
  async giveBackAll(): Promise<void> {
    await Promise.all(Array.from(this.#taken, (tab) => this.#giveBack(tab)));
    this.#taken.clear();
    const kept = new Set(this.#free.map(({ page }) => page.context()));
    const others = this.#browser.contexts().filter((context) => !kept.has(context));
    await Promise.all(others.map((context) => context.close()));
  }

  async #giveBack(tab: Tab): Promise<void> {
    const { page } = tab;
    if (tab.isChanged || page.isClosed() || !page.url().startsWith('http')) return;
    const context = page.context();
    for (const event of [...EVENTS, ...MORE_EVENTS]) {
      for (const emitter of [page, context]) emitter.removeAllListeners(event);
    }
    const others = context.pages().filter((other) => other !== page);
    await Promise.all(others.map((other) => other.close()));
    const { origin } = new URL(page.url());
    // A file of the app's origin that runs no script.
    await page.goto(`${origin}/icon.svg`);
    await page.evaluate(() => {
      sessionStorage.clear();
      window.name = '';
    });
    await tab.clear(origin);
    this.#free.push(tab);
  }

  async #open(): Promise<Tab> {
    const context = await this.#browser.newContext(NO_SERVICE_WORKER);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const clear = async (origin: string) => {
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    };
    const tab: Tab = { page, clear, isChanged: false };
    noteCalls(tab, page, [...OF_PAGE, ...OF_BOTH]);
    noteCalls(tab, context, [...OF_CONTEXT, ...OF_BOTH]);
    noteCalls(tab, context.clock, OF_CLOCK);
    return tab;
  }
}

function noteCalls(tab: Tab, target: object, names: readonly string[]): void {
  for (const name of names) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') throw new Error(`Playwright has no ${name}`);
    Reflect.set(target, name, (...args: readonly unknown[]): unknown => {
      tab.isChanged = true;
      return Reflect.apply(method, target, args);
    });
  }
}

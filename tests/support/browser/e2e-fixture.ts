// The set-up of an end-to-end test file: a server and a browser, which the worker's other files use too, and people who sign up.
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterEach, test } from 'vitest';
import { WeftServer } from '../server/weft-server.ts';
import { launchBrowser } from './browser.ts';
import { Person, Watcher } from './person.ts';
import { shownPages } from './shown-pages.ts';
import { Tabs } from './tabs.ts';

/** Started for the first file of a worker that needs them, and ended with the worker: a start takes two seconds of a core. */
const shared = test
  .extend('sharedServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await WeftServer.startShared();
    onCleanup(() => server.stop());
    return server;
  })
  .extend('sharedBrowser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('sharedTabs', { scope: 'worker' }, ({ sharedBrowser }) => new Tabs(sharedBrowser));

/**
 * Provides a server, on which other files leave their accounts and workspaces. A test that stops its server, or counts what is
 * on it, starts its own.
 */
export function useServer(): () => WeftServer {
  let server: WeftServer;
  shared.beforeAll(({ sharedServer }) => {
    server = sharedServer;
  });
  return () => server;
}

/** Provides a server too, and a browser. What a file opens in it is closed or cleared at the end of the file. */
export function useE2eFixture() {
  const server = useServer();
  let browser: Browser;
  let tabs: Tabs;
  shared.beforeAll(({ sharedBrowser, sharedTabs }) => {
    browser = sharedBrowser;
    tabs = sharedTabs;
  });
  // A failed wait says what it waited for; this says what stood on the screens instead.
  afterEach(async ({ task }) => {
    const error = task.result?.errors?.[0];
    if (error !== undefined) error.message += `\n\n${await shownPages(browser)}`;
  });
  shared.afterAll(() => tabs.giveBackAll());
  const newcomer = async (name: string, context?: BrowserContextOptions): Promise<Person> => {
    const page = context === undefined ? await tabs.take() : await (await browser.newContext(context)).newPage();
    const person = new Person(page);
    await person.signUp(server().url, name);
    return person;
  };
  return {
    get server() {
      return server();
    },
    get browser() {
      return browser;
    },
    /** Signs a person up, in a tab that shares nothing with others. Without `context`, it has no service worker. */
    newcomer,
    /** Signs a person up, with their own workspace and a new page with this text. */
    async author(name: string, workspace: string, words: string, context?: BrowserContextOptions): Promise<Person> {
      const person = await newcomer(name, context);
      await person.createWorkspace(workspace);
      await person.newPage();
      await person.putCaretAtEnd();
      await person.insert(words);
      await person.waitForReceipt('saved');
      return person;
    },
    /** Signs another person up, who joins the page by an edit link. */
    async guest(name: string, link: string): Promise<Person> {
      const person = await newcomer(name);
      await person.page.goto(link);
      await person.waitUntilEditable();
      return person;
    },
    async watcher(link: string): Promise<Watcher> {
      const watcher = new Watcher(await tabs.take());
      await watcher.open(link);
      return watcher;
    },
  };
}

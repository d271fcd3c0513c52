// The set-up of an end-to-end test file: its own server and browser, and people who sign up.
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { NO_SERVICE_WORKER, launchBrowser } from './browser.ts';
import { Person, Watcher } from './person.ts';
import { WeftServer } from '../server/weft-server.ts';

/** Starts a server and a browser before the first test of the file, and ends them after the last. */
export function useE2eFixture() {
  let server: WeftServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), WeftServer.stopAll()]);
  });
  const newcomer = async (name: string, context: BrowserContextOptions = NO_SERVICE_WORKER): Promise<Person> => {
    const person = await Person.at(await browser.newContext(context));
    await person.signUp(server.url, name);
    return person;
  };
  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    /** Signs a person up, in a browser context of their own: without a service worker, which takes a second of a core. */
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
      const watcher = new Watcher(await (await browser.newContext(NO_SERVICE_WORKER)).newPage());
      await watcher.open(link);
      return watcher;
    },
  };
}

// A Chromium as people run it: in its own process with a profile, with background tabs, throttling and a back/forward cache.
// A browser that Playwright launches keeps every page visible and focused, throttles nothing and has no such cache.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, type CDPSession, type Page, chromium } from 'playwright-core';
import { browserFlags, findBrowser, findHeadlessBrowser } from '../../../scripts/setup/find-browser.mjs';

const READY = /DevTools listening on (ws:\S+)/;
const READY_WITHIN_MS = 30_000;

export class OwnBrowser {
  static readonly #running = new Set<OwnBrowser>();
  readonly #child: ChildProcess;
  readonly context: BrowserContext;

  private constructor(child: ChildProcess, context: BrowserContext) {
    this.#child = child;
    this.context = context;
  }

  /** Starts on a profile that outlives the browser, however it ends. */
  static start(profile: string): Promise<OwnBrowser> {
    return OwnBrowser.#start(findBrowser(), profile);
  }

  /** Starts one without windows, for a test that needs the process and the profile: its tabs are never in the background. */
  static startHeadless(profile: string): Promise<OwnBrowser> {
    return OwnBrowser.#start(findHeadlessBrowser(), profile);
  }

  static async #start(program: string | null, profile: string): Promise<OwnBrowser> {
    if (program === null) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
    const flags = ['--headless', '--remote-debugging-port=0', '--window-size=1280,900', `--user-data-dir=${profile}`];
    // Do not use the browser's own first page: it changes its process while Playwright attaches, which then hangs.
    flags.push('about:blank');
    // Its own process group, so that renderers and helpers are killed with it.
    const child = spawn(program, [...browserFlags(), ...flags], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const browser = await chromium.connectOverCDP(await readyLine(child), { noDefaults: true });
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('The browser has no default context.');
      const started = new OwnBrowser(child, context);
      OwnBrowser.#running.add(started);
      return started;
    } catch (error) {
      await killGroup(child);
      throw error;
    }
  }

  /** Closes all that still run. Call it after each test, so that a failed test leaves no browser behind. */
  static async stopAll(): Promise<void> {
    await Promise.all(Array.from(OwnBrowser.#running, (browser) => browser.close()));
  }

  /** Kills every process of the browser at once, as when the machine runs out of memory. */
  async kill(): Promise<void> {
    OwnBrowser.#running.delete(this);
    await killGroup(this.#child);
  }

  /** Closes it properly: pages get their unload events. */
  async close(): Promise<void> {
    OwnBrowser.#running.delete(this);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    const session = await this.context.browser()?.newBrowserCDPSession();
    await session?.send('Browser.close').catch(() => undefined);
    await gone;
  }
}

/** Freezes a tab, as the browser does after a long time in the background: no task runs until it is thawed. */
export async function freeze(page: Page): Promise<void> {
  await withDevtools(page, (devtools) => devtools.send('Page.setWebLifecycleState', { state: 'frozen' }));
}

/** Thaws a tab, which stays in the background until `page.bringToFront()`. */
export async function thaw(page: Page): Promise<void> {
  await withDevtools(page, (devtools) => devtools.send('Page.setWebLifecycleState', { state: 'active' }));
}

/** Ends a tab without any event, as the browser discards tabs when memory is short. */
export async function crash(page: Page): Promise<void> {
  const gone = new Promise((resolve) => page.once('crash', resolve));
  const devtools = await page.context().newCDPSession(page);
  devtools.send('Page.crash').catch(() => undefined);
  await gone;
  await page.close();
}

async function withDevtools(page: Page, run: (devtools: CDPSession) => Promise<unknown>): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await run(devtools);
  await devtools.detach();
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await gone;
}

function readyLine(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const giveUp = (reason: string) => {
      reject(new Error(`Chromium did not start: ${reason}\n${output}`));
    };
    const timer = setTimeout(() => giveUp(`nothing within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
    child.once('exit', (code) => giveUp(`it ended with ${code}`));
    child.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4_000);
      const [, address] = READY.exec(output) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(address);
    });
  });
}

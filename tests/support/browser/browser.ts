// A real Chromium for end-to-end tests, the one that `npm test` found or installed. The caller closes it.
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findHeadlessBrowser, playwrightFlags } from '../../../scripts/setup/find-browser.mjs';

/** Options of a browser context whose files all come from the test's server, none from a service worker's cache. */
export const NO_SERVICE_WORKER = { serviceWorkers: 'block' } as const;
/** Options of a browser context in which the app starts without a server. */
export const SERVICE_WORKER = { serviceWorkers: 'allow' } as const;

function launchOptions() {
  const executablePath = findHeadlessBrowser();
  if (executablePath === null) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
  return { executablePath, args: playwrightFlags() };
}

export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  const options = launchOptions();
  return chromium.launch({ ...options, args: [...options.args, ...more] });
}

/** A browser with its profile in a folder, service workers and IndexedDB included, so it can be closed and reopened. */
export const launchProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...launchOptions(), viewport: { width: 1280, height: 800 } });

// A real Chromium for end-to-end tests: found where `npm test` found or put it, closed by whoever opened it.
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findBrowser, playwrightFlags } from '../../../scripts/find-browser.mjs';

function launchOptions() {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
  return { executablePath, args: playwrightFlags() };
}

export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  const options = launchOptions();
  return chromium.launch({ ...options, args: [...options.args, ...more] });
}

/** A browser that keeps its profile in a folder, service workers and IndexedDB included: it can be closed and come back. */
export const launchProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...launchOptions(), viewport: { width: 1280, height: 800 } });

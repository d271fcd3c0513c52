// The visible content of a browser's pages, as text for the message of a failed test.
import type { Browser, Page } from 'playwright-core';

const MAX_LINES = 60;

/** The roles and names on every page that is open in the browser, each page cut after some lines. */
export async function shownPages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  return (await Promise.all(pages.map(shown))).join('\n\n');
}

async function shown(page: Page): Promise<string> {
  const lines = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .then((text) => text.split('\n'))
    .catch((error: unknown) => [`(cannot be read: ${String(error).split('\n')[0]})`]);
  const left = lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more lines`] : [];
  return [page.url(), ...lines.slice(0, MAX_LINES), ...left].join('\n');
}

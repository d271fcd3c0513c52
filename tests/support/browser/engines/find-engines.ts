// The browser engines that this machine has. Chromium is always there; the others are tested where they are installed.
import process from 'node:process';
import { FIREFOX, findBrowser, findProgram } from '../../../../scripts/setup/find-browser.mjs';
import type { Engine } from './engine-tab.ts';
import { openChromiumTab, openFirefoxTab } from './puppeteer-tab.ts';
import { openWebDriverTab } from './webdriver-tab.ts';

/** `npm run test:browsers` runs everything; `npm test` leaves out what other tests do in Chromium. */
export const isWholeSuite = process.env['WEFT_BROWSERS'] === 'all';

/** The engines to test: not Chromium alone where there are others, except in the whole suite. */
export function enginesToTest(): readonly Engine[] {
  const engines = findEngines();
  return isWholeSuite || engines.length === 1 ? engines : engines.slice(1);
}

export function findEngines(): readonly Engine[] {
  const chromium = findBrowser();
  if (chromium === null) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
  const [xvfb, firefox, webkit] = [findProgram(['Xvfb']), findProgram(FIREFOX), findProgram(['WebKitWebDriver'])];
  const engines: Engine[] = [{ name: 'chromium', open: () => openChromiumTab(chromium) }];
  if (firefox !== null) engines.push({ name: 'firefox', open: () => openFirefoxTab(firefox) });
  if (webkit !== null && xvfb !== null) engines.push({ name: 'webkit', open: () => openWebDriverTab(webkit, xvfb) });
  return engines;
}

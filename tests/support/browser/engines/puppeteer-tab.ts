// Chromium and Firefox through puppeteer: playwright-core asks Firefox for more than an installed one can do.
import puppeteer, { type KeyInput, type LaunchOptions, type Page } from 'puppeteer-core';
import { browserFlags } from '../../../../scripts/setup/find-browser.mjs';
import { type EngineName, type EngineTab, WINDOW } from './engine-tab.ts';

export const openChromiumTab = (program: string): Promise<EngineTab> =>
  openTab('chromium', { browser: 'chrome', executablePath: program, headless: true, args: browserFlags() });

export const openFirefoxTab = (program: string): Promise<EngineTab> =>
  openTab('firefox', { browser: 'firefox', executablePath: program, headless: true });

async function openTab(engine: EngineName, options: LaunchOptions): Promise<EngineTab> {
  const browser = await puppeteer.launch({ ...options, defaultViewport: null });
  // Not in the tab that Firefox opens with: keys of the caret (arrows, Home) do nothing there.
  const page = await browser.newPage();
  await page.setViewport(WINDOW);
  return new PuppeteerTab(engine, page);
}

class PuppeteerTab implements EngineTab {
  readonly engine: EngineName;
  readonly #page: Page;
  constructor(engine: EngineName, page: Page) {
    this.engine = engine;
    this.#page = page;
  }
  async goto(url: string): Promise<void> {
    await this.#page.goto(url);
  }
  evaluate<Args extends readonly unknown[], T>(run: (...args: Args) => T, ...args: Args): Promise<Awaited<T>> {
    return this.#page.evaluate<[], () => T>(`(${String(run)})(...${JSON.stringify(args)})`);
  }
  clickAt(x: number, y: number): Promise<void> {
    return this.#page.mouse.click(x, y);
  }
  async press(keys: readonly string[]): Promise<void> {
    const [last = '', ...held] = keys.toReversed();
    const modifiers = held.toReversed();
    if (modifiers.length === 0 && [...last].length === 1) return this.#page.keyboard.type(last);
    for (const key of modifiers) await this.#page.keyboard.down(key as KeyInput);
    await this.#page.keyboard.press(last as KeyInput);
    for (const key of held) await this.#page.keyboard.up(key as KeyInput);
  }
  setSize(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }
  screenshot(): Promise<Uint8Array> {
    return this.#page.screenshot();
  }
  close(): Promise<void> {
    return this.#page.browser().close();
  }
}

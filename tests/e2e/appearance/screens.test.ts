// Checks how the screens look as far as a machine can. WEFT_SCREENSHOTS=1 also renews the README's pictures.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { launchBrowser } from '../../support/browser/browser.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const PICTURES = process.env['WEFT_SCREENSHOTS'] === '1' ? join(ROOT, 'docs') : null;

let server: WeftServer;
let browser: Browser;
let ada: Person;
let bert: Person;
let cleo: Person;
let watchLink: string;

const contextOf = (colorScheme: 'light' | 'dark' = 'light'): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme, reducedMotion: 'reduce' });

beforeAll(async () => {
  [server, browser] = await Promise.all([WeftServer.start(), launchBrowser()]);
  ada = await Person.at(await contextOf());
  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  await ada.field('Page title').fill('Harbour festival');
  await ada.putCaretAtEnd();
  await writePage(ada);
  const editLink = await ada.createLink('edit');
  watchLink = await ada.createLink('watch');
  [bert, cleo] = await Promise.all([Person.at(await contextOf('dark')), Person.at(await contextOf())]);
  await bert.signUp(server.url, 'Bert');
  await cleo.signUp(server.url, 'Cleo');
  for (const guest of [bert, cleo]) {
    await guest.page.goto(editLink);
    await guest.waitUntilEditable();
  }
});
afterAll(async () => {
  await browser.close();
  await WeftServer.stopAll();
});

test('the editor shows the carets and names of others, and the receipt', async () => {
  await bert.putCaretAtEnd(2);
  await bert.type(' and the old crane');
  await ada.putCaretAtEnd(3);
  await cleo.putCaretAtEnd(4);
  await cleo.type(' Cleo the drums,');
  await Promise.all([bert.waitForReceipt('saved'), cleo.waitForReceipt('saved')]);
  await expect.poll(() => ada.bodyText()).toMatch(/and the old crane\n.*\n.*Cleo the drums,/);
  await expect.poll(() => ada.page.locator('.caret-layer').innerText()).toMatch(/Bert[^]*Cleo|Cleo[^]*Bert/);
  expect(await cleo.field('Page title').inputValue()).toBe('Harbour festival');
  await ada.page.mouse.move(640, 790);
  await expectNothingCutOff(ada.page);
  await picture(ada.page, 'editor');
});

test('the watch page shows no chrome of the editor', async () => {
  const watcher = new Watcher(await (await contextOf()).newPage());
  await watcher.open(watchLink);
  await expect.poll(() => watcher.text()).toContain('and the old crane');
  expect(await watcher.page.getByRole('textbox').count()).toBe(0);
  expect(await lookOf(watcher.page)).toEqual(await lookOf(ada.page));
  await expectNothingCutOff(watcher.page);
  await picture(watcher.page, 'watcher');
  await watcher.page.context().close();
});

test.each([360, 720, 1024])('at %i px nothing is cut off and the receipt stays in sight', async (width) => {
  await bert.page.setViewportSize({ width, height: 740 });
  await expectNothingCutOff(bert.page);
  const box = await bert.receipt.boundingBox();
  expect(box).not.toBeNull();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
});

test('light and dark differ, and every text has enough contrast', async () => {
  const [light, dark] = await Promise.all([contrastOf(ada.page), contrastOf(bert.page)]);
  expect(light.ground).not.toBe(dark.ground);
  expect(Math.min(light.ratio, dark.ratio)).toBeGreaterThan(7);
});

async function writePage(person: Person): Promise<void> {
  const { keyboard } = person.page;
  for (const line of ['# What has to be ready', 'The harbour opens at six.', '- [ ] Lanterns along the north quay']) {
    await person.type(line);
    await keyboard.press('Enter');
  }
  await person.type('Boats for the parade');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await person.type('Who brings what:');
  await person.waitForReceipt('saved');
}

/** Nothing overflows to the right: it could not be reached on a phone. */
async function expectNothingCutOff(page: Page): Promise<void> {
  const [needs, has] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(needs).toBeLessThanOrEqual(has ?? 0);
}

/** The watch page and the editor use the same typeface, size and measure. */
function lookOf(page: Page): Promise<{ face: string; size: string; width: number }> {
  return page.evaluate(() => {
    const text = document.querySelector('[data-kind="paragraph"] .block-text');
    if (text === null) return { face: '', size: '', width: 0 };
    const { fontFamily, fontSize } = getComputedStyle(text);
    return { face: fontFamily, size: fontSize, width: text.getBoundingClientRect().width };
  });
}

/** Contrast of the first block's text against the nearest painted background. */
function contrastOf(page: Page): Promise<{ ground: string; ratio: number }> {
  return page.evaluate(() => {
    const luminance = (color: string): number => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      if (canvas === null) return 0;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let at = document.querySelector('.block-text');
    const ink = at === null ? '' : getComputedStyle(at).color;
    let ground = 'rgba(0, 0, 0, 0)';
    while (at !== null && /, 0\)$|transparent/.test(ground)) {
      ground = getComputedStyle(at).backgroundColor;
      at = at.parentElement;
    }
    const [a, b] = [luminance(ink), luminance(ground)];
    return { ground, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== null) await mkdir(PICTURES, { recursive: true });
  const bytes = await page.screenshot(PICTURES === null ? {} : { path: join(PICTURES, `${name}.png`) });
  // A blank page would compress to almost nothing.
  expect(bytes.length).toBeGreaterThan(15_000);
}

// The editor and the watch page at several widths and in both themes: nothing is cut off, and text has enough contrast.
// WEFT_SCREENSHOTS=1 also renews the pictures of the README.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';

const PICTURES_FOLDER = process.env['WEFT_SCREENSHOTS'] === '1' ? join(ROOT, 'docs') : null;

const fixture = useE2eFixture();
let alice: Person;
let bob: Person;
let carol: Person;
let watchLink: string;

const contextOf = (colorScheme: 'light' | 'dark' = 'light'): Promise<BrowserContext> =>
  fixture.browser.newContext({
    ...NO_SERVICE_WORKER,
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  });

beforeAll(async () => {
  alice = await Person.at(await contextOf());
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.field('Page title').fill('Harbour festival');
  await alice.putCaretAtEnd();
  await writePage(alice);
  const editLink = await alice.createLink('edit');
  watchLink = await alice.createLink('watch');
  [bob, carol] = await Promise.all([Person.at(await contextOf('dark')), Person.at(await contextOf())]);
  await bob.signUp(fixture.server.url, 'Bob');
  await carol.signUp(fixture.server.url, 'Carol');
  for (const guest of [bob, carol]) {
    await guest.page.goto(editLink);
    await guest.waitUntilEditable();
  }
});

test('the editor shows the carets and names of others, and the receipt', async () => {
  await bob.putCaretAtEnd(2);
  await bob.type(' and the old crane');
  await alice.putCaretAtEnd(3);
  await carol.putCaretAtEnd(4);
  await carol.type(' Carol the drums,');
  await Promise.all([bob.waitForReceipt('saved'), carol.waitForReceipt('saved')]);
  await expect.poll(() => alice.bodyText()).toMatch(/and the old crane\n.*\n.*Carol the drums,/);
  await expect.poll(() => alice.page.locator('.caret-layer').innerText()).toMatch(/Bob[^]*Carol|Carol[^]*Bob/);
  expect(await carol.field('Page title').inputValue()).toBe('Harbour festival');
  await alice.page.mouse.move(640, 790);
  await expectNothingCutOff(alice.page);
  await takePicture(alice.page, 'editor');
});

test('the watch page has the typography of the editor and none of its controls', async () => {
  const watcher = new Watcher(await (await contextOf()).newPage());
  await watcher.open(watchLink);
  await expect.poll(() => watcher.text()).toContain('and the old crane');
  expect(await watcher.page.getByRole('textbox').count()).toBe(0);
  expect(await typographyOf(watcher.page)).toEqual(await typographyOf(alice.page));
  await expectNothingCutOff(watcher.page);
  await takePicture(watcher.page, 'watcher');
  await watcher.page.context().close();
});

test.each([360, 720, 1024])('at %i px nothing is cut off and the receipt stays in sight', async (width) => {
  await bob.page.setViewportSize({ width, height: 740 });
  await expectNothingCutOff(bob.page);
  const box = await bob.receipt.boundingBox();
  expect(box).not.toBeNull();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
});

test('the light and the dark theme differ, and both have enough contrast', async () => {
  const [light, dark] = await Promise.all([contrastOf(alice.page), contrastOf(bob.page)]);
  expect(light.ground).not.toBe(dark.ground);
  expect(Math.min(light.ratio, dark.ratio)).toBeGreaterThan(7);
});

test('a chosen theme has its color in the bar of the browser too', async () => {
  const page = await (await contextOf('light')).newPage();
  await page.addInitScript(() => localStorage.setItem('weft:theme', 'dark'));
  await page.goto(fixture.server.url);
  expect(await page.evaluate(barColor)).toBe('#151b1c');
  await page.context().close();
});

/** The color that a browser on a phone gives to its own controls. */
function barColor(): string | undefined {
  const bars = Array.from(document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'));
  return bars.find(({ media }) => matchMedia(media).matches)?.content;
}

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

/** Nothing may overflow to the right, where a person on a phone could not reach it. */
async function expectNothingCutOff(page: Page): Promise<void> {
  const [needs, has] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(needs).toBeLessThanOrEqual(has ?? 0);
}

/** The typeface, size and line width of the text. */
function typographyOf(page: Page): Promise<{ face: string; size: string; width: number }> {
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

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES_FOLDER !== null) await mkdir(PICTURES_FOLDER, { recursive: true });
  const bytes = await page.screenshot(PICTURES_FOLDER === null ? {} : { path: join(PICTURES_FOLDER, `${name}.png`) });
  // A blank page would compress to almost nothing.
  expect(bytes.length).toBeGreaterThan(15_000);
}

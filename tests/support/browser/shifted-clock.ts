// Shifts the wall clock of one page: `Date` only. Timers and `performance.now()` go on unchanged, as in a browser on a machine
// whose clock is corrected.
import type { Page } from 'playwright-core';

/** Install it before the page is opened. Each new document starts with the right time. */
export async function installShiftedClock(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let offset = 0;
    const shifted = new Proxy(Date, {
      construct: (real, parts: readonly unknown[], target) =>
        Reflect.construct(real, parts.length === 0 ? [real.now() + offset] : parts, target),
      get: (real, name) => (name === 'now' ? () => real.now() + offset : Reflect.get(real, name)),
    });
    Reflect.set(window, 'Date', shifted);
    Reflect.set(window, 'weftShiftClock', (ms: number) => (offset += ms));
  });
}

/** Moves the page's clock forward by `ms`, or back if negative. */
export const shiftClock = (page: Page, ms: number): Promise<void> =>
  page.evaluate((by) => void Reflect.get(window, 'weftShiftClock')(by), ms);

// A benchmark's run in a Chromium of its own, which is closed at the end.
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../tests/support/browser/browser.ts';
import type { Benchmark, Context, Figures } from './benchmark.ts';

export const inBrowser =
  (measure: (context: Context, browser: Browser) => Promise<Figures>): Benchmark['run'] =>
  async (context) => {
    const browser = await launchBrowser();
    try {
      return await measure(context, browser);
    } finally {
      await browser.close();
    }
  };

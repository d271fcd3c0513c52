// Steps through the history of a long page in a real Chromium: from the key to the painted frame that shows the version.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { launchBrowser } from '../../tests/support/browser/browser.ts';
import { paste } from '../../tests/support/browser/paste.ts';
import { Person } from '../../tests/support/browser/person.ts';

const FULL = { blocks: 1_000, rows: 60, steps: 40 } as const;
const QUICK = { blocks: 20, rows: 4, steps: 2 } as const;
const LINE = 'the course leaves the east slip on the rising tide and keeps the breakwater to starboard until buoy C';
/** Longer than an append waits for further keys, so that each word is a row. */
const WORD_EVERY_MS = 250;
const STEP_EVERY_MS = 200;
const VERSION = '[aria-label="Page at this version"]';
const MODES = ['Changes', 'Authors', 'Plain'] as const;

/** Milliseconds of each step, by the way in which the page is shown. All of its blocks are new since the version before. */
export async function historySteps(url: string, isQuick: boolean): Promise<Record<string, number[]>> {
  const plan = isQuick ? QUICK : FULL;
  await buildWhenNeeded();
  const browser = await launchBrowser();
  try {
    const person = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));
    const { page } = person;
    await person.signUp(url, 'Ada');
    await person.createWorkspace('North Quay');
    await person.newPage();
    await person.putCaretAtEnd();
    const lines = Array.from({ length: plan.blocks }, (_line, at) => `${at}: ${LINE}`);
    await paste(page, { 'text/plain': lines.join('\n') });
    for (let row = 0; row < plan.rows; row++) {
      await person.insert(' word');
      await delay(WORD_EVERY_MS);
    }
    await person.waitForReceipt('saved');
    await page.goto(`${page.url()}/history`);
    await page.waitForFunction(([version, count]) => document.querySelectorAll(`${version} .block`).length >= count, [
      VERSION,
      plan.blocks,
    ] as const);
    const times: Record<string, number[]> = {};
    for (const mode of MODES) {
      await person.button(mode).click();
      await page.getByRole('slider', { name: 'Timeline' }).focus();
      // The first step compiles the code. There is one more back than forth, because a step beyond the end does nothing.
      const all: number[] = [];
      for (let step = 0; step <= plan.steps; step++) {
        await delay(STEP_EVERY_MS);
        all.push(await stepTime(page, step <= plan.steps / 2 ? 'ArrowLeft' : 'ArrowRight'));
      }
      times[`${mode}: step on the screen`] = all.slice(1);
    }
    return times;
  } finally {
    await browser.close();
  }
}

async function stepTime(page: Page, key: 'ArrowLeft' | 'ArrowRight'): Promise<number> {
  await page.evaluate(watchStep, VERSION);
  await page.keyboard.press(key);
  const time = await page.waitForFunction(() => window.historyStep ?? null, null, { polling: 20 });
  return time.jsonValue().then(Number);
}

/** Runs in the page. A message posted in an animation frame's callback arrives after that frame is painted. */
function watchStep(version: string): void {
  delete window.historyStep;
  const region = document.querySelector(version) ?? document.body;
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      let wasBusy = false;
      const seen = new MutationObserver(() => {
        const isBusy = region.ariaBusy === 'true' || region.querySelector('.page-body')?.ariaBusy === 'true';
        wasBusy ||= isBusy;
        if (isBusy || !wasBusy) return;
        seen.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => void (window.historyStep = performance.now() - timeStamp);
          port2.postMessage(null);
        });
      });
      seen.observe(region, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
    },
    { capture: true, once: true },
  );
}

declare global {
  interface Window {
    /** Set by `watchStep`: how long the step took. */
    historyStep?: number;
  }
}

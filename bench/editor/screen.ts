// A page in a real Chromium with the editor in it. Keys go through the browser's input handling.
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import * as v from 'valibot';

const BODY = '[aria-label="Page body"]';
const CHARACTERS = 'the shuttle carries a thread through the open shed and comes back ';
/** Pauses between keys vary by this share, so that keys do not synchronise with frames. */
const PAUSE_VARIATION = 0.3;

/** One of Chromium's trace: `tdur` is the CPU time of its thread in µs. */
const traceEvent = v.object({
  name: v.string(),
  pid: v.number(),
  tid: v.number(),
  tdur: v.optional(v.number()),
  args: v.optional(v.object({ name: v.optional(v.unknown()) })),
});
type TraceEvent = v.InferOutput<typeof traceEvent>;

export class Screen {
  readonly page: Page;
  readonly #devtools: CDPSession;
  #pressed = 0;

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.#devtools = devtools;
  }

  static async on(page: Page): Promise<Screen> {
    const devtools = await page.context().newCDPSession(page);
    // CPU time of the thread: by the clock, a task is longer whenever another process has the core.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(watchKeys);
    return new Screen(page, devtools);
  }

  /** Milliseconds from navigation to the first frame that shows an editable text with this many blocks. */
  async open(address: string, blocks: number): Promise<number> {
    const start = performance.now();
    await this.page.goto(address, { waitUntil: 'commit' });
    await this.page.waitForFunction(
      ([selector, count]) => document.querySelectorAll(`${selector}[contenteditable="true"] > .block`).length >= count,
      [BODY, blocks] as const,
      { polling: 'raf', timeout: 120_000 },
    );
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return performance.now() - start;
  }

  /** Puts the caret behind the last character of a block or a table cell. */
  async putCaret(block: number, cell = 0): Promise<void> {
    await this.page.evaluate(
      ([selector, index, nth]) => {
        const body = document.querySelector<HTMLElement>(selector);
        const text = body?.querySelectorAll(':scope > .block')[index]?.querySelectorAll('.block-text')[nth];
        if (body == null || text === undefined) throw new Error(`no text in block ${index}`);
        text.scrollIntoView({ block: 'center' });
        body.focus({ preventScroll: true });
        const range = document.createRange();
        range.selectNodeContents(text);
        range.collapse(false);
        getSelection()?.removeAllRanges();
        getSelection()?.addRange(range);
      },
      [BODY, block, cell] as const,
    );
    await delay(300);
  }

  /** Milliseconds from each key to the next painted frame. */
  async type(keys: number, everyMs: number): Promise<readonly number[]> {
    await this.page.evaluate(() => void (window.keyTimes = []));
    const start = performance.now();
    for (let key = 0; key < keys; key++) {
      const uneven = everyMs * PAUSE_VARIATION * (((key * 7) % 10) / 10);
      await delay(Math.max(0, start + key * everyMs + uneven - performance.now()));
      await this.page.keyboard.press(CHARACTERS.charAt(this.#pressed++ % CHARACTERS.length));
    }
    await delay(200);
    return this.page.evaluate(() => window.keyTimes ?? []);
  }

  /** The duration of each frame within the next `ms` milliseconds. */
  async frames(ms: number): Promise<readonly number[]> {
    return this.page.evaluate(watchFrames, ms);
  }

  /** Main-thread milliseconds that `run` took: scripts, styles, layout, painting, input and garbage collection. */
  async mainThread(run: () => Promise<unknown>): Promise<number> {
    const before = await this.#mainThread();
    await run();
    return (await this.#mainThread()) - before;
  }

  /** CPU milliseconds of each task of the main thread while `run` runs. */
  async taskTimes(run: () => Promise<unknown>): Promise<readonly number[]> {
    const devtools = await this.page.context().newCDPSession(this.page);
    const events: TraceEvent[] = [];
    devtools.on('Tracing.dataCollected', ({ value }) => void events.push(...v.parse(v.array(traceEvent), value)));
    const traceConfig = { includedCategories: ['disabled-by-default-devtools.timeline'] };
    await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
    await run();
    const ended = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await ended;
    await devtools.detach();
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
    const mains = events.filter(isMain).map(({ pid, tid }) => `${pid}:${tid}`);
    const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && mains.includes(`${pid}:${tid}`));
    return tasks.map(({ tdur = 0 }) => tdur / 1_000);
  }

  /** The text of one block as shown on screen. */
  async textOf(block: number): Promise<string> {
    return this.page.evaluate(
      ([selector, index]) =>
        document.querySelector(selector)?.querySelectorAll(':scope > .block')[index]?.querySelector('.block-text')
          ?.textContent ?? '',
      [BODY, block] as const,
    );
  }

  async #mainThread(): Promise<number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  }
}

/** Runs in the page. A message posted in an animation frame's callback arrives after that frame is painted. */
function watchKeys(): void {
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => void window.keyTimes?.push(performance.now() - timeStamp);
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

/** Runs in the page. */
function watchFrames(ms: number): Promise<number[]> {
  return new Promise((resolve) => {
    const frames: number[] = [];
    let [start, before] = [0, 0];
    const onFrame = (now: number) => {
      if (start === 0) start = now;
      else frames.push(now - before);
      before = now;
      if (now - start < ms) requestAnimationFrame(onFrame);
      else resolve(frames);
    };
    requestAnimationFrame(onFrame);
  });
}

declare global {
  interface Window {
    /** Set by `Screen`: the latencies of its keys so far. */
    keyTimes?: number[];
  }
}

// Counts what wakes a page that no one uses: timers, frames, idle callbacks, calls, and messages of sockets, tabs and workers.
import type { Page } from 'playwright-core';

/** `source`: what woke the page and the file that asked for it. `at`: ms since the page's start. */
export type WakeUp = { readonly at: number; readonly source: string };

/** What wakes the page this soon after something else finds the processor awake. */
const SAME_MS = 100;

/** Before the page is opened. */
export const watchWakeUps = (page: Page): Promise<unknown> => page.addInitScript(recordWakeUps);

/** Those of the next `ms` milliseconds. */
export async function wakeUpsWithin(page: Page, ms: number): Promise<readonly WakeUp[]> {
  await page.evaluate(() => void (window.wakeUps = []));
  await page.waitForTimeout(ms);
  return page.evaluate(() => window.wakeUps ?? []);
}

/** Tells the page that it is hidden. A browser without windows shows every page, and slows down the timers of none. */
export const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });

/** How often the processor wakes: what happens together counts once. */
export const timesAwake = (all: readonly WakeUp[]): number =>
  all.filter(({ at }, index) => at - (all[index - 1]?.at ?? Number.NEGATIVE_INFINITY) > SAME_MS).length;

/** How often each source woke the page. */
export const bySource = (all: readonly WakeUp[]): ReadonlyMap<string, number> =>
  new Map(
    [...new Set(all.map(({ source }) => source))].map((one) => [
      one,
      timesAwake(all.filter(({ source }) => source === one)),
    ]),
  );

/** Runs in the page, before its scripts. */
function recordWakeUps(): void {
  const woke = (source: string) => void window.wakeUps?.push({ at: performance.now(), source });
  /** The innermost file of the app in a stack, without the hash in its name. */
  const caller = () => {
    const [, file = 'page'] = /\/assets\/([^/:]+?)(?:-[\w-]{8})?\.js/.exec(new Error('caller').stack ?? '') ?? [];
    return file;
  };
  const startTimer: (run: TimerHandler, ms: number, ...args: unknown[]) => unknown = window.setTimeout.bind(window);
  const startInterval: typeof startTimer = window.setInterval.bind(window);
  const requestFrame = window.requestAnimationFrame.bind(window);
  const requestIdle = window.requestIdleCallback.bind(window);
  const call = window.fetch.bind(window);
  const timeLimit = AbortSignal.timeout.bind(AbortSignal);
  const named = (run: TimerHandler, source: string) =>
    typeof run !== 'function'
      ? run
      : (...args: unknown[]) => {
          woke(source);
          run(...args);
        };
  Object.assign(window, {
    setTimeout: (run: TimerHandler, ms = 0, ...args: unknown[]) =>
      startTimer(named(run, `timer of ${Math.round(ms / 1_000)} s in ${caller()}`), ms, ...args),
    setInterval: (run: TimerHandler, ms = 0, ...args: unknown[]) =>
      startInterval(named(run, `interval of ${ms / 1_000} s in ${caller()}`), ms, ...args),
    requestAnimationFrame: (run: FrameRequestCallback) => {
      const source = `frame for ${caller()}`;
      return requestFrame((now) => {
        woke(source);
        run(now);
      });
    },
  });
  window.requestIdleCallback = (run, options) => {
    const source = `idle callback of ${caller()}`;
    return requestIdle((deadline) => {
      woke(source);
      run(deadline);
    }, options);
  };
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    woke(`call of ${pathname.split('/').at(-1)}`);
    return call(input, init);
  };
  AbortSignal.timeout = (ms) => {
    const signal = timeLimit(ms);
    const source = `time limit of ${ms / 1_000} s in ${caller()}`;
    signal.addEventListener('abort', () => woke(source));
    return signal;
  };
  /** Realtime's messages are lists: references, topic, event, payload. */
  const eventOf = (data: unknown) => (typeof data === 'string' ? String(JSON.parse(data)[3]) : 'bytes');
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => woke(`socket brings ${eventOf(data)}`));
    }
    override send(data: string | Blob | BufferSource): void {
      woke(`socket sends ${eventOf(data)}`);
      super.send(data);
    }
  };
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      this.addEventListener('message', () => woke('another tab'));
    }
  };
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', () => woke('a worker'));
    }
  };
}

declare global {
  interface Window {
    /** Set by `wakeUpsWithin`. */
    wakeUps?: WakeUp[];
  }
}

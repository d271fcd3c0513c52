// Work that only a page in sight needs: a hidden page wakes the device for none of it.
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';

/** Runs `start` when the page is visible and each time it becomes so, and cancels it when the page is hidden. */
export function whileVisible(start: () => Cancel): Cancel {
  let stop: Cancel | null = null;
  const update = () => {
    if (document.hidden) {
      stop?.();
      stop = null;
    } else {
      stop ??= start();
    }
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    stop?.();
  };
}

type Ticker = { readonly runs: Subscribable; readonly stop: Cancel };
/** By the time between two ticks. */
const tickers = new Map<number, Ticker>();

/**
 * Runs at each multiple of `ms` on the device's clock while the page is visible, and when it becomes so. All who ask for the same
 * `ms` share a timer, so that the device wakes once.
 */
export function onTick(ms: number, run: () => void): Cancel {
  const ticker = tickers.get(ms) ?? startTicker(ms);
  tickers.set(ms, ticker);
  const unsubscribe = ticker.runs.subscribe(run);
  return () => {
    unsubscribe();
    if (ticker.runs.size > 0 || tickers.get(ms) !== ticker) return;
    tickers.delete(ms);
    ticker.stop();
  };
}

function startTicker(ms: number): Ticker {
  const runs = new Subscribable();
  const stop = whileVisible(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      timer = setTimeout(tick, ms - (Date.now() % ms));
      runs.notify();
    };
    tick();
    return () => clearTimeout(timer);
  });
  return { runs, stop };
}

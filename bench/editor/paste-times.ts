// Pastes into a page in a real browser, and measures.
import type { Page } from 'playwright-core';

export type PasteTimes = {
  /** From the paste to the frame that shows all of it. */
  readonly shownMs: number;
  /** The longest time in which the page did nothing else until then. */
  readonly longestTaskMs: number;
};

/** Pastes at the caret until the page has this many characters. */
export const paste = (page: Page, type: string, content: string, characters: number): Promise<PasteTimes> =>
  page.evaluate(pasteAndMeasure, [type, content, characters] as const);

/** Runs in the page. */
async function pasteAndMeasure([type, content, characters]: readonly [string, string, number]): Promise<PasteTimes> {
  const body = document.querySelector<HTMLElement>('[aria-label="Page body"]');
  if (body === null) throw new Error('no page is open');
  body.focus();
  const clipboardData = new DataTransfer();
  clipboardData.setData(type, content);
  const { port1, port2 } = new MessageChannel();
  const start = performance.now();
  let [longestTaskMs, before, isShown] = [0, start, false];
  port1.onmessage = () => {
    const now = performance.now();
    longestTaskMs = Math.max(longestTaskMs, now - before);
    before = now;
    if (!isShown) port2.postMessage(null);
  };
  port2.postMessage(null);
  body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  do await frame();
  while (body.textContent.length < characters);
  const shownMs = performance.now() - start;
  // A task that began before the last frame ends.
  await frame();
  isShown = true;
  port1.close();
  return { shownMs, longestTaskMs };
}

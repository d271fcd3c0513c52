// Watches the receipt indicator from inside the page: every change of `data-receipt` is told to the test, with the
// text that was on the screen at that moment.
import type { Page } from 'playwright-core';

export type ReceiptChange = {
  readonly receipt: string;
  /** Milliseconds since the page's time origin. */
  readonly at: number;
  /** What `Page body` said at the same moment. */
  readonly text: string;
};

/** Install before the page is opened; it also survives reloads. Changes come in order. */
export async function observeReceipts(page: Page, tell: (change: ReceiptChange) => void): Promise<void> {
  let last = '';
  await observeScreen(page, (change) => {
    if (change.receipt === last) return;
    last = change.receipt;
    tell(change);
  });
}

/** As `observeReceipts`, and told of every change of the text too. */
export async function observeScreen(page: Page, tell: (change: ReceiptChange) => void): Promise<void> {
  await page.exposeFunction('weftScreenChanged', tell);
  await page.addInitScript(() => {
    let last = '';
    const look = () => {
      const receipt = document.querySelector('[data-receipt]')?.getAttribute('data-receipt') ?? '';
      const blocks = document.querySelectorAll('[aria-label="Page body"] .block-text');
      const text = Array.from(blocks, (block) => block.textContent).join('\n');
      if (receipt === '' || `${receipt} ${text}` === last) return;
      last = `${receipt} ${text}`;
      Reflect.get(window, 'weftScreenChanged')({ receipt, at: performance.now(), text });
    };
    // A task later, which is still before it is drawn: at the mutation itself the browser has written a letter that the
    // editor has not heard of, beside the receipt of before. Measured at single letters: 3 to 8 ms, never in a frame.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = look;
    new MutationObserver(() => port2.postMessage(null)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['data-receipt'],
    });
  });
}

// Observes the save receipt from inside the page and reports every change, with the text that was on screen at that moment.
import type { Page } from 'playwright-core';

export type ReceiptChange = {
  /** The value of `data-receipt`. */
  readonly receipt: string;
  /** Milliseconds since the page's time origin. */
  readonly at: number;
  /** The text of `Page body` at the same moment. */
  readonly text: string;
};

/** Call it before the page is opened. It survives reloads, and reports changes in order. */
export async function observeReceipts(page: Page, report: (change: ReceiptChange) => void): Promise<void> {
  let last = '';
  await observeScreen(page, (change) => {
    if (change.receipt === last) return;
    last = change.receipt;
    report(change);
  });
}

/** Like `observeReceipts`, but also reports every change of the text. */
export async function observeScreen(page: Page, report: (change: ReceiptChange) => void): Promise<void> {
  await page.exposeFunction('weftScreenChanged', report);
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
    // Read in the next task, which is still before the next frame. At the mutation itself the browser has inserted a character
    // that the editor does not know yet, while the receipt is still the previous one. Measured: 3 to 8 ms, never visible.
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

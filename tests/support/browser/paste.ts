// Pastes into the page, without the clipboard of the machine.
import type { Page } from 'playwright-core';

export async function paste(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((all) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(all)) clipboardData.setData(type, text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, data);
}

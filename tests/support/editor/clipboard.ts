// Pastes into an editor and copies from it through the browser’s own events.
import type { OpenedPage } from './opened-page.ts';

/** Pastes this content, by MIME type. */
export function pasteInto({ editor }: OpenedPage, data: Readonly<Record<string, string>>): void {
  const clipboardData = new DataTransfer();
  for (const [type, content] of Object.entries(data)) clipboardData.setData(type, content);
  editor.view.dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

/** Copies the selection. */
export function copyFrom({ editor }: OpenedPage): { readonly html: string; readonly text: string } {
  const clipboardData = new DataTransfer();
  editor.view.dom.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return { html: clipboardData.getData('text/html'), text: clipboardData.getData('text/plain') };
}

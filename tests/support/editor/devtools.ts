// Chromium's DevTools protocol, for what a page cannot see of itself.
import { onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';

/**
 * The text that is laid out, with what style sheets add (numbers of lists, placeholders): one string for each run, in
 * the order of the page.
 */
export async function drawnText(): Promise<readonly string[]> {
  const { strings, documents } = await cdp().send('DOMSnapshot.captureSnapshot', { computedStyles: [] });
  return documents.flatMap(({ layout }) => layout.text.flatMap((at) => strings[at] ?? []));
}

/** Counts the file dialogs that open until the end of the test. Each is cancelled at once. */
export async function countFileDialogs(): Promise<() => number> {
  let count = 0;
  const onOpened = () => void (count += 1);
  await cdp().send('Page.enable', {});
  await cdp().send('Page.setInterceptFileChooserDialog', { enabled: true });
  cdp().on('Page.fileChooserOpened', onOpened);
  onTestFinished(async () => {
    cdp().off('Page.fileChooserOpened', onOpened);
    await cdp().send('Page.setInterceptFileChooserDialog', { enabled: false });
  });
  return () => count;
}

// Chromium's DevTools protocol, for what a page cannot see of itself.
import { onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';

interface Devtools {
  send(method: string, options: object): Promise<unknown>;
  on(event: string, run: () => void): void;
  off(event: string, run: () => void): void;
}

// vitest does not say what a session can do.
const devtools = () => cdp() as unknown as Devtools;

type Snapshot = {
  readonly strings: readonly string[];
  readonly documents: readonly { readonly layout: { readonly text: readonly number[] } }[];
};

/**
 * The text that is laid out, with what style sheets add (numbers of lists, placeholders): one string for each stretch, in
 * the order of the page.
 */
export async function drawnText(): Promise<readonly string[]> {
  const { strings, documents } = (await devtools().send('DOMSnapshot.captureSnapshot', {
    computedStyles: [],
  })) as Snapshot;
  return documents.flatMap(({ layout }) => layout.text.flatMap((at) => strings[at] ?? []));
}

/** Counts the file dialogs that open until the end of the test. Each is cancelled at once. */
export async function countFileDialogs(): Promise<() => number> {
  let count = 0;
  const onOpened = () => void (count += 1);
  await devtools().send('Page.enable', {});
  await devtools().send('Page.setInterceptFileChooserDialog', { enabled: true });
  devtools().on('Page.fileChooserOpened', onOpened);
  onTestFinished(async () => {
    devtools().off('Page.fileChooserOpened', onOpened);
    await devtools().send('Page.setInterceptFileChooserDialog', { enabled: false });
  });
  return () => count;
}

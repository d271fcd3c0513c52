// The text of a link to watch, above the app that loads behind it. It goes once the app shows the page, or an error.
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { MAX_READER_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { FirstText } from '../features/watching/first-text.tsx';
import { assert } from '../lib/assert.ts';
import { readByLink } from '../sessions/read-by-link.ts';
import './text-first.css';

/** `answer` is that of `open_watch`, or null. Resolves as soon as the text is shown, or will not be. */
export async function showFirstText(answer: Promise<unknown>): Promise<void> {
  const page = await readByLink(await answer, unpackSnapshot);
  if (page === null) return;
  const { doc, title, changedAt } = page;
  // The app draws a longer page a part at a time.
  if (pageLengthOf(doc, MAX_READER_UNITS).get() === 'short') {
    const blocks = bodyViewOf(doc).get();
    showAbove(<FirstText title={title} changedAt={changedAt} blocks={blocks} foldsKey="links" />);
  }
  doc.destroy();
}

function showAbove(text: ReactNode): void {
  const app = document.getElementById('root');
  assert(app !== null, 'index.html has a #root');
  // The app was faster.
  if (!isLoading(app)) return;
  const above = document.createElement('div');
  above.className = 'text-first';
  app.before(above);
  // Not hidden: when the text goes, the app has its height already, so a scrolled page stays where it is.
  app.inert = true;
  const root = createRoot(above);
  flushSync(() => root.render(text));
  const changes = new MutationObserver(() => {
    if (isLoading(app)) return;
    changes.disconnect();
    root.unmount();
    above.remove();
    app.inert = false;
  });
  changes.observe(app, { childList: true, subtree: true, attributeFilter: ['aria-busy'] });
}

/** It has drawn nothing yet, only bars in place of content, or not the whole page. */
const isLoading = (app: HTMLElement): boolean =>
  app.querySelector(':scope > :not(noscript)') === null || app.querySelector('.skeleton, [aria-busy="true"]') !== null;

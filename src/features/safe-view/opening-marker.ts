// Marks on this device that the editor is opening a page. If its tab crashes or hangs, or the opening takes too long,
// the mark stays, and the next time the page opens in the safe view (`useSafeView`).
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';

const PREFIX = 'weft-opening:';
const TAB_KEY = 'weft-tab';
/** An opening that takes longer counts as failed. A page of 20,000 blocks takes 3 to 6 s. */
const TOO_LONG_MS = 15_000;

type Mark = { readonly tab: string; readonly at: number };

/** Whether the last attempt to open the page on this device failed. */
export function didOpeningFail(document: DocumentId): boolean {
  const mark = readMark(document);
  if (mark === null) return false;
  // Another tab may be opening it at this moment.
  return mark.tab === tabId() || Date.now() - mark.at > TOO_LONG_MS;
}

export interface OpeningMark {
  /**
   * For `useSyncExternalStore`. Sets the mark, before which nothing of the page may be drawn; unsubscribing is a
   * `clear`.
   */
  readonly subscribe: (run: () => void) => Cancel;
  readonly isSet: () => boolean;
  /** To be called when the page is drawn. If that took too long, the mark stays. */
  readonly clear: () => void;
}

export function openingMark(document: DocumentId): OpeningMark {
  let isSet = false;
  let startedAt: number | null = null;
  let wasHidden = false;
  const onVisibility = () => {
    wasHidden ||= window.document.hidden;
  };
  const clear = () => {
    if (startedAt === null) return;
    const ms = Date.now() - startedAt;
    startedAt = null;
    // A hidden tab has no frames, so its opening time says nothing.
    if (wasHidden || ms < TOO_LONG_MS) forgetFailedOpening(document);
  };
  return {
    subscribe(run) {
      startedAt = Date.now();
      wasHidden = window.document.hidden;
      write(document, { tab: tabId(), at: startedAt });
      window.document.addEventListener('visibilitychange', onVisibility);
      addEventListener('pagehide', clear);
      isSet = true;
      run();
      return () => {
        clear();
        window.document.removeEventListener('visibilitychange', onVisibility);
        removeEventListener('pagehide', clear);
      };
    },
    isSet: () => isSet,
    clear,
  };
}

/** The next opening is in the editor again. */
export function forgetFailedOpening(document: DocumentId): void {
  try {
    localStorage.removeItem(PREFIX + document);
  } catch {
    // Without storage nothing was marked.
  }
}

/** Called at sign-out. */
export function forgetOpenings(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
    sessionStorage.removeItem(TAB_KEY);
  } catch {
    // Without storage nothing was marked.
  }
}

function readMark(document: DocumentId): Mark | null {
  try {
    const [tab = '', at = ''] = localStorage.getItem(PREFIX + document)?.split(' ') ?? [];
    return tab === '' ? null : { tab, at: Number(at) };
  } catch {
    return null;
  }
}

function write(document: DocumentId, { tab, at }: Mark): void {
  try {
    localStorage.setItem(PREFIX + document, `${tab} ${at}`);
  } catch {
    // Without storage a crash is not noticed.
  }
}

/** The same after a reload of the tab, also after its crash. */
function tabId(): string {
  try {
    const known = sessionStorage.getItem(TAB_KEY);
    if (known !== null) return known;
    const created = crypto.getRandomValues(new Uint32Array(2)).join('-');
    sessionStorage.setItem(TAB_KEY, created);
    return created;
  } catch {
    return 'tab';
  }
}

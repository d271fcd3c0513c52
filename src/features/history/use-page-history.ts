// Opens the history of a page, and reads on when the page changes.
import { useEffect, useSyncExternalStore } from 'react';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { HistoryView, PageHistory } from '../../ports/history.ts';
import { followDocument } from '../../state/page/follow-document.ts';
import { useOpened } from '../../ui/browser/use-opened.ts';

export type ReadyView = Extract<HistoryView, { readonly phase: 'ready' }>;
export type HistoryState<History extends PageHistory> =
  | { readonly history: History; readonly view: HistoryView }
  | { readonly history: null; readonly view: HistoryView | { readonly phase: 'notLoaded' } };

const LOADING: HistoryView = { phase: 'loading', rows: 0, head: null };
/** A key press is a row of the log soon after it is seen. The second time is for rows that took longer. */
const READ_AFTER_MS = [600, 4_000];

/** The page as it is now: each change of it is a reason to read on. */
type Live = Pick<Session, 'doc' | 'subscribe'>;

export function usePageHistory<History extends PageHistory>(
  open: () => Promise<History>,
  live: Live | null,
): HistoryState<History> {
  const { opened: history, didFail } = useOpened(open);
  const view = useSyncExternalStore(
    (run) => history?.subscribe(run) ?? (() => undefined),
    () => history?.getView() ?? LOADING,
  );
  useReadingOn(history, live);
  if (history === null) return { history, view: didFail ? { phase: 'notLoaded' } : view };
  return { history, view };
}

function useReadingOn(history: PageHistory | null, live: Live | null): void {
  useEffect(() => {
    if (history === null || live === null) return undefined;
    const timers = new Map<number, ReturnType<typeof setTimeout>>();
    const readSoon = () => {
      for (const ms of READ_AFTER_MS) {
        if (timers.has(ms)) continue;
        const read = () => {
          timers.delete(ms);
          if (history.getView().phase === 'ready') void history.refresh();
        };
        timers.set(ms, setTimeout(read, ms));
      }
    };
    // The document is also replaced after something was erased from the page.
    const stop = followDocument(live, readSoon, readSoon);
    return () => {
      stop();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [history, live]);
}

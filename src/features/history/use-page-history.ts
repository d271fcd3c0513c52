// Opens the history of a page, and reads on when the page changes.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { DocumentId } from '../../protocol/ids.ts';
import { usePerson } from '../../state/hooks.ts';
import type { HistoryView, PageHistory } from '../../state/ports/history.ts';
import type { Session } from '../../sync/session/session-api.ts';

export type OpenedHistory =
  | { readonly history: PageHistory; readonly view: HistoryView }
  | { readonly history: null; readonly view: HistoryView | { readonly phase: 'notLoaded' } };

const LOADING: HistoryView = { phase: 'loading', rows: 0, head: null };
/** A key press is a row of the log soon after it is seen. Later ones are for rows that took longer. */
const READ_AFTER_MS = [600, 4_000];

export function usePageHistory(document: DocumentId, session: Session | null): OpenedHistory {
  const { histories } = usePerson();
  const [history, setHistory] = useState<PageHistory | null>(null);
  const [didFail, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    let opened: PageHistory | null = null;
    void histories.open(document).then(
      (one) => {
        if (!isCurrent) return one.close();
        opened = one;
        return setHistory(one);
      },
      // Its code is a chunk of its own, which a tab of an older version may not find any more.
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
      opened?.close();
    };
  }, [histories, document]);
  const view = useSyncExternalStore(
    (run) => history?.subscribe(run) ?? (() => undefined),
    () => history?.getView() ?? LOADING,
  );
  useReadingOn(history, session);
  if (history === null) return { history, view: didFail ? { phase: 'notLoaded' } : view };
  return { history, view };
}

function useReadingOn(history: PageHistory | null, session: Session | null): void {
  useEffect(() => {
    if (history === null || session === null) return undefined;
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
    let { doc } = session;
    doc.on('update', readSoon);
    const stop = session.subscribe(() => {
      // A rebuild replaces the document.
      if (session.doc === doc) return;
      doc.off('update', readSoon);
      ({ doc } = session);
      doc.on('update', readSoon);
    });
    return () => {
      stop();
      doc.off('update', readSoon);
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [history, session]);
}

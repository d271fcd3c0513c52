// The states of a history until it is read.
import type { ReactNode } from 'react';
import type { PageHistory } from '../../ports/history.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { HistoryFailed } from './history-failed.tsx';
import type { HistoryState, ReadyView } from './use-page-history.ts';
import './history.css';

type HistoryStatesProps<History extends PageHistory> = {
  readonly opened: HistoryState<History>;
  /** The page's address. */
  readonly address: string;
  readonly renderReady: (history: History, view: ReadyView) => ReactNode;
};

export function HistoryStates<History extends PageHistory>(props: HistoryStatesProps<History>) {
  const { opened, address, renderReady } = props;
  const { history, view } = opened;
  if (view.phase === 'failed' || view.phase === 'notLoaded') {
    return (
      <HistoryFailed
        reason={view.phase === 'failed' ? view.reason : 'notLoaded'}
        address={address}
        onRetry={() => void history?.refresh()}
      />
    );
  }
  if (history === null || view.phase === 'loading') {
    const { rows, head } = view.phase === 'loading' ? view : NOTHING_READ;
    return (
      <div className="history-state">
        <Skeleton label="Loading the history" widths={['40%', '90%', '82%', '60%']} />
        {rows > 0 && head !== null && (
          <p>
            {rows.toLocaleString('en')} of {head.toLocaleString('en')} edits
          </p>
        )}
      </div>
    );
  }
  return renderReady(history, view);
}

const NOTHING_READ = { rows: 0, head: null };

// The history of a page: its states, from loading to failed.
import { useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { HistoryFailed } from './history-failed.tsx';
import type { HistoryTools } from './history-tools.ts';
import { ReadyHistory } from './ready-history.tsx';
import { usePageHistory } from './use-page-history.ts';
import './history.css';

type HistoryPageProps = { readonly page: OpenPage; readonly tools: HistoryTools };

export function HistoryPage({ page, tools }: HistoryPageProps) {
  const session = useValue(page.sessionAtom);
  const { history, view } = usePageHistory(page.documentId, session);
  if (view.phase === 'failed' || view.phase === 'notLoaded') {
    return (
      <HistoryFailed
        reason={view.phase === 'failed' ? view.reason : 'notLoaded'}
        address={tools.address}
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
  return <ReadyHistory page={page} tools={tools} history={history} view={view} />;
}

const NOTHING_READ = { rows: 0, head: null };

// The history could not be read: why, and what the person can do.
import { Link } from 'react-router';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { useApp } from '../../state/hooks.ts';
import { historyTextOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

type Reason = 'gap' | 'tooLarge' | 'tooSlow' | 'failed' | 'notLoaded' | WeftError;

const TITLES = {
  gap: 'The history has a gap',
  tooLarge: 'This history is too large for a browser',
  tooSlow: 'This history takes too long to read',
  failed: 'The history couldn’t be read',
  notLoaded: 'The history didn’t load',
} as const;

const SENTENCES = {
  gap: 'The server doesn’t have all of this page’s edits. The page itself is not affected.',
  tooLarge: 'It has more than 256 MB of edits. The page itself is not affected.',
  tooSlow: 'Reading its edits takes too long for a browser tab. The page itself is not affected.',
  failed: 'The page itself is not affected.',
  notLoaded: 'Reload to try again.',
} as const;

type HistoryFailedProps = { readonly reason: Reason; readonly address: string; readonly onRetry: () => void };

export function HistoryFailed({ reason, address, onRetry }: HistoryFailedProps) {
  const { reload } = useApp();
  const isOffline = typeof reason === 'object' && reason.code === 'WF011';
  const isRefused = typeof reason === 'object' && reason.code === 'WF002';
  // Another try changes nothing.
  const isFinal = reason === 'tooLarge' || isRefused || (typeof reason === 'object' && reason.code === 'WF009');
  const title =
    typeof reason === 'string' ? TITLES[reason] : isOffline ? 'The history needs the server' : historyTextOf(reason);
  return (
    <div className="history-state">
      <EmptyState
        level={1}
        title={title}
        actions={
          <>
            {reason === 'notLoaded' ? (
              <Button look="primary" onClick={reload}>
                Reload
              </Button>
            ) : (
              !isFinal && (
                <Button look="primary" onClick={onRetry}>
                  Try now
                </Button>
              )
            )}
            <Link className="btn" to={address}>
              Back to page
            </Link>
          </>
        }
      >
        <p>
          {typeof reason === 'string'
            ? SENTENCES[reason]
            : isOffline
              ? 'Earlier versions aren’t on this device.'
              : null}
        </p>
      </EmptyState>
    </div>
  );
}

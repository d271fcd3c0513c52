// Shown when a screen failed: a code, where the unsent edits are, and what the person can do. The sessions still run.
import { useLocation, useRouteError } from 'react-router';
import { appErrorCode } from '../../../protocol/errors.ts';
import { isPagePath, safeViewAddress } from '../../../state/workspace/page-address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { CopyDetails, type Failure } from '../../../ui/feedback/failed-part.tsx';
import { latePart } from '../../../ui/feedback/late-part.tsx';
import { Logo } from '../../../ui/mark/logo.tsx';

/** `main.tsx` loads it right after the first screen: what failed may be the network. */
export const UnsentEdits = latePart(async () => (await import('./unsent-edits.tsx')).UnsentEdits);

/** In place of all screens. */
export function ErrorScreen() {
  const error = useRouteError();
  return (
    <main className="standalone">
      <Logo />
      <ScreenFailed error={error} retry={null} />
    </main>
  );
}

export type ScreenFailedProps = Pick<Failure, 'error'> & {
  /** Null if only loading the app again helps. */
  readonly retry: (() => void) | null;
};

export function ScreenFailed({ error, retry }: ScreenFailedProps) {
  const { pathname } = useLocation();
  return (
    <EmptyState
      level={1}
      title="Something went wrong"
      actions={
        <>
          <Button look="primary" onClick={retry ?? (() => location.reload())}>
            {retry === null ? 'Reload' : 'Try again'}
          </Button>
          {isPagePath(pathname) && (
            // Loads the app anew, because the crash may have left anything behind.
            <a className="btn" href={safeViewAddress(pathname)}>
              Open in safe view
            </a>
          )}
          <CopyDetails error={error} />
        </>
      }
    >
      <UnsentEdits />
      <p role="alert">Code {appErrorCode(error)}.</p>
    </EmptyState>
  );
}

// Shown when a screen failed: a code, where the unsent edits are, and what the person can do. The sessions still run.
import { useLocation, useRouteError } from 'react-router';
import { appErrorCode } from '../../protocol/errors.ts';
import { isPagePath, safeViewAddress } from '../../state/workspace/page-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { CopyDetails, type Failure } from '../../ui/feedback/failed-part.tsx';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { useFailureFocus } from '../../ui/feedback/use-failure-focus.ts';
import { Logo } from '../../ui/mark/logo.tsx';

/** `main.tsx` loads it soon after the first screen: what failed may be the network. */
export const LateUnsentEdits = latePart(
  async () => (await import('../../features/account/unsent/unsent-edits.tsx')).UnsentEditsNote,
);

/** The router shows it in place of all screens. */
export function ErrorScreen() {
  return <WholeScreenFailed error={useRouteError()} retry={null} />;
}

/** For a failed screen without the layout of a workspace: it fills the window. */
export const WholeScreenFailed = (failure: ScreenFailedProps) => (
  <main className="standalone">
    <Logo />
    <ScreenFailed {...failure} />
  </main>
);

export type ScreenFailedProps = Pick<Failure, 'error'> & {
  /** Null if only loading the app again helps. */
  readonly retry: (() => void) | null;
};

export function ScreenFailed({ error, retry }: ScreenFailedProps) {
  const { pathname } = useLocation();
  const { place, leave } = useFailureFocus();
  const showAgain = () => {
    leave();
    (retry ?? (() => location.reload()))();
  };
  return (
    <EmptyState
      {...place}
      level={1}
      title="Something went wrong"
      actions={
        <>
          <Button look="primary" onClick={showAgain}>
            {retry === null ? 'Reload' : 'Try again'}
          </Button>
          {isPagePath(pathname) && (
            // Loads the app anew, because the crash may have left anything behind.
            <a className="btn" href={safeViewAddress(pathname)}>
              Repair this page…
            </a>
          )}
          <CopyDetails error={error} />
        </>
      }
    >
      <LateUnsentEdits />
      <p role="alert">Weft couldn’t show this screen. Code {appErrorCode(error)}.</p>
    </EmptyState>
  );
}

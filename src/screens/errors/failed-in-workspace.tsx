// A screen that failed, beside the sidebar of its workspace and below a bar with the receipt of this device.
import { useRouteError } from 'react-router';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { ScreenFailed, type ScreenFailedProps } from './error-screen.tsx';
import { UnavailableFrame } from './unavailable-screen.tsx';

export const FailedInWorkspace = (failure: ScreenFailedProps) => (
  <UnavailableFrame>
    <ScreenFailed {...failure} />
  </UnavailableFrame>
);

/** The router shows it if a screen failed, or its code did not load. */
export function WorkspaceRouteFailed() {
  const error = useRouteError();
  return (
    <ErrorBoundary>
      <FailedInWorkspace error={error} retry={null} />
    </ErrorBoundary>
  );
}

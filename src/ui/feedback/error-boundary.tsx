// Keeps an error in a part of the screen from taking the rest of the screen with it.
import { Component, type ReactNode } from 'react';
import { type Failure, FailedLayer, FailedPart } from './failed-part.tsx';

type ErrorBoundaryProps = {
  /**
   * Draws what stands in place of the part; by default a note with "Try again" and "Copy details". It is called like a function
   * and must not use hooks.
   */
  readonly renderFailed?: (failure: Failure) => ReactNode;
  /** The part is shown again when this changes. */
  readonly resetKey?: unknown;
  readonly children: ReactNode;
};

type ErrorBoundaryState = {
  readonly failed: { readonly error: unknown } | null;
  /** The failure before, since the part was last shown, and how many there were. */
  readonly before: ErrorBoundaryState['failed'];
  readonly failures: number;
  readonly resetKey: unknown;
};

/**
 * What stands in the part's place can fail too, and React gives errors in its effects to the same boundary: after this many the
 * boundary throws the error on to the next one.
 */
const MAX_FAILURES = 3;

/** A class, because React has no hook for this. `main.tsx` reports the errors. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: null, before: null, failures: 0, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState {
    const failed = Object.is(resetKey, state.resetKey) ? state.failed : null;
    const isNew = failed !== state.before;
    return { resetKey, failed, before: failed, failures: failed === null ? 0 : state.failures + (isNew ? 1 : 0) };
  }

  override render(): ReactNode {
    const { children, renderFailed = (failure: Failure) => <FailedPart {...failure} /> } = this.props;
    const { failed, failures } = this.state;
    if (failures > MAX_FAILURES) throw failed?.error;
    return failed === null ? children : renderFailed({ ...failed, retry: () => this.setState({ failed: null }) });
  }
}

type LayerBoundaryProps = {
  /** Closes what failed. */
  readonly onDismiss?: (() => void) | undefined;
  readonly open?: boolean | undefined;
  readonly children: ReactNode;
};

/** For what has no place of its own on the screen, such as a dialog: the note stands at the bottom of the window. */
export const LayerBoundary = ({ onDismiss, open = true, children }: LayerBoundaryProps) => (
  <ErrorBoundary
    resetKey={open}
    // A part that is closed and still fails needs no second note.
    renderFailed={(failure) => (open ? <FailedLayer {...failure} onDismiss={onDismiss} /> : null)}
  >
    {children}
  </ErrorBoundary>
);

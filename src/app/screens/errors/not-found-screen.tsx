// The screen for every address that no route matches.
import { Link } from 'react-router';
import { Logo } from '../../../ui/mark/logo.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

export function NotFoundScreen() {
  return (
    <main className="standalone">
      <Link to="/" aria-label="Weft, start">
        <Logo />
      </Link>
      <EmptyState
        level={1}
        title="Page not found"
        actions={
          <Link className="btn" to="/">
            Go to your workspace
          </Link>
        }
      >
        <p>Check the link, or ask for a new one.</p>
      </EmptyState>
    </main>
  );
}

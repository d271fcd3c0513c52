// An address that means nothing here.
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
        title="There is nothing at this address"
        actions={
          <Link className="btn" to="/">
            Go to your workspace
          </Link>
        }
      >
        <p>If somebody sent it to you, ask them to copy the whole address once more.</p>
      </EmptyState>
    </main>
  );
}

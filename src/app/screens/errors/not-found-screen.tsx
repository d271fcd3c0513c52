// An address that means nothing here.
import { Link } from 'react-router';
import { Logo } from '../../../ui/mark/mark.tsx';
import { Empty } from '../../../ui/feedback/skeleton.tsx';

export function NotFoundScreen() {
  return (
    <main className="alone">
      <Link to="/" aria-label="Weft, start">
        <Logo />
      </Link>
      <Empty
        level={1}
        title="There is nothing at this address"
        actions={
          <Link className="btn" to="/">
            Go to your workspace
          </Link>
        }
      >
        <p>If somebody sent it to you, ask them to copy the whole address once more.</p>
      </Empty>
    </main>
  );
}

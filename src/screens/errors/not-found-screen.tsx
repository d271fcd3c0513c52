// The screen for every address that no route matches.
import { Link } from 'react-router';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { UnavailableScreen } from './unavailable-screen.tsx';

/** No code of the catalogue: the server was not asked. */
const NOT_FOUND = weftError('unknown');

export function NotFoundScreen() {
  return (
    <UnavailableScreen
      error={NOT_FOUND}
      title="Page not found"
      actions={
        <Link className="btn" to="/">
          Go to your workspace
        </Link>
      }
    >
      <p>Check the link, or ask for a new one.</p>
    </UnavailableScreen>
  );
}

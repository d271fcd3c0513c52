// A page that is not on this device and can't be fetched: the server does not answer, or the person is signed out. Says so
// instead of loading forever.
import { Link, useLocation } from 'react-router';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import { usePage, useValue, useWorkspace } from '../../state/hooks.ts';
import { workspacePath } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Unavailable } from '../errors/unavailable-screen.tsx';

export function PageOffline() {
  const page = usePage();
  const { workspace } = useWorkspace();
  const error = useValue(page.errorAtom);
  const location = useLocation();
  const isSignedOut = error?.code === 'WF003';
  return (
    <Unavailable
      error={error ?? weftError('WF011')}
      title="This page is not on this device"
      actions={
        <>
          {isSignedOut ? (
            <Link className="btn" data-look="primary" to="/sign-in" state={returnAddressFrom(location)}>
              Sign in
            </Link>
          ) : (
            <Button onClick={page.retry}>Try now</Button>
          )}
          <Link className="btn" to={workspacePath(workspace.slug)}>
            Back to {workspace.name}
          </Link>
        </>
      }
    >
      <p>{reasonText(error, isSignedOut)}</p>
    </Unavailable>
  );
}

function reasonText(error: WeftError | null, isSignedOut: boolean): string {
  if (isSignedOut) return 'Sign in again to open it.';
  if (error?.code === 'unknown') return `${textOf(error)} ${error.detail}`;
  return 'It opens when the server answers. Pages that you opened here before also open offline.';
}

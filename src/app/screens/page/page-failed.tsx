// A page that could not be opened: the error's text, what is safe, and what the person can do.
import { Link, useLocation } from 'react-router';
import { weftError } from '../../../protocol/errors.ts';
import { useApp, useAppValue, usePage, useValue, useWorkspace } from '../../../state/hooks.ts';
import { workspacePath } from '../../../state/workspace/page-address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { returnAddressFrom } from '../account/return-address.ts';
import { downloadUnsent } from '../../shell/download-unsent.ts';
import { Unavailable } from '../errors/unavailable-screen.tsx';

export function PageFailed() {
  const page = usePage();
  const { workspace } = useWorkspace();
  const { unsent } = useValue(page.viewAtom);
  const error = useValue(page.errorAtom) ?? weftError('unknown');
  const session = useValue(page.sessionAtom);
  const { reload } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const location = useLocation();
  const isGone = error.code === 'WF001';
  return (
    <Unavailable
      error={error}
      actions={
        <>
          {signIn.status === 'expired' && (
            <Link className="btn" data-look="primary" to="/sign-in" state={returnAddressFrom(location)}>
              Sign in
            </Link>
          )}
          {!isGone && (
            // No session means that its code did not load, and only a reload loads it again.
            <Button onClick={session === null || error.code === 'WF004' ? reload : page.retry}>
              {error.code === 'WF004' ? 'Reload' : 'Try now'}
            </Button>
          )}
          <Link className="btn" to={workspacePath(workspace.slug)}>
            Back to {workspace.name}
          </Link>
          {unsent.edits > 0 && <Button onClick={() => downloadUnsent(page, null)}>Download a copy</Button>}
        </>
      }
    >
      {!isGone && (
        <p>
          {`What you wrote is safe on this device.${error.code === 'unknown' ? ` ${error.detail}` : ` Code ${error.code}.`}`}
        </p>
      )}
    </Unavailable>
  );
}

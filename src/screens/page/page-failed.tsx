// A page that could not be opened: the error's text, what is safe, and what the person can do. A page that they may not open
// says why, and takes a request for access.
import { Suspense, lazy } from 'react';
import { Link, useLocation } from 'react-router';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { useApp, useAppValue, usePage, useValue, useWorkspace } from '../../state/hooks.ts';
import { workspacePath } from '../../state/workspace/page-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Unavailable, UnavailableFrame } from '../errors/unavailable-screen.tsx';
import { downloadUnsent } from './download-unsent.ts';

const ClosedPage = lazy(async () => ({
  default: (await import('../../features/closed-pages/closed-page.tsx')).ClosedPage,
}));

export function PageFailed({ closure }: { readonly closure: Closure }) {
  const page = usePage();
  const { workspace } = useWorkspace();
  const { unsent } = useValue(page.viewAtom);
  const error = useValue(page.errorAtom) ?? weftError('unknown');
  const session = useValue(page.sessionAtom);
  const { reload } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const location = useLocation();
  const download = <Button onClick={() => downloadUnsent(page, null)}>Download a copy</Button>;
  const wayOut = (
    <Link className="btn" to={workspacePath(workspace.slug)}>
      Go to {workspace.name}
    </Link>
  );
  if (error.code === 'WF001') {
    return (
      <UnavailableFrame>
        <Suspense fallback={null}>
          <ClosedPage
            document={page.documentId}
            closure={closure}
            unsentEdits={unsent.edits}
            download={download}
            wayOut={wayOut}
          />
        </Suspense>
      </UnavailableFrame>
    );
  }
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
          {/* No session means that its code did not load, and only a reload loads it again. */}
          <Button onClick={session === null || error.code === 'WF004' ? reload : page.retry}>
            {error.code === 'WF004' ? 'Reload' : 'Try now'}
          </Button>
          {wayOut}
          {unsent.edits > 0 && download}
        </>
      }
    >
      <p>
        {`What you wrote is safe on this device.${error.code === 'unknown' ? ` ${error.detail}` : ` Code ${error.code}.`}`}
      </p>
    </Unavailable>
  );
}

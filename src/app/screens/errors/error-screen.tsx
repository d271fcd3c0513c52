// Shown when rendering a screen failed. The edits are in the sessions, which still run, so the screen says where the edits
// are and offers unsent ones as a download.
import { useContext } from 'react';
import { useLocation, useRouteError } from 'react-router';
import type { OpenPage } from '../../../state/page/open-page.ts';
import { AppContext } from '../../../state/hooks.ts';
import { isPagePath, safeViewAddress } from '../../../state/workspace/page-address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Logo } from '../../../ui/mark/logo.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { downloadUnsent } from '../../shell/download-unsent.ts';

export function ErrorScreen() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const app = useContext(AppContext);
  const person = app === null ? null : app.store.get(app.personAtom);
  const waiting = person?.pages.openValues().filter((page) => page.getView().unsent.edits > 0) ?? [];
  const edits = waiting.reduce((sum, page) => sum + page.getView().unsent.edits, 0);
  const isInTabOnly = waiting.some((page) => page.getView().receipt === 'tab');
  return (
    <main className="standalone">
      <Logo />
      <EmptyState
        level={1}
        title="Something went wrong"
        actions={
          <>
            <Button look="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            {isPagePath(pathname) && (
              // Loads the app anew, because the crash may have left anything behind.
              <a className="btn" href={safeViewAddress(pathname)}>
                Open in safe view
              </a>
            )}
            {edits > 0 && <Button onClick={() => downloadAll(waiting)}>Download a copy</Button>}
          </>
        }
      >
        <p role="alert">
          {edits === 0 && 'Everything you wrote is on the server.'}
          {edits > 0 &&
            `${count(edits)} ${isInTabOnly ? 'only in this tab: download a copy first.' : 'safe on this device.'}`}
          {` Code ${codeOf(error)}.`}
        </p>
      </EmptyState>
    </main>
  );
}

const count = (edits: number) => (edits === 1 ? 'Your unsent edit is' : `Your ${edits} unsent edits are`);

function downloadAll(pages: readonly OpenPage[]) {
  for (const page of pages) downloadUnsent(page, null);
}

/** Short enough to read out, and the same for the same error. */
function codeOf(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}${error.message}${error.stack?.split('\n')[1] ?? ''}` : String(error);
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = ((hash * 33) ^ text.charCodeAt(at)) >>> 0;
  return `WF-render-${hash.toString(16).padStart(8, '0').slice(0, 4)}`;
}

// `/w/:workspace/p/:page/watch`: the full-screen, read-only view of a page for members, for a wall or a meeting.
import { type ComponentProps, useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { ThemeButton } from '../../../features/account/profile/theme-button.tsx';
import { WatchPage } from '../../../features/watching/watch-page.tsx';
import type { DocumentId } from '../../../protocol/ids.ts';
import { PageContext, useOpenPage, useValue } from '../../../state/hooks.ts';
import type { OpenPage } from '../../../state/page/open-page.ts';
import { parsePageParam, workspacePath } from '../../../state/workspace/page-address.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useChangesSince } from '../page/use-changes-since.ts';
import { useVisit } from '../page/use-visit.ts';
import type { Session } from '../../../sync/session/session-api.ts';
import { sessionAsWatch } from '../../sessions/session-as-watch.ts';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

export function PageWatchScreen() {
  const { page = '' } = useParams();
  const id = parsePageParam(page);
  return id === null ? <UnavailableScreen actions={<BackToWorkspace />} /> : <WatchOf key={id} id={id} />;
}

function BackToWorkspace() {
  const { workspace = '' } = useParams();
  return (
    <Link className="btn" to={workspacePath(workspace)}>
      Go to your workspace
    </Link>
  );
}

function WatchOf({ id }: { readonly id: DocumentId }) {
  const page = useOpenPage(id);
  if (page === null) return null;
  return (
    <PageContext value={page}>
      <Watched page={page} />
    </PageContext>
  );
}

function Watched({ page }: { readonly page: OpenPage }) {
  const { workspace = '', page: param = '' } = useParams();
  const session = useValue(page.sessionAtom);
  const title = useValue(page.titleAtom);
  const watch = useMemo(() => session && sessionAsWatch(session), [session]);
  const error = useValue(page.errorAtom);
  const isAccessLost = useValue(page.isAccessLostAtom);
  if (isAccessLost || error?.code === 'WF001') return <UnavailableScreen actions={<BackToWorkspace />} />;
  if (watch === null || session === null) {
    return (
      <main className="standalone">
        <Skeleton label="Opening the page" widths={['46%', '92%', '84%', '60%']} />
      </main>
    );
  }
  return (
    <>
      <TabTitle title={title ?? ''} />
      <VisitedPage
        session={session}
        watch={watch}
        foldsKey={page.documentId}
        files={page.files}
        actions={
          <>
            <ThemeButton />
            <Link className="btn" to={`/w/${workspace}/p/${param}`}>
              Back to the page
            </Link>
          </>
        }
      />
    </>
  );
}

type VisitedPageProps = ComponentProps<typeof WatchPage> & { readonly session: Session };

/** Watching a page is a visit, as reading it is. */
function VisitedPage({ session, ...props }: VisitedPageProps) {
  const changes = useChangesSince(session.documentId, useVisit(session));
  return <WatchPage {...props} changes={changes} />;
}

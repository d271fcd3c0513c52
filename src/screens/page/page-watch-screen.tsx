// `/w/:workspace/p/:page/watch`: the full-screen, read-only view of a page for signed-in people, for a wall or a meeting.
import { type ComponentProps, Suspense, lazy, useEffect, useMemo } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import type { Session } from 'weft-sync/session/session-api.ts';
import { SubpagesContext } from '../../editor/subpages/subpages-context.ts';
import { PresenterContext, type PresenterName } from '../../features/watching/presenter-name.ts';
import { WatchPage } from '../../features/watching/watch-page.tsx';
import { sessionAsWatch } from '../../sessions/session-as-watch.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { usePage, usePerson, useProfiles, useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import { isWallSearch, workspacePath } from '../../state/workspace/page-address.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { WholeScreenFailed } from '../errors/error-screen.tsx';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';
import { WatchActions } from '../watch-actions.tsx';
import { watchedSubpagesList } from './late-subpages.tsx';
import { PageOfAddress } from './page-of-address.tsx';
import { useChangesSince } from './use-changes-since.ts';
import { useVisit } from './use-visit.ts';

const WallPage = lazy(async () => ({
  default: (await import('../../features/watching/wall/wall-page.tsx')).WallPage,
}));

export const PageWatchScreen = () => (
  <PageOfAddress missing={<UnavailableScreen actions={<BackToWorkspace />} />} failed={WholeScreenFailed}>
    <Watched />
  </PageOfAddress>
);

function BackToWorkspace() {
  const { workspace = '' } = useParams();
  return (
    <Link className="btn" to={workspacePath(workspace)}>
      Go to your workspace
    </Link>
  );
}

function Watched() {
  const page = usePage();
  const { workspace = '', page: param = '' } = useParams();
  const session = useValue(page.sessionAtom);
  const title = useValue(page.titleAtom);
  const watch = useMemo(() => session && sessionAsWatch(session), [session]);
  const error = useValue(page.errorAtom);
  const isAccessLost = useValue(page.isAccessLostAtom);
  const presenter = usePresenterName(page);
  const isWall = isWallSearch(useLocation().search);
  if (isAccessLost || error?.code === 'WF001') return <UnavailableScreen actions={<BackToWorkspace />} />;
  if (watch === null || session === null) {
    return (
      <main className="standalone">
        <Skeleton label="Opening the page" widths={['46%', '92%', '84%', '60%']} />
      </main>
    );
  }
  return (
    <SubpagesContext value={watchedSubpagesList}>
      <PresenterContext value={presenter}>
        <TabTitle title={title ?? ''} />
        {isWall ? (
          <Suspense fallback={null}>
            <WallPage watch={watch} foldsKey={page.documentId} files={page.files} />
          </Suspense>
        ) : (
          <VisitedPage
            session={session}
            watch={watch}
            foldsKey={page.documentId}
            files={page.files}
            isFullScreen
            actions={<WatchActions links={[{ name: 'Back to the page', to: `/w/${workspace}/p/${param}` }]} />}
          />
        )}
      </PresenterContext>
    </SubpagesContext>
  );
}

type VisitedPageProps = ComponentProps<typeof WatchPage> & { readonly session: Session };

/** Watching a page is a visit, as reading it is. A wall reports no visit. */
function VisitedPage({ session, ...props }: VisitedPageProps) {
  const changes = useChangesSince(session, useVisit(session));
  return <WatchPage {...props} changes={changes} />;
}

function usePresenterName(page: OpenPage): PresenterName | null {
  const { people } = usePerson();
  const known = useProfiles();
  const user = useValue(page.presenterAtom)?.user ?? null;
  useEffect(() => {
    if (user !== null) people.ensureLoaded([user]);
  }, [people, user]);
  return useMemo(() => {
    const person = user === null ? undefined : known.get(user);
    if (person === undefined) return null;
    return { name: person.displayName, color: person.color, picture: person.avatarPath ?? null };
  }, [known, user]);
}

// `/s#secret`: a watch link shows the page to anyone; a link to edit or comment asks people to sign in, then opens it.
import { lazy, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import { WatchPage } from '../../features/watching/watch-page.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { PersonContext, useAppValue, useLinkFiles } from '../../state/hooks.ts';
import { isWallSearch, linkHistoryPath } from '../../state/workspace/page-address.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { WatchActions } from '../watch-actions.tsx';
import { JoinByLink } from './join-by-link.tsx';
import { useLinkChanges } from './use-link-changes.ts';
import { WatchedByLink } from './watched-by-link.tsx';

const RedeemLink = lazy(async () => ({ default: (await import('./redeem-link.tsx')).RedeemLink }));
const WallPage = lazy(async () => ({
  default: (await import('../../features/watching/wall/wall-page.tsx')).WallPage,
}));

/** Few links show comments. */
const CommentsOfLink = latePart(async () => (await import('./comments-of-link.tsx')).CommentsOfLink);

export const LinkScreen = () => (
  <WatchedByLink opening={<Opening />}>{(secret, watch) => <OpenedLink secret={secret} watch={watch} />}</WatchedByLink>
);

type OpenedLinkProps = { readonly secret: LinkSecret; readonly watch: LinkWatch };

function OpenedLink({ secret, watch }: OpenedLinkProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const signIn = useAppValue((app) => app.signInAtom);
  const person = useAppValue((app) => app.personAtom);
  const files = useLinkFiles(secret);
  const changes = useLinkChanges(secret, watch);
  const location = useLocation();
  const isWall = isWallSearch(location.search);
  const hasEnded = view.phase === 'ended' || view.phase === 'failed';
  const needsSignIn = view.role === 'editor' || view.role === 'commenter';
  if (needsSignIn && !hasEnded) {
    if (signIn.status !== 'signedIn' || person === null) return <JoinByLink title={view.title} role={view.role} />;
    return (
      <PersonContext value={person}>
        <RedeemLink secret={secret} />
      </PersonContext>
    );
  }
  if (view.role === null && view.phase === 'opening' && view.error === null) return <Opening />;
  if (isWall) {
    return (
      <>
        <TabTitle title={view.title} />
        <WallPage watch={watch} foldsKey="links" files={files} />
      </>
    );
  }
  const links = [
    ...(view.showsHistory ? [{ name: 'History', to: linkHistoryPath(location.hash) }] : []),
    ...(signIn.status === 'signedIn' ? [] : [{ name: 'Sign in', to: '/sign-in', state: returnAddressFrom(location) }]),
  ];
  return (
    <>
      <TabTitle title={view.title} />
      <WatchPage
        watch={watch}
        foldsKey="links"
        files={files}
        changes={changes}
        actions={
          <>
            {view.comments !== null && <CommentsOfLink secret={secret} watch={watch} files={files} />}
            <WatchActions links={links} />
          </>
        }
      />
    </>
  );
}

function Opening() {
  return (
    <main className="standalone">
      <Skeleton label="Opening the link" widths={['46%', '92%', '84%', '60%']} />
    </main>
  );
}

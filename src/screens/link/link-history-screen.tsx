// `/s/history#secret`: the history of the page behind a watch link that shows it. Keeps watching the page, because what is
// written meanwhile shows, and the end of the link ends the history too.
import { useSyncExternalStore } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { LinkHistoryPage } from '../../features/history/link-history-page.tsx';
import { WatchEnded } from '../../features/watching/watch-ended.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useLinkFiles } from '../../state/hooks.ts';
import { momentInSearch } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { NO_HISTORY_BY_LINK } from '../../texts/error-texts.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Standalone } from '../../ui/feedback/standalone.tsx';
import { WatchedByLink } from './watched-by-link.tsx';

export const LinkHistoryScreen = () => (
  <WatchedByLink opening={<Opening />}>{(secret, watch) => <OpenedLink secret={secret} watch={watch} />}</WatchedByLink>
);

function OpenedLink({ secret, watch }: { readonly secret: LinkSecret; readonly watch: LinkWatch }) {
  const { phase, documentId, title, role, error, showsHistory } = useSyncExternalStore(watch.subscribe, watch.getView);
  const files = useLinkFiles(secret);
  const { hash, search } = useLocation();
  const address = `/s${hash}`;
  const moment = momentInSearch(search);
  if (phase === 'ended' || phase === 'failed' || (documentId === null && error !== null)) {
    return (
      <>
        <TabTitle title="" />
        <WatchEnded watch={watch} />
      </>
    );
  }
  if (documentId === null || files === null) return <Opening />;
  // A link to edit or comment: the screen at its address asks people to sign in, and opens the page.
  if (role !== 'viewer') return <Navigate to={address} replace />;
  return (
    <>
      <TabTitle title={`History of ${shownTitle(title)}`} />
      {showsHistory ? (
        <main>
          <LinkHistoryPage
            key={moment}
            secret={secret}
            watch={watch}
            documentId={documentId}
            files={files}
            address={address}
            title={shownTitle(title)}
            moment={moment}
          />
        </main>
      ) : (
        <Standalone
          title={NO_HISTORY_BY_LINK}
          actions={
            <Link className="btn" to={address}>
              Back to page
            </Link>
          }
        >
          <p>Ask the person who sent you the link for one that does.</p>
        </Standalone>
      )}
    </>
  );
}

function Opening() {
  return (
    <main className="standalone">
      <Skeleton label="Opening the history" widths={['46%', '92%', '84%', '60%']} />
    </main>
  );
}

// The workspace's first screen: which pages people have open, the pages this person visited last, favourites, and what happened.
import Plus from 'lucide-react/icons/plus';
import { useEffect, useMemo } from 'react';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { workspaceHome } from '../../state/workspace/workspace-home.ts';
import { noPagesText } from '../../texts/error-texts.ts';
import { whileVisible } from '../../ui/browser/while-visible.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Activity } from './activity.tsx';
import { FavouritePages } from './favourite-pages.tsx';
import { OpenNow } from './open-now.tsx';
import { RecentPages } from './recent-pages.tsx';
import './home.css';

/** `onNewPage` is null for people who may not create pages here. */
export function HomePage({ onNewPage }: { readonly onNewPage: (() => void) | null }) {
  const { workspace, listAtom, refresh } = useWorkspace();
  const list = useValue(listAtom);
  const home = useHome();
  const pages = list.value?.documents ?? null;
  return (
    <div className="home">
      <h1>{list.value?.workspace.name ?? workspace.name}</h1>
      {pages === null && list.error === null && (
        <Skeleton label="Loading pages" widths={['46%', '78%', '64%', '70%']} />
      )}
      {pages === null && list.error !== null && (
        <EmptyState title={noPagesText(list.error)} actions={<Button onClick={() => void refresh()}>Try now</Button>}>
          <p>
            {list.error.code === 'WF001'
              ? 'Ask the person who gave you access.'
              : 'The list of pages is not on this device yet.'}
          </p>
        </EmptyState>
      )}
      {pages?.length === 0 && (
        <EmptyState
          title="No pages yet"
          actions={
            onNewPage !== null && (
              <Button look="primary" onClick={onNewPage}>
                <Plus className="icon" />
                New page
              </Button>
            )
          }
        >
          <p>
            {onNewPage === null
              ? 'Pages that are shared with you appear here.'
              : 'Start one, or drop Markdown files here.'}
          </p>
        </EmptyState>
      )}
      {pages !== null && pages.length > 0 && (
        <div className="home-columns">
          <div>
            <OpenNow pages={pages} home={home} />
            <RecentPages pages={pages} home={home} />
            <FavouritePages />
          </div>
          <Activity home={home} />
        </div>
      )}
    </div>
  );
}

/** Kept up to date while this screen is shown in a visible tab. */
function useHome() {
  const { store, home, listCache, timing, people } = usePerson();
  const { workspace, locationsAtom, onChange } = useWorkspace();
  const shown = useMemo(
    () => workspaceHome({ workspace: workspace.id, store, home, listCache, timing, people, locationsAtom, onChange }),
    [workspace, store, home, listCache, timing, people, locationsAtom, onChange],
  );
  useEffect(() => whileVisible(shown.follow), [shown]);
  return shown;
}

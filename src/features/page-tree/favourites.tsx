// The pages that this person marked as favourites, above the tree.
import { Link } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useLiveTitles, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { UnreadMark } from './unread-mark.tsx';

type FavouritesProps = { readonly current: DocumentId | null; readonly onChosen: () => void };

export function Favourites({ current, onChosen }: FavouritesProps) {
  const { workspace, favouritesAtom } = useWorkspace();
  const favourites = useValue(favouritesAtom);
  const titles = useLiveTitles();
  if (favourites.length === 0) return null;
  return (
    <section className="tree favourites" aria-label="Favourites">
      <header>
        <h2>Favourites</h2>
      </header>
      <ul>
        {favourites.map((page) => {
          const title = titles.get(page.id) ?? page.title;
          return (
            <li key={page.id} className="row" data-here={page.id === current || undefined}>
              <span className="leaf" />
              <PageIcon icon={page.icon} />
              <Link
                className="grow truncate"
                to={pagePath(workspace.slug, { id: page.id, title })}
                aria-current={page.id === current ? 'page' : undefined}
                onClick={onChosen}
              >
                {shownTitle(title)}
              </Link>
              <UnreadMark id={page.id} isClosed={false} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

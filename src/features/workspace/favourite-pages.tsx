// The first of this person's favourites. The sidebar has all of them.
import { Link } from 'react-router';
import { useLiveTitles, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';

const MAX_PAGES = 12;

export function FavouritePages() {
  const { workspace, favouritesAtom } = useWorkspace();
  const favourites = useValue(favouritesAtom).slice(0, MAX_PAGES);
  const titles = useLiveTitles();
  if (favourites.length === 0) return null;
  return (
    <section>
      <h2>Favourites</h2>
      <ul className="list">
        {favourites.map(({ id, title: listed, icon }) => {
          const title = titles.get(id) ?? listed;
          return (
            <li key={id}>
              <PageIcon icon={icon} />
              <Link className="page-name grow truncate" to={pagePath(workspace.slug, { id, title })}>
                <bdi>{shownTitle(title)}</bdi>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

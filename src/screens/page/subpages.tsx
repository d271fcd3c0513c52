// The children of the open page that this person may see, as links: live, in the order of the tree.
import { Link, useParams } from 'react-router';
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { WorkspaceId } from '../../protocol/ids.ts';
import {
  WorkspaceContext,
  useLiveTitles,
  useOpenWorkspace,
  usePage,
  usePerson,
  useValue,
  useWorkspace,
} from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';

export function SubpageList() {
  const { documentId } = usePage();
  const { workspace, indexAtom } = useWorkspace();
  const { pages, below } = useValue(indexAtom);
  const titles = useLiveTitles();
  const listed = (below.get(documentId) ?? []).flatMap((id) => pages.get(id) ?? []);
  if (listed.length === 0) return <p>No subpages yet.</p>;
  const titleOf = ({ id, title }: DocumentSummary) => titles.get(id) ?? title;
  return (
    <ul>
      {listed.map((page) => (
        <li key={page.id}>
          <Link to={pagePath(workspace.slug, { id: page.id, title: titleOf(page) })} draggable={false}>
            <PageIcon icon={page.icon} />
            <span className="truncate" dir="auto">
              {shownTitle(titleOf(page))}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The same list for the watch screen, which is outside of the workspace's layout. */
export function SubpagesOfWatched() {
  const { workspace: slug } = useParams();
  const listed = useValue(usePerson().workspacesAtom).value?.find((one) => one.slug === slug);
  return listed === undefined ? null : <OpenedSubpages workspace={listed.id} />;
}

function OpenedSubpages({ workspace }: { readonly workspace: WorkspaceId }) {
  const open = useOpenWorkspace(workspace);
  return open === null ? null : (
    <WorkspaceContext value={open}>
      <SubpageList />
    </WorkspaceContext>
  );
}

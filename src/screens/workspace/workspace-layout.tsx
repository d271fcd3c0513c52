// The layout of a workspace: finds it by its address, keeps it open, and renders the sidebar beside the screens.
import { atom } from 'jotai/vanilla';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useMatch, useNavigate, useParams } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { useImport } from '../../features/import-export/use-import.ts';
import { InboxProvider } from '../../features/inbox/inbox-provider.tsx';
import { MoveQuestionProvider } from '../../features/sharing/move-question-provider.tsx';
import type { DocumentSummary, Workspace } from '../../protocol/answers.ts';
import { newDocumentId } from '../../protocol/new-ids.ts';
import { LoadWarning } from '../../shell/load-warning.tsx';
import { NEW_PAGE } from '../../shell/new-page-state.ts';
import type { NewPageOptions, Shell } from '../../shell/shell-context.ts';
import { useScrollPlaces } from '../../shell/use-scroll-places.ts';
import { WorkspaceContext, useOpenWorkspace, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath, parsePageParam } from '../../state/workspace/page-address.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { treePlaceOf } from '../../state/workspace/tree/tree-moves.ts';
import { creationProblem } from '../../texts/creation-problem.ts';
import { textOf } from '../../texts/error-texts.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Toasts, toast } from '../../ui/floating/toast.tsx';
import { PageAhead } from '../page-ahead.tsx';
import { PaletteProvider } from '../palette/palette-provider.tsx';
import { RefusedChanges } from './refused-changes.tsx';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { WorkspaceUnavailable } from './workspace-unavailable.tsx';

// The router loads both as one file.
export { WorkspaceRouteFailed } from '../errors/failed-in-workspace.tsx';

export function WorkspaceLayout() {
  const person = usePerson();
  const { workspace: slug = '' } = useParams();
  const list = useValue(person.workspacesAtom);
  const workspaceAtom = useMemo(
    () =>
      atom((get) => {
        const listed = get(person.workspacesAtom).value?.find((one) => one.slug === slug);
        if (listed !== undefined) return listed;
        // Someone who lost access keeps seeing the open workspace while edits of theirs are only on this device. Read
        // last: this atom changes with every key.
        if (get(person.lostOnSignOutAtom).length === 0) return undefined;
        return person.workspaces.openValues().find((one) => one.workspace.slug === slug)?.workspace;
      }),
    [person, slug],
  );
  const workspace = useValue(workspaceAtom);
  if (workspace !== undefined) return <KnownWorkspace key={workspace.id} workspace={workspace} />;
  if (list.isFresh) return <WorkspaceUnavailable />;
  return (
    <main className="standalone">
      <PageAhead />
      {list.error === null ? (
        <Skeleton label="Opening the workspace" widths={['40%', '70%', '62%']} />
      ) : (
        <EmptyState
          level={1}
          title={textOf(list.error)}
          actions={<Button onClick={() => void person.refreshWorkspaces()}>Try now</Button>}
        >
          <p>This workspace is not on this device yet.</p>
        </EmptyState>
      )}
    </main>
  );
}

function KnownWorkspace({ workspace }: { readonly workspace: Workspace }) {
  const person = usePerson();
  const open = useOpenWorkspace(workspace.id);
  useEffect(() => person.rememberWorkspace(workspace.slug), [person, workspace.slug]);
  if (open === null) return null;
  return (
    <WorkspaceContext value={open}>
      <Layout />
    </WorkspaceContext>
  );
}

function Layout() {
  useScrollPlaces();
  const isPhone = useMedia(PHONE);
  const [isSidebarOpen, setSidebarOpen] = useState(true);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const page = useMatch('/w/:workspace/p/:page')?.params.page;
  const newPage = useNewPage(page === undefined ? null : parsePageParam(page));
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const openImported = useCallback(
    (imported: DocumentSummary) => void navigate(pagePath(workspace.slug, imported)),
    [navigate, workspace.slug],
  );
  const importFiles = useImport(openImported);
  const main = useRef<HTMLElement>(null);
  const [present, offerPresent] = useOffer();
  const [share, offerShare] = useOffer();
  /** The history takes the whole screen. */
  const hasSidebar = useMatch('/w/:workspace/p/:page/history') === null;
  const isSidebarVisible = isPhone ? isDrawerOpen : isSidebarOpen;
  const shell: Shell = {
    isSidebarOpen: isSidebarVisible,
    toggleSidebar: () => (isPhone ? setDrawerOpen(!isDrawerOpen) : setSidebarOpen(!isSidebarOpen)),
    newPage,
    importFiles,
    present,
    offerPresent,
    share,
    offerShare,
  };
  return (
    <InboxProvider>
      <MoveQuestionProvider>
        <PaletteProvider shell={shell}>
          <div className="app" data-side={hasSidebar && (isPhone || isSidebarOpen) ? 'open' : 'closed'}>
            <SkipLink target={main} />
            {hasSidebar && (
              <Sidebar
                current={page === undefined ? null : parsePageParam(page)}
                isOpen={isSidebarOpen}
                isDrawerOpen={isDrawerOpen}
                onDrawer={setDrawerOpen}
                onNewPage={(parent) => newPage(parent)}
              />
            )}
            <main id="page" className="main" ref={main} tabIndex={-1}>
              <Outlet context={shell} />
            </main>
            <LayerBoundary>
              <RefusedChanges />
              <Toasts />
              <LoadWarning />
            </LayerBoundary>
          </div>
        </PaletteProvider>
      </MoveQuestionProvider>
    </InboxProvider>
  );
}

/** An action that the screen inside offers to the palette, and its setter. */
function useOffer() {
  const [offered, setOffered] = useState<(() => void) | null>(null);
  const offer = useCallback((run: (() => void) | null) => setOffered(() => run), []);
  return [offered, offer] as const;
}

/**
 * Returns a function that creates a page as a subpage of `parent` and opens it. With null: as the next sibling of the page on
 * the screen, or first at the top of the tree if there is none or this person may create none beside it.
 */
function useNewPage(current: DocumentId | null) {
  const { workspace, createPage, indexAtom, renamePage } = useWorkspace();
  const { store } = usePerson();
  const navigate = useNavigate();
  const placeAfterCurrent = (): TreePlace => {
    const index = store.get(indexAtom);
    const { parent } = current === null ? { parent: null } : treePlaceOf(index, current);
    const mayCreateBeside = parent === null || mayEdit(index.pages.get(parent)?.role ?? null);
    return current !== null && mayCreateBeside ? { parent, after: current } : { parent: null, after: null };
  };
  return (parent: DocumentId | null, { title = '', onCreated }: NewPageOptions = {}) => {
    const id = newDocumentId();
    void createPage(parent === null ? placeAfterCurrent() : { parent }, id).then((answer) => {
      if (answer.ok) {
        if (title !== '') void renamePage(id, title);
        onCreated?.(id);
        return navigate(pagePath(workspace.slug, { id, title }), title === '' ? { state: NEW_PAGE } : {});
      }
      toast(creationProblem(answer.error));
      return undefined;
    });
  };
}

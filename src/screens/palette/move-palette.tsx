// “Move to…”: the palette of the pages that a page can move below, and the top level.
import FolderInput from 'lucide-react/icons/folder-input';
import Layers from 'lucide-react/icons/layers';
import Lock from 'lucide-react/icons/lock';
import { useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { pageEntry, recentPages, useTitledPages } from '../../features/palette/page-entries.tsx';
import { type NameMatch, nameSearch } from '../../features/palette/palette-search.ts';
import { Palette, type PaletteEntry, type PaletteGroup } from '../../features/palette/palette.tsx';
import { useMoveQuestion } from '../../features/sharing/move-question-provider.tsx';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { useMayCreatePages, useWorkspace } from '../../state/hooks.ts';
import { isOpenToWorkspace } from '../../state/workspace/tree/page-index.ts';
import { lastPlace } from '../../state/workspace/tree/places.ts';
import { isPlaceAllowed } from '../../state/workspace/tree/tree-moves.ts';
import { undoOf } from '../../state/workspace/tree/undo-steps.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { toastWithUndo } from '../../ui/floating/toast.tsx';

const MAX_PAGES = 12;
const MAX_RECENT = 5;

type MovePaletteProps = { readonly page: DocumentId; readonly onClose: () => void };

export function MovePalette({ page, onClose }: MovePaletteProps) {
  const { workspace, movePage } = useWorkspace();
  const index = useTitledPages();
  const askToMove = useMoveQuestion();
  const mayMoveToTop = useMayCreatePages();
  const { goals, search } = useMemo(() => {
    const allowed = Array.from(index.pages.values()).filter(
      (goal) => mayEdit(goal.role) && isPlaceAllowed(index, page, { parent: goal.id, after: null }),
    );
    const pages = new Map(allowed.map((goal) => [goal.id, goal]));
    return { goals: { ...index, pages }, search: nameSearch(allowed, ({ title }) => shownTitle(title)) };
  }, [index, page]);
  const moved = index.pages.get(page);
  const title = shownTitle(moved?.title ?? '');

  const moveTo = (parent: DocumentId | null, name: string) => {
    askToMove(page, parent, () => {
      const step = movePage(page, lastPlace(index, parent, page));
      const says = parent === null ? `Moved “${title}” to the top level` : `Moved “${title}” into “${name}”`;
      toastWithUndo(says, () => undoOf(step));
    });
  };
  const entryOf = (match: NameMatch<DocumentSummary>): PaletteEntry => {
    const { entry: goal } = match;
    const entry = pageEntry(match, index, () => moveTo(goal.id, shownTitle(goal.title)));
    // Otherwise the goal is restricted, and the page is not.
    if (isOpenToWorkspace(index, goal.id) || !isOpenToWorkspace(index, page)) return entry;
    return {
      ...entry,
      aside: (
        <span className="palette-note">
          <Lock className="icon" /> Fewer people have access
        </span>
      ),
    };
  };
  const top: PaletteEntry = {
    id: 'top',
    name: workspace.name,
    note: 'Top level',
    icon: <Layers className="icon" />,
    onChoose: () => moveTo(null, workspace.name),
  };
  const groupsOf = (query: string): readonly PaletteGroup[] =>
    query.trim() === ''
      ? [
          { title: 'Recent', entries: recentPages(goals, MAX_RECENT).map(entryOf) },
          { title: 'Anywhere', entries: mayMoveToTop && moved?.parentId !== null ? [top] : [] },
        ]
      : [{ title: 'Pages', entries: search.find(query, MAX_PAGES).map(entryOf) }];

  return (
    <Palette
      label={`Move “${title}” to…`}
      icon={<FolderInput className="icon" />}
      groupsOf={groupsOf}
      enterText="to move here"
      hasBeside={false}
      onClose={onClose}
    />
  );
}

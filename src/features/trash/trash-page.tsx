// The trash of a workspace: each page with what is below it, to look at, to restore, or to delete for good.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary, TrashEntry } from '../../protocol/answers.ts';
import { useLiveTitles, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { type Trash, trashOf } from '../../state/workspace/trash.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { listProblem, textOf } from '../../texts/error-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import '../../ui/theme/section-page.css';
import { DeleteDialog, EmptyDialog } from './delete-dialog.tsx';
import { TrashEntries, rowOf } from './trash-list.tsx';
import { whereTo } from './trash-texts.ts';
import './trash.css';

type TrashPageProps = { readonly onOpen: (page: DocumentSummary) => void };

/** The subject of a dialog. `next`: the page whose row gets the focus once this one's is gone. */
type Asked =
  | { readonly about: 'preview' | 'delete'; readonly entry: TrashEntry; readonly next: DocumentId | null }
  | { readonly about: 'empty'; readonly entries: readonly TrashEntry[] };

/** Loads late: it brings the code that draws whole pages. */
const PreviewDialog = latePart(async () => (await import('./preview-dialog.tsx')).PreviewDialog);

const MINUTE_MS = 60_000;

export function TrashPage({ onOpen }: TrashPageProps) {
  const { put } = useWorkspace();
  const trash = useTrash();
  const { entries, error } = useValue(trash.atom);
  const now = useNow(MINUTE_MS);
  const titles = useLiveTitles();
  const titleOf = ({ document }: TrashEntry) => shownTitle(titles.get(document.id) ?? document.title);
  const heading = useRef<HTMLHeadingElement>(null);
  const { asked, setAsked, focusLater, dialog } = useTrashDialog(heading);
  const deletable = entries?.filter(({ mayPurge }) => mayPurge) ?? [];
  const restore = async (entry: TrashEntry, next: DocumentId | null) => {
    const title = titleOf(entry);
    const answer = await trash.restore(entry.document.id);
    setAsked(null);
    if (!answer.ok) return toast(textOf(answer.error));
    put(answer.value);
    toast(`Restored “${title}”${whereTo(entry)}`, () => onOpen(answer.value), 'Open');
    focusLater(next);
  };
  return (
    <div className="section-page trash">
      <header>
        <h1 ref={heading} tabIndex={-1}>
          Trash
        </h1>
        {deletable.length > 0 && (
          <Button look="plain-danger" onClick={() => setAsked({ about: 'empty', entries: deletable })}>
            Empty trash
          </Button>
        )}
      </header>
      <p className="secondary">Pages stay here for 30 days, then they are deleted permanently.</p>
      <TrashState entries={entries} error={error} onRetry={() => void trash.load()} />
      {entries !== null && entries.length > 0 && (
        <TrashEntries
          entries={entries}
          titleOf={titleOf}
          now={now}
          onPreview={(entry, next) => setAsked({ about: 'preview', entry, next })}
          onRestore={(entry, next) => void restore(entry, next)}
          onDelete={(entry, next) => setAsked({ about: 'delete', entry, next })}
        />
      )}
      {asked?.about === 'preview' && (
        <PreviewDialog
          {...dialog}
          entry={asked.entry}
          title={titleOf(asked.entry)}
          now={now}
          onRestore={() => void restore(asked.entry, asked.next)}
          onDelete={() => setAsked({ ...asked, about: 'delete' })}
        />
      )}
      <LayerBoundary open={asked !== null} onDismiss={dialog.onClose}>
        {asked?.about === 'delete' && (
          <DeleteDialog {...dialog} entry={asked.entry} title={titleOf(asked.entry)} trash={trash} />
        )}
        {asked?.about === 'empty' && (
          <EmptyDialog
            {...dialog}
            entries={asked.entries}
            isSomeLeft={asked.entries.length < (entries?.length ?? 0)}
            trash={trash}
          />
        )}
      </LayerBoundary>
    </div>
  );
}

/** The dialog that is open, and where the focus goes after it. */
function useTrashDialog(heading: RefObject<HTMLElement | null>) {
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Moves the focus to the row of `next`, or else to the heading, if the button that had it is gone. */
  const focusLater = (next: DocumentId | null) =>
    requestAnimationFrame(() => document.activeElement === document.body && (rowOf(next) ?? heading.current)?.focus());
  const dialog = {
    onClose: () => setAsked(null),
    /** Null: to the button that opened it. */
    returnFocusTo() {
      if (asked === null || asked.about === 'empty') return null;
      return rowOf(asked.entry.document.id) ?? rowOf(asked.next);
    },
    onDeleted() {
      setAsked(null);
      focusLater(asked === null || asked.about === 'empty' ? null : asked.next);
    },
  };
  return { asked, setAsked, focusLater, dialog };
}

type TrashStateProps = {
  readonly entries: readonly TrashEntry[] | null;
  readonly error: WeftError | null;
  readonly onRetry: () => void;
};

/** What to say besides the entries, or in their place. */
function TrashState({ entries, error, onRetry }: TrashStateProps) {
  if (entries === null)
    return error === null ? (
      <Skeleton label="Loading the trash" widths={['70%', '62%', '78%']} />
    ) : (
      <EmptyState title={listProblem(error)} actions={<Button onClick={onRetry}>Try now</Button>}>
        <p>The trash is not on this device.</p>
      </EmptyState>
    );
  return (
    <>
      {error !== null && (
        <p role="status" className="trash-note">
          {listProblem(error)} This is what was known before.
        </p>
      )}
      {entries.length === 0 && <EmptyState title="The trash is empty" />}
    </>
  );
}

function useTrash(): Trash {
  const { store, directory, people } = usePerson();
  const { workspace, onChange, listAtom } = useWorkspace();
  const trash = useMemo(
    () => trashOf({ workspace: workspace.id, store, directory, people, onChange, pagesAtom: listAtom }),
    [workspace, store, directory, people, onChange, listAtom],
  );
  useEffect(() => {
    void trash.load();
    return trash.follow();
  }, [trash]);
  return trash;
}

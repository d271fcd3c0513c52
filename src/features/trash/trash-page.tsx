// The trash of a workspace: each page with what is below it, to restore or to delete for good.
import { useEffect, useId, useMemo, useState } from 'react';
import { shortDate } from '../../lib/text/times.ts';
import type { DocumentSummary, TrashEntry } from '../../protocol/answers.ts';
import { listProblem, textOf } from '../../protocol/errors.ts';
import { useAuthorNames, useNow, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';
import { trashOf } from '../../state/workspace/trash.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import '../../ui/theme/section-page.css';
import { DeleteDialog } from './delete-dialog.tsx';
import './trash.css';

type TrashPageProps = { readonly onRestored: (page: DocumentSummary) => void };

export function TrashPage({ onRestored }: TrashPageProps) {
  const { store, directory, people } = usePerson();
  const { workspace, onChange, put } = useWorkspace();
  const trash = useMemo(
    () => trashOf({ workspace: workspace.id, store, directory, people, onChange }),
    [workspace, store, directory, people, onChange],
  );
  useEffect(() => {
    void trash.load();
    return trash.follow();
  }, [trash]);
  const { entries, error } = useValue(trash.atom);
  const [deleted, setDeleted] = useState<TrashEntry | null>(null);
  const restore = async ({ document }: TrashEntry) => {
    const answer = await trash.restore(document.id);
    if (!answer.ok) return toast(textOf(answer.error));
    put(answer.value);
    toast(`Restored “${shownTitle(document.title)}”`);
    onRestored(answer.value);
  };
  return (
    <div className="section-page trash">
      <h1>Trash</h1>
      <p className="secondary">Pages stay here for 30 days, then they are deleted permanently.</p>
      {entries === null && error === null && <Skeleton label="Loading the trash" widths={['70%', '62%', '78%']} />}
      {entries === null && error !== null && (
        <EmptyState title={listProblem(error)} actions={<Button onClick={() => void trash.load()}>Try now</Button>}>
          <p>The trash is not on this device.</p>
        </EmptyState>
      )}
      {entries?.length === 0 && <EmptyState title="The trash is empty" />}
      {entries !== null && entries.length > 0 && (
        <ul className="trash-list" aria-label="Pages in the trash">
          {entries.map((entry) => (
            <TrashRow
              key={entry.document.id}
              entry={entry}
              onRestore={() => void restore(entry)}
              onDelete={() => setDeleted(entry)}
            />
          ))}
        </ul>
      )}
      {deleted !== null && (
        <LayerBoundary onDismiss={() => setDeleted(null)}>
          <DeleteDialog entry={deleted} trash={trash} onClose={() => setDeleted(null)} />
        </LayerBoundary>
      )}
    </div>
  );
}

type TrashRowProps = { readonly entry: TrashEntry; readonly onRestore: () => void; readonly onDelete: () => void };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEPT_DAYS = 30;

function TrashRow({ entry, onRestore, onDelete }: TrashRowProps) {
  const id = useId();
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const { document, trashedAt, trashedBy, pages } = entry;
  const title = shownTitle(document.title);
  const by = trashedBy === null ? null : nameOf(trashedBy);
  const daysLeft = Math.max(0, KEPT_DAYS - Math.floor((now - trashedAt) / DAY_MS));
  const facts = [
    `${by === null ? '' : `${by}, `}${shortDate(trashedAt, now)}`,
    ...(pages === 0 ? [] : [pages === 1 ? '1 page inside' : `${pages} pages inside`]),
    ...(entry.restoresToTop
      ? ['restores to the top level']
      : entry.parentTitle === null
        ? []
        : [`was in ${shownTitle(entry.parentTitle)}`]),
  ];
  return (
    <li className="trash-row">
      <p className="grow">
        <b id={id} className="truncate">
          {title}
        </b>
        <small>{facts.join(' · ')}</small>
      </p>
      <small className="tabular hide-on-phones">{daysLeft === 1 ? '1 day left' : `${daysLeft} days left`}</small>
      <Button size="small" aria-describedby={id} onClick={onRestore}>
        Restore
      </Button>
      {entry.mayPurge && (
        <Button size="small" look="plain-danger" aria-describedby={id} onClick={onDelete}>
          Delete permanently
        </Button>
      )}
    </li>
  );
}

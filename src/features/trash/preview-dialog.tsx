// A page in the trash as it would come back, to look at before it is restored or deleted.
import Trash from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { StaticBody } from '../../editor/reading/static-body.tsx';
import type { TrashEntry } from '../../protocol/answers.ts';
import { useAuthorNames, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePreview } from '../../state/page/page-preview.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { listProblem } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { daysLeft, factsOf } from './trash-texts.ts';

type PreviewDialogProps = {
  readonly entry: TrashEntry;
  /** As the list shows it. */
  readonly title: string;
  /** The days left are counted from then. */
  readonly now: number;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
  readonly returnFocusTo: () => HTMLElement | null;
};

export function PreviewDialog(props: PreviewDialogProps) {
  const { entry, now, onRestore, onDelete, onClose, returnFocusTo } = props;
  const { workspace } = useWorkspace();
  const nameOf = useAuthorNames();
  const preview = usePreview(entry);
  /** Gets the focus, so that keys scroll it. */
  const text = useRef<HTMLElement>(null);
  const { page, error } = useValue(preview.atom);
  // The list has the title of the page's text copy, which may be older than its last edits.
  const title = page === null ? props.title : shownTitle(page.title);
  return (
    <Dialog title={title} open size="large" focus={text} onOpenChange={onClose} returnFocusTo={returnFocusTo}>
      <section ref={text} className="trash-preview" aria-label="Page in the trash" tabIndex={-1}>
        <small className="secondary">
          {factsOf(entry, now, nameOf)} · {daysLeft(entry, now)}
        </small>
        {page === null && error === null && <Skeleton label="Loading the page" widths={['96%', '92%', '40%']} />}
        {error !== null && (
          <EmptyState title={listProblem(error)} actions={<Button onClick={() => void preview.load()}>Try now</Button>}>
            <p>The page can’t be shown now.</p>
          </EmptyState>
        )}
        {page !== null && <PreviewBody entry={entry} blocks={page.blocks} />}
      </section>
      <footer>
        <Link className="btn" data-look="plain" to={pagePath(workspace.slug, { id: entry.document.id, title })}>
          Open page
        </Link>
        <span className="grow hide-on-phones" />
        {entry.mayPurge && (
          <Button look="plain-danger" onClick={onDelete}>
            <Trash className="icon" aria-hidden />
            Delete permanently
          </Button>
        )}
        {mayEdit(entry.document.role) && (
          <Button look="primary" onClick={onRestore}>
            <Undo2 className="icon" aria-hidden />
            Restore
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

function usePreview({ document }: TrashEntry) {
  const { store, pageReader } = usePerson();
  const preview = useMemo(
    () => pagePreview({ document: document.id, store, reader: pageReader }),
    [document.id, store, pageReader],
  );
  useEffect(() => void preview.load(), [preview]);
  return preview;
}

type PreviewBodyProps = Pick<PreviewDialogProps, 'entry'> & Pick<Parameters<typeof StaticBody>[0], 'blocks'>;

function PreviewBody({ entry: { document, isEmpty }, blocks }: PreviewBodyProps) {
  const { filesOf } = usePerson();
  const files = useMemo(() => filesOf(document.id), [filesOf, document.id]);
  useEffect(() => files.close, [files]);
  if (isEmpty || blocks.length === 0) return <p className="secondary">This page is empty.</p>;
  return <StaticBody blocks={blocks} page={`preview:${document.id}`} files={files} />;
}

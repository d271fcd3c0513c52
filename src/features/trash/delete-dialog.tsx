// Asks before pages are deleted for good: the button says how many.
import { counted } from '../../lib/text/counted.ts';
import type { TrashEntry } from '../../protocol/answers.ts';
import type { Trash } from '../../state/workspace/trash.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { pagesOf, withHistory } from './trash-texts.ts';

type QuestionProps = {
  readonly trash: Trash;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
  readonly returnFocusTo: () => HTMLElement | null;
};

type DeleteDialogProps = QuestionProps & { readonly entry: TrashEntry; readonly title: string };

export function DeleteDialog({ entry, title, trash, onClose, onDeleted, returnFocusTo }: DeleteDialogProps) {
  const pages = pagesOf(entry);
  const inside =
    pages === 1
      ? 'This page is'
      : `This page and the ${pages === 2 ? 'page' : counted(pages - 1, 'page')} inside it are`;
  return (
    <ConfirmDialog
      title={`Delete “${title}” permanently?`}
      action={`Delete ${pages === 1 ? 'page' : counted(pages, 'page')}`}
      onConfirm={async () => {
        const answer = await trash.purge(entry.document.id);
        if (answer.ok) toast(`“${title}” deleted permanently`);
        return problemOf(answer);
      }}
      onClose={onClose}
      onDone={onDeleted}
      returnFocusTo={returnFocusTo}
    >
      {inside} deleted with {withHistory(pages, entry.files)}. This can’t be undone.
    </ConfirmDialog>
  );
}

type EmptyDialogProps = QuestionProps & {
  /** The entries to delete: those listed when the question was asked that this person may delete. */
  readonly entries: readonly TrashEntry[];
  /** Something is left that others manage. */
  readonly isSomeLeft: boolean;
};

export function EmptyDialog({ entries, isSomeLeft, trash, onClose, onDeleted, returnFocusTo }: EmptyDialogProps) {
  const pages = entries.reduce((sum, entry) => sum + pagesOf(entry), 0);
  const files = entries.reduce((sum, entry) => sum + entry.files, 0);
  return (
    <ConfirmDialog
      title="Empty the trash?"
      action={`Delete ${counted(pages, 'page')}`}
      onConfirm={async () => {
        const answer = await trash.empty(entries);
        if (answer.ok) toast(`${counted(answer.value.pages, 'page')} deleted permanently`);
        return problemOf(answer);
      }}
      onClose={onClose}
      onDone={onDeleted}
      returnFocusTo={returnFocusTo}
    >
      {counted(pages, 'page')} {pages === 1 ? 'is' : 'are'} deleted with {withHistory(pages, files)}. This can’t be
      undone.
      {isSomeLeft && ' Pages that you can’t manage stay.'}
    </ConfirmDialog>
  );
}

// Asks before pages are deleted for good, with their number in the button.
import type { TrashEntry } from '../../protocol/answers.ts';
import { problemOf } from '../../protocol/errors.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';
import type { Trash } from '../../state/workspace/trash.ts';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';

type DeleteDialogProps = { readonly entry: TrashEntry; readonly trash: Trash; readonly onClose: () => void };

export function DeleteDialog({ entry, trash, onClose }: DeleteDialogProps) {
  const { pages, files } = entry;
  const inside =
    pages === 0 ? 'This page is' : `This page and the ${pages === 1 ? 'page' : `${pages} pages`} inside it are`;
  const withFiles = files === 0 ? 'history' : `history and ${files === 1 ? '1 file' : `${files} files`}`;
  return (
    <ConfirmDialog
      title={`Delete “${shownTitle(entry.document.title)}” permanently?`}
      action={`Delete ${pages === 0 ? 'page' : `${pages + 1} pages`}`}
      onConfirm={async () => problemOf(await trash.purge(entry.document.id))}
      onClose={onClose}
    >
      {inside} deleted with {pages === 0 ? 'its' : 'their'} {withFiles}. This can’t be undone.
    </ConfirmDialog>
  );
}

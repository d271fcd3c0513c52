// Asks before pages are deleted for good, with their number in the button.
import { useState } from 'react';
import type { TrashEntry } from '../../protocol/answers.ts';
import { textOf } from '../../protocol/errors.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';
import type { Trash } from '../../state/workspace/trash.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';

type DeleteDialogProps = { readonly entry: TrashEntry; readonly trash: Trash; readonly onClose: () => void };

export function DeleteDialog({ entry, trash, onClose }: DeleteDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { pages, files } = entry;
  const purge = async () => {
    setBusy(true);
    const answer = await trash.purge(entry.document.id);
    setBusy(false);
    if (answer.ok) onClose();
    else setProblem(textOf(answer.error));
  };
  const inside =
    pages === 0 ? 'This page is' : `This page and the ${pages === 1 ? 'page' : `${pages} pages`} inside it are`;
  const withFiles = files === 0 ? 'history' : `history and ${files === 1 ? '1 file' : `${files} files`}`;
  return (
    <Dialog
      title={`Delete “${shownTitle(entry.document.title)}” permanently?`}
      open
      size="small"
      onOpenChange={onClose}
    >
      <section>
        <p>
          {inside} deleted with {pages === 0 ? 'its' : 'their'} {withFiles}. This can’t be undone.
        </p>
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy} onClick={() => void purge()}>
          Delete {pages === 0 ? 'page' : `${pages + 1} pages`}
        </Button>
      </footer>
    </Dialog>
  );
}

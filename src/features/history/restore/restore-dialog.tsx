// Asks before a whole page is restored: others may be writing, and see it change.
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { type Who, namesOf } from '../who.ts';

type RestoreDialogProps = {
  /** "yesterday, 18:42". */
  readonly moment: string;
  readonly editsSince: number;
  /** Others who have the page open. */
  readonly others: readonly Who[];
  /** Resolves with an error text, or null. */
  readonly onRestore: () => Promise<string | null>;
  readonly onCopy: (() => void) | null;
  readonly onClose: () => void;
};

export function RestoreDialog({ moment, editsSince, others, onRestore, onCopy, onClose }: RestoreDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    const wrong = await onRestore();
    setBusy(false);
    setProblem(wrong);
    if (wrong === null) onClose();
  };
  return (
    <Dialog title={`Restore the version from ${moment}?`} open size="small" onOpenChange={onClose}>
      <section>
        <p>The page changes back to this version. {stayText(editsSince)} in history, and you can undo this.</p>
        {others.length > 0 && (
          <p>
            {namesOf(others)} {others.length === 1 ? 'has' : 'have'} the page open and will see it change. What they
            write meanwhile stays.
          </p>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        {onCopy !== null && (
          <Button
            onClick={() => {
              onClose();
              onCopy();
            }}
          >
            Copy as new page
          </Button>
        )}
        <Button look="primary" disabled={isBusy} onClick={() => void restore()}>
          Restore page
        </Button>
      </footer>
    </Dialog>
  );
}

const stayText = (edits: number): string =>
  edits === 1 ? 'The edit since then stays' : `The ${edits.toLocaleString('en')} edits since then stay`;

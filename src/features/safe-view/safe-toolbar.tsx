// Deletes the chosen blocks and takes the last deletion back. Stays in view while the list is scrolled.
import { useSyncExternalStore } from 'react';
import type { BlockDeletions } from 'weft-document/body/block-deletions.ts';
import { counted } from '../../lib/text/counted.ts';
import { Button } from '../../ui/controls/button.tsx';

type SafeToolbarProps = {
  readonly deletions: BlockDeletions;
  /** How many blocks are chosen. */
  readonly chosen: number;
  /** Text that says what happened last; screen readers read it aloud. */
  readonly announcement: string;
  readonly onDelete: () => void;
  readonly onClear: () => void;
  readonly onUndo: () => void;
};

export function SafeToolbar({ deletions, chosen, announcement, onDelete, onClear, onUndo }: SafeToolbarProps) {
  const isBusy = useSyncExternalStore(deletions.subscribe, deletions.isBusy);
  const canUndo = useSyncExternalStore(deletions.subscribe, deletions.canUndo);
  return (
    <div className="safe-toolbar" data-empty={chosen === 0 && !canUndo && !isBusy && announcement === ''}>
      <p role="status" className="grow">
        {isBusy ? 'Working …' : chosen > 0 ? chosenText(chosen) : announcement}
      </p>
      {chosen > 0 && (
        <>
          <Button look="plain" disabled={isBusy} onClick={onClear}>
            Clear
          </Button>
          <Button look="danger" disabled={isBusy} onClick={onDelete}>
            {chosen === 1 ? 'Delete 1 block' : `Delete ${chosen.toLocaleString('en')} blocks`}
          </Button>
        </>
      )}
      {chosen === 0 && canUndo && (
        <Button disabled={isBusy} onClick={onUndo}>
          Undo deletion
        </Button>
      )}
    </div>
  );
}

const chosenText = (chosen: number) => counted(chosen, 'block chosen', 'blocks chosen');

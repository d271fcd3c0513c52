// Handles the keys on the rows; `tree-keys.ts` says which key asks for what.
import type { KeyboardEvent } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { rowOfEvent } from './row-of-event.ts';
import { stepOf } from './tree-keys.ts';
import type { RowActions } from './use-row-actions.ts';
import type { VisibleRow } from './visible-rows.ts';

type RowKeysOptions = {
  readonly rows: readonly VisibleRow[];
  readonly actions: RowActions;
  readonly focus: (row: DocumentId) => void;
  readonly duplicate: (page: DocumentId) => void;
};

/** The handler of `onKeyDown`. */
export function useRowKeys({ rows, actions, focus, duplicate }: RowKeysOptions): (event: KeyboardEvent) => void {
  const { closedRows, indexAtom } = useWorkspace();
  const { store } = usePerson();
  return (event) => {
    const step = stepOf(rows, store.get(indexAtom), rowOfEvent(event), event);
    if (step === null) return;
    event.preventDefault();
    switch (step.do) {
      case 'focus':
        return focus(step.id);
      case 'open':
      case 'close':
        return closedRows.setOpen(step.id, step.do === 'open');
      case 'newPage':
        return actions.addPage(step.id);
      case 'rename':
        return actions.beginRenaming(step.id);
      case 'duplicate':
        return duplicate(step.id);
      case 'trash':
        return actions.trash(step.id);
      case 'undo':
        return void actions.undo();
      case 'move':
        actions.move(step.id, step.to, true);
        return focus(step.id);
    }
  };
}

// Handles mouse, pen and touch on the rows: opens a page, a row or its menu, adds a page, drags a row to another place.
import { type MouseEvent, type PointerEvent, type RefObject, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { dropGoal } from './drop-goal.ts';
import { buttonOfEvent, rowOfEvent } from './row-of-event.ts';
import { useLongPress } from './use-long-press.ts';
import type { RowActions } from './use-row-actions.ts';
import { useRowDrag } from './use-row-drag.ts';
import type { VisibleRow } from './visible-rows.ts';

/** The same number is in page-tree.css. */
const INDENT_PX = 16;

type RowPointerOptions = {
  readonly tree: RefObject<HTMLElement | null>;
  readonly rows: readonly VisibleRow[];
  readonly rowHeight: number;
  readonly actions: RowActions;
  readonly openMenu: (row: DocumentId) => void;
  /** Called when the person chose a page. */
  readonly onChosen: () => void;
};

export function useRowPointer({ tree, rows, rowHeight, actions, openMenu, onChosen }: RowPointerOptions) {
  const { closedRows, indexAtom } = useWorkspace();
  const { store } = usePerson();
  /** The row that was just clicked: its buttons stay away until the pointer moves, because the person is done there. */
  const [clicked, setClicked] = useState<DocumentId | null>(null);
  const longPress = useLongPress(openMenu);
  const { drag, start, isClickOfDrag } = useRowDrag({
    tree,
    rowHeight,
    indent: INDENT_PX,
    goalAt: (id, pointer) => dropGoal(rows, store.get(indexAtom), id, pointer),
    onDrop: (id, goal) => actions.move(id, goal.place, false),
    onRest: (id) => closedRows.setOpen(id, true),
  });
  const choose = (row: DocumentId | null) => {
    if (row === null) return;
    setClicked(row);
    onChosen();
  };
  const handlers = {
    onClickCapture: (event: MouseEvent) => {
      if (isClickOfDrag(event)) event.preventDefault();
    },
    onClick: (event: MouseEvent) => {
      if (isClickOfDrag(event)) return;
      const { act, page } = buttonOfEvent(event);
      if (page === null) choose(rowOfEvent(event));
      else if (act === 'toggle') closedRows.setOpen(page, store.get(closedRows.atom).has(page));
      else if (act === 'menu') openMenu(page);
      else if (act === 'new') actions.addPage(page);
    },
    onContextMenu: (event: MouseEvent) => {
      const row = rowOfEvent(event);
      if (row === null) return;
      event.preventDefault();
      longPress.noticed();
      openMenu(row);
    },
    onPointerMove: () => setClicked(null),
    onPointerDown: (event: PointerEvent) => {
      const row = rowOfEvent(event);
      longPress.start(event, row);
      start(event, row !== null && actions.mayEditPage(row) ? row : null);
    },
  };
  return { clicked, drag, handlers };
}

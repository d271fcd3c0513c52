// The tools of a table: handles with menus for the row and column of a cell and for the table, the column's edge, and
// buttons that add a row or column. They are drawn over the page next to the text, not inside it.
import type { Editor } from '@tiptap/core';
import GripHorizontal from 'lucide-react/icons/grip-horizontal';
import GripVertical from 'lucide-react/icons/grip-vertical';
import Plus from 'lucide-react/icons/plus';
import Table from 'lucide-react/icons/table-2';
import { type MouseEvent, useEffect, useRef, useSyncExternalStore } from 'react';
import { Menu, MenuSeparator } from '../../ui/floating/menu.tsx';
import type { EditContext } from '../binding/edit-context.ts';
import { columnCount } from '../schema/table-position.ts';
import { ColumnEdge } from './column-edge.tsx';
import { insertLines } from './table-commands.ts';
import { ColumnItems, type ItemsProps, RowItems, TableItems } from './table-menus.tsx';
import { tableTracker } from './table-tracker.ts';
import './table-tools.css';

/** The handles are 24 px thick, a usable target for the pointer, and start this far outside. */
const OUTSIDE_PX = 25;

type ToolsProps = { readonly editor: Editor; readonly context: EditContext; readonly uiCommands: EventTarget };

/** `uiCommands` dispatches `table-menu` when a key asks for the menu. */
export function TableTools({ editor, context, uiCommands }: ToolsProps) {
  const tracker = tableTracker(editor);
  const position = useSyncExternalStore(tracker.subscribe, tracker.get);
  const corner = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // If the pointer was elsewhere, the cell of the caret is known one frame later.
    const open = () => requestAnimationFrame(() => corner.current?.click());
    uiCommands.addEventListener('table-menu', open);
    return () => uiCommands.removeEventListener('table-menu', open);
  }, [uiCommands]);
  if (position === null) return null;
  const props = { editor, context, position };
  const { box, columnIndex } = position;
  return (
    <div className="table-tools" role="toolbar" aria-label="Table tools" onMouseDown={keepFocus}>
      <Menu
        trigger={
          <button
            ref={corner}
            type="button"
            className="table-handle"
            aria-label="Table"
            title="Table"
            style={{ left: box.left - OUTSIDE_PX, top: box.top - OUTSIDE_PX, width: 24, height: 24 }}
          >
            <Table aria-hidden size={12} />
          </button>
        }
      >
        <RowItems {...props} line={null} />
        <MenuSeparator />
        <ColumnItems {...props} line={null} />
        <MenuSeparator />
        <TableItems {...props} line={null} />
      </Menu>
      <RowHandle {...props} />
      <ColumnHandle {...props} />
      <ColumnEdge key={columnIndex} {...props} />
      <AddButtons {...props} />
    </div>
  );
}

type PartProps = Omit<ItemsProps, 'line'>;

function RowHandle(props: PartProps) {
  const { box, row, rowIndex } = props.position;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="table-handle"
          aria-label={`Row ${rowIndex + 1}`}
          title="Row"
          style={{ left: box.left - OUTSIDE_PX, top: row.from + 1, width: 24, height: Math.max(24, row.size - 2) }}
        >
          <GripVertical aria-hidden size={12} />
        </button>
      }
    >
      <RowItems {...props} line="row" />
      <MenuSeparator />
      <TableItems {...props} line="row" />
    </Menu>
  );
}

function ColumnHandle(props: PartProps) {
  const { box, column, columnIndex } = props.position;
  // All but a sliver of the column is scrolled out of view.
  if (column.size <= 12) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="table-handle"
          data-line="column"
          aria-label={`Column ${columnIndex + 1}`}
          title="Column"
          style={{ left: column.from + 1, top: box.top - OUTSIDE_PX, width: column.size - 2, height: 24 }}
        >
          <GripHorizontal aria-hidden size={12} />
        </button>
      }
    >
      <ColumnItems {...props} line="column" />
      <MenuSeparator />
      <TableItems {...props} line="column" />
    </Menu>
  );
}

function AddButtons({ editor, context, position: { box } }: PartProps) {
  const add = (line: 'row' | 'column') => {
    const target = tableTracker(editor).target();
    if (target === null) return;
    const at = line === 'row' ? target.table.node.childCount : columnCount(target.table.node);
    insertLines(editor.view, context, target, line, at);
    editor.view.focus();
  };
  return (
    <>
      <button
        type="button"
        className="table-add"
        aria-label="Add a row at the end"
        title="Add a row"
        style={{ left: box.left, top: box.top + box.height + 1, width: box.width, height: 24 }}
        onClick={() => add('row')}
      >
        <Plus aria-hidden size={12} />
      </button>
      <button
        type="button"
        className="table-add"
        data-line="column"
        aria-label="Add a column at the end"
        title="Add a column"
        style={{ left: box.left + box.width + 1, top: box.top, width: 24, height: box.height }}
        onClick={() => add('column')}
      >
        <Plus aria-hidden size={12} />
      </button>
    </>
  );
}

/** A click on the tools leaves the focus in the text; only the column's edge takes it, for its arrow keys. */
const keepFocus = (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('[role="separator"]') === null) event.preventDefault();
};

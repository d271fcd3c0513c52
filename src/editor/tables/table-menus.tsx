// Menu items for rows, columns and tables.
import type { Editor } from '@tiptap/core';
import type { LucideIcon } from 'lucide-react';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Copy from 'lucide-react/icons/copy';
import Eraser from 'lucide-react/icons/eraser';
import FoldHorizontal from 'lucide-react/icons/fold-horizontal';
import Plus from 'lucide-react/icons/plus';
import TextAlign from 'lucide-react/icons/text-align-center';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect } from 'react';
import type { Alignment } from 'weft-document/blocks/block.ts';
import type { LineKind } from 'weft-document/tables/table-grid.ts';
import { MenuCheckItem, MenuItem, MenuLabel, SubMenu } from '../../ui/floating/menu.tsx';
import type { EditContext } from '../binding/edit-context.ts';
import { focusAfterMenu } from '../floating/focus-after-menu.ts';
import {
  type TableTarget,
  alignColumns,
  clearLine,
  deleteLines,
  deleteTable,
  duplicateLine,
  insertLines,
  moveLine,
  setColumnWidth,
  toggleHeader,
  wholeLine,
} from './table-commands.ts';
import { tintCells } from './table-decorations.ts';
import { selectCells } from './table-selection.ts';
import { type TableToolsPosition, tableTracker } from './table-tracker.ts';

export type ItemsProps = {
  readonly editor: Editor;
  readonly context: EditContext;
  readonly position: TableToolsPosition;
  /** The menu acts on the whole row or column of the cell, whatever is selected; null: on the selected cells. */
  readonly line: LineKind | null;
};

/** The cells that the menu acts on, in the current state of the page: others may have edited it while the menu was open. */
function targetOf({ editor, line }: Pick<ItemsProps, 'editor' | 'line'>): TableTarget | null {
  const target = tableTracker(editor).target();
  return target === null || line === null ? target : wholeLine(target, line);
}

const onTarget = (props: Pick<ItemsProps, 'editor' | 'line'>, run: (target: TableTarget) => unknown) => () => {
  const target = targetOf(props);
  if (target !== null) run(target);
};

export function RowItems(props: ItemsProps) {
  const { editor, context, position } = props;
  const { view } = editor;
  const insert = (side: 'top' | 'bottom') =>
    onTarget(props, (target) => insertLines(view, context, target, 'row', target.rect[side]));
  const move = (by: 1 | -1) => onTarget(props, (target) => moveLine(view, context, target, 'row', by));
  const { top, bottom } = props.line === null ? position.rect : lineAt(position.rowIndex);
  return (
    <>
      <MenuLabel>{namesOf('Row', top, bottom)}</MenuLabel>
      <Item editor={editor} icon={Plus} name="Insert row above" run={insert('top')} />
      <Item editor={editor} icon={Plus} name="Insert row below" run={insert('bottom')} />
      <Item editor={editor} icon={ArrowUp} name="Move row up" run={move(-1)} />
      <Item editor={editor} icon={ArrowDown} name="Move row down" run={move(1)} />
      <SharedItems {...props} of="row" isMany={bottom - top > 1} isAll={bottom - top >= position.rows} />
    </>
  );
}

export function ColumnItems(props: ItemsProps) {
  const { editor, context, position } = props;
  const { view } = editor;
  const insert = (side: 'left' | 'right') =>
    onTarget(props, (target) => insertLines(view, context, target, 'column', target.rect[side]));
  const move = (by: 1 | -1) => onTarget(props, (target) => moveLine(view, context, target, 'column', by));
  const { left, right } = props.line === null ? position.rect : lineAt(position.columnIndex);
  return (
    <>
      <MenuLabel>{namesOf('Column', left, right)}</MenuLabel>
      <Item editor={editor} icon={Plus} name="Insert column left" run={insert('left')} />
      <Item editor={editor} icon={Plus} name="Insert column right" run={insert('right')} />
      <Item editor={editor} icon={ArrowLeft} name="Move column left" run={move(-1)} />
      <Item editor={editor} icon={ArrowRight} name="Move column right" run={move(1)} />
      <AlignmentMenu {...props} />
      <Item
        editor={editor}
        icon={FoldHorizontal}
        name="Reset column width"
        run={onTarget(props, (target) => setColumnWidth(view, context, target.table, target.column, null))}
      />
      <SharedItems {...props} of="column" isMany={right - left > 1} isAll={right - left >= position.columns} />
    </>
  );
}

const lineAt = (index: number) => ({ top: index, left: index, bottom: index + 1, right: index + 1 });

/** From 1; `end` is exclusive. */
const namesOf = (kind: 'Row' | 'Column', start: number, end: number): string =>
  end - start > 1 ? `${kind}s ${start + 1} to ${end}` : `${kind} ${start + 1}`;

const ALIGNMENT_NAMES = [
  { name: 'Left', value: null },
  { name: 'Center', value: 'center' },
  { name: 'Right', value: 'right' },
] as const;

function AlignmentMenu(props: ItemsProps) {
  const { editor, context, position } = props;
  const align = (value: Alignment | null) => {
    onTarget(props, (target) => alignColumns(editor.view, context, target, value))();
    focusAfterMenu(editor);
  };
  return (
    <SubMenu icon={<TextAlign className="icon" aria-hidden size={16} />} label="Align">
      {ALIGNMENT_NAMES.map(({ name, value }) => (
        <MenuCheckItem key={name} checked={position.alignment === value} onCheckedChange={() => align(value)}>
          {name}
        </MenuCheckItem>
      ))}
    </SubMenu>
  );
}

export function TableItems(props: ItemsProps) {
  const { editor, context, position } = props;
  const { view } = editor;
  const toggle = (line: LineKind) => {
    onTarget(props, ({ table }) => toggleHeader(view, context, table, line))();
    focusAfterMenu(editor);
  };
  return (
    <>
      <Tint editor={editor} line={props.line} />
      <MenuCheckItem checked={position.headRow} onCheckedChange={() => toggle('row')}>
        Header row
      </MenuCheckItem>
      <MenuCheckItem checked={position.headColumn} onCheckedChange={() => toggle('column')}>
        Header column
      </MenuCheckItem>
      <Item
        editor={editor}
        icon={Trash2}
        name="Delete table"
        run={onTarget(props, ({ table }) => deleteTable(view, table))}
      />
    </>
  );
}

/** Shows which cells the menu acts on while it is open. */
function Tint({ editor, line }: Pick<ItemsProps, 'editor' | 'line'>) {
  useEffect(() => {
    const { view } = editor;
    const target = targetOf({ editor, line });
    if (target !== null) tintCells(view, selectCells(view.state.doc, target.table, target.rect));
    return () => tintCells(view, null);
  }, [editor, line]);
  return null;
}

type SharedItemsProps = ItemsProps & {
  readonly of: LineKind;
  readonly isMany: boolean;
  /** All rows or columns: only the whole table can be deleted then. */
  readonly isAll: boolean;
};

function SharedItems({ of, isMany, isAll, ...props }: SharedItemsProps) {
  const { editor, context } = props;
  const name = isMany ? `${of}s` : of;
  const on = (run: typeof duplicateLine | typeof clearLine | typeof deleteLines) =>
    onTarget(props, (target) => run(editor.view, context, target, of));
  return (
    <>
      <Item editor={editor} icon={Copy} name={`Duplicate ${of}`} run={on(duplicateLine)} />
      <Item editor={editor} icon={Eraser} name={`Clear ${name}`} run={on(clearLine)} />
      {!isAll && <Item editor={editor} icon={Trash2} name={`Delete ${name}`} run={on(deleteLines)} />}
    </>
  );
}

type ItemProps = {
  readonly editor: Editor;
  readonly icon: LucideIcon;
  readonly name: string;
  readonly run: () => unknown;
};

function Item({ editor, icon: Icon, name, run }: ItemProps) {
  const select = () => {
    run();
    focusAfterMenu(editor);
  };
  return (
    <MenuItem icon={<Icon className="icon" aria-hidden size={16} />} onSelect={select}>
      {name}
    </MenuItem>
  );
}

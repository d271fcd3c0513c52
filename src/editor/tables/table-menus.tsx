// Menu items for rows, columns and tables.
import type { Editor } from '@tiptap/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Copy from 'lucide-react/icons/copy';
import Eraser from 'lucide-react/icons/eraser';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import TextAlign from 'lucide-react/icons/text-align-center';
import FoldHorizontal from 'lucide-react/icons/fold-horizontal';
import type { LucideIcon } from 'lucide-react';
import type { Alignment } from '../../document/blocks/block.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { MenuCheckItem, MenuItem, SubMenu } from '../../ui/floating/menu.tsx';
import {
  type LineKind,
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
} from './table-commands.ts';
import { type TableToolsPosition, tableTracker } from './table-tracker.ts';

export type ItemsProps = {
  readonly editor: Editor;
  readonly context: EditContext;
  readonly position: TableToolsPosition;
};

/**
 * Runs on the cell that the menu belongs to, in the current state of the page: others may have edited it while the menu
 * was open.
 */
const onTarget = (editor: Editor, run: (target: TableTarget) => unknown) => () => {
  const target = tableTracker(editor).target();
  if (target !== null) run(target);
};

export function RowItems({ editor, context, position: { isManyRows } }: ItemsProps) {
  const { view } = editor;
  const insert = (side: 'top' | 'bottom') =>
    onTarget(editor, (target) => insertLines(view, context, target, 'row', target.rect[side]));
  const move = (by: 1 | -1) => onTarget(editor, (target) => moveLine(view, context, target, 'row', by));
  return (
    <>
      <Item editor={editor} icon={Plus} name="Insert row above" run={insert('top')} />
      <Item editor={editor} icon={Plus} name="Insert row below" run={insert('bottom')} />
      <Item editor={editor} icon={ArrowUp} name="Move row up" run={move(-1)} />
      <Item editor={editor} icon={ArrowDown} name="Move row down" run={move(1)} />
      <SharedItems editor={editor} context={context} line="row" name={isManyRows ? 'rows' : 'row'} />
    </>
  );
}

export function ColumnItems({ editor, context, position }: ItemsProps) {
  const { view } = editor;
  const insert = (side: 'left' | 'right') =>
    onTarget(editor, (target) => insertLines(view, context, target, 'column', target.rect[side]));
  const move = (by: 1 | -1) => onTarget(editor, (target) => moveLine(view, context, target, 'column', by));
  return (
    <>
      <Item editor={editor} icon={Plus} name="Insert column left" run={insert('left')} />
      <Item editor={editor} icon={Plus} name="Insert column right" run={insert('right')} />
      <Item editor={editor} icon={ArrowLeft} name="Move column left" run={move(-1)} />
      <Item editor={editor} icon={ArrowRight} name="Move column right" run={move(1)} />
      <AlignmentMenu editor={editor} context={context} position={position} />
      <Item
        editor={editor}
        icon={FoldHorizontal}
        name="Reset column width"
        run={onTarget(editor, (target) => setColumnWidth(view, context, target.table, target.column, null))}
      />
      <SharedItems
        editor={editor}
        context={context}
        line="column"
        name={position.isManyColumns ? 'columns' : 'column'}
      />
    </>
  );
}

const ALIGNMENT_NAMES = [
  { name: 'Left', value: null },
  { name: 'Center', value: 'center' },
  { name: 'Right', value: 'right' },
] as const;

function AlignmentMenu({ editor, context, position }: ItemsProps) {
  const align = (value: Alignment | null) => {
    onTarget(editor, (target) => alignColumns(editor.view, context, target, value))();
    focusText(editor);
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

export function TableItems({ editor, context, position }: ItemsProps) {
  const { view } = editor;
  const toggle = (line: LineKind) => {
    onTarget(editor, ({ table }) => toggleHeader(view, context, table, line))();
    focusText(editor);
  };
  return (
    <>
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
        run={onTarget(editor, ({ table }) => deleteTable(view, table))}
      />
    </>
  );
}

type SharedItemsProps = {
  readonly editor: Editor;
  readonly context: EditContext;
  readonly line: LineKind;
  readonly name: string;
};

function SharedItems({ editor, context, line, name }: SharedItemsProps) {
  const { view } = editor;
  const all = (run: typeof duplicateLine | typeof clearLine | typeof deleteLines) =>
    onTarget(editor, (target) => run(view, context, target, line));
  return (
    <>
      <Item editor={editor} icon={Copy} name={`Duplicate ${line}`} run={all(duplicateLine)} />
      <Item editor={editor} icon={Eraser} name={`Clear ${name}`} run={all(clearLine)} />
      <Item editor={editor} icon={Trash2} name={`Delete ${name}`} run={all(deleteLines)} />
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
    focusText(editor);
  };
  return (
    <MenuItem icon={<Icon className="icon" aria-hidden size={16} />} onSelect={select}>
      {name}
    </MenuItem>
  );
}

/** When it closes, the menu returns the focus to its button. The focus moves to the text after that. */
function focusText(editor: Editor): void {
  requestAnimationFrame(() => editor.view.focus());
}

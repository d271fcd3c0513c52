// What can be done with a row, a column and a table: items of the menus at their handles.
import type { Editor } from '@tiptap/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import Eraser from 'lucide-react/icons/eraser';
import PanelTop from 'lucide-react/icons/panel-top';
import PanelLeft from 'lucide-react/icons/panel-left';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import FoldHorizontal from 'lucide-react/icons/fold-horizontal';
import type { LucideIcon } from 'lucide-react';
import { MenuItem } from '../ui/menu.tsx';
import {
  type Line,
  type TableHost,
  clearLine,
  deleteLines,
  deleteTable,
  duplicateLine,
  insertLines,
  moveLine,
  setColumnWidth,
  toggleHead,
} from './table-commands.ts';
import type { TablePlace } from './table-tracker.ts';

export type ItemsProps = { readonly editor: Editor; readonly host: TableHost; readonly place: TablePlace };

export function RowItems({ editor, host, place: { spot } }: ItemsProps) {
  const { view } = editor;
  const isMany = spot.rect.bottom - spot.rect.top > 1;
  const insert = (at: number) => insertLines(view, host, spot, 'row', at);
  return (
    <>
      <Item editor={editor} icon={Plus} name="Insert row above" run={() => insert(spot.rect.top)} />
      <Item editor={editor} icon={Plus} name="Insert row below" run={() => insert(spot.rect.bottom)} />
      <Item editor={editor} icon={ArrowUp} name="Move row up" run={() => moveLine(view, host, spot, 'row', -1)} />
      <Item editor={editor} icon={ArrowDown} name="Move row down" run={() => moveLine(view, host, spot, 'row', 1)} />
      <Shared editor={editor} host={host} spot={spot} line="row" name={isMany ? 'rows' : 'row'} />
    </>
  );
}

export function ColumnItems({ editor, host, place: { spot } }: ItemsProps) {
  const { view } = editor;
  const isMany = spot.rect.right - spot.rect.left > 1;
  const insert = (at: number) => insertLines(view, host, spot, 'column', at);
  const move = (by: 1 | -1) => moveLine(view, host, spot, 'column', by);
  return (
    <>
      <Item editor={editor} icon={Plus} name="Insert column left" run={() => insert(spot.rect.left)} />
      <Item editor={editor} icon={Plus} name="Insert column right" run={() => insert(spot.rect.right)} />
      <Item editor={editor} icon={ArrowLeft} name="Move column left" run={() => move(-1)} />
      <Item editor={editor} icon={ArrowRight} name="Move column right" run={() => move(1)} />
      <Item
        editor={editor}
        icon={FoldHorizontal}
        name="Give column its usual width"
        run={() => setColumnWidth(view, host, spot.table, spot.column, null)}
      />
      <Shared editor={editor} host={host} spot={spot} line="column" name={isMany ? 'columns' : 'column'} />
    </>
  );
}

export function TableItems({ editor, host, place }: ItemsProps) {
  const { view } = editor;
  const { table } = place.spot;
  return (
    <>
      <Item
        editor={editor}
        icon={place.headRow ? Check : PanelTop}
        name={place.headRow ? 'First row is a head: yes' : 'First row is a head: no'}
        run={() => toggleHead(view, host, table, 'row')}
      />
      <Item
        editor={editor}
        icon={place.headColumn ? Check : PanelLeft}
        name={place.headColumn ? 'First column is a head: yes' : 'First column is a head: no'}
        run={() => toggleHead(view, host, table, 'column')}
      />
      <Item editor={editor} icon={Trash2} name="Delete table" run={() => deleteTable(view, table)} />
    </>
  );
}

type SharedProps = {
  readonly editor: Editor;
  readonly host: TableHost;
  readonly spot: TablePlace['spot'];
  readonly line: Line;
  readonly name: string;
};

function Shared({ editor, host, spot, line, name }: SharedProps) {
  const { view } = editor;
  return (
    <>
      <Item editor={editor} icon={Copy} name={`Duplicate ${line}`} run={() => duplicateLine(view, host, spot, line)} />
      <Item editor={editor} icon={Eraser} name={`Clear ${name}`} run={() => clearLine(view, host, spot, line)} />
      <Item editor={editor} icon={Trash2} name={`Delete ${name}`} run={() => deleteLines(view, host, spot, line)} />
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
    // The menu gives the focus back to its button when it closes; the words want it after that.
    requestAnimationFrame(() => editor.view.focus());
  };
  return (
    <MenuItem icon={<Icon className="icon" aria-hidden size={16} />} onSelect={select}>
      {name}
    </MenuItem>
  );
}

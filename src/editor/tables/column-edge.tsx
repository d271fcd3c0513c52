// The right edge of a column. Dragging it or pressing arrow keys on it sets the column's width.
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { MAX_WIDTH, MIN_WIDTH } from 'weft-document/tables/table-columns.ts';
import { setColumnWidth } from './table-commands.ts';
import type { ItemsProps } from './table-menus.tsx';
import { tableTracker } from './table-tracker.ts';

/** Per press of an arrow key. */
const STEP_PX = 8;

type Drag = { readonly from: number; readonly width: number };

export function ColumnEdge({ editor, context, position: { columnIndex, box, column } }: Omit<ItemsProps, 'line'>) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [moved, setMoved] = useState(0);
  const set = (width: number) => {
    const target = tableTracker(editor).target();
    if (target !== null) setColumnWidth(editor.view, context, target.table, target.column, clamp(width));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setMoved(0);
    setDrag({ from: event.clientX, width: column.size });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag !== null) setMoved(clamp(drag.width + event.clientX - drag.from) - drag.width);
  };
  const end = () => {
    setDrag(null);
    setMoved(0);
  };
  const onPointerUp = () => {
    end();
    if (drag !== null && moved !== 0) set(drag.width + moved);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -STEP_PX : event.key === 'ArrowRight' ? STEP_PX : 0;
    if (event.key === 'Escape') editor.view.focus();
    if (by === 0) return;
    event.preventDefault();
    set(column.size + by);
  };
  return (
    <div
      className="table-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of column ${columnIndex + 1}`}
      aria-valuenow={Math.round(column.size + moved)}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      data-dragging={drag === null ? undefined : ''}
      style={{ left: column.from + column.size + moved - 4, top: box.top, height: box.height }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={end}
      onKeyDown={onKeyDown}
    />
  );
}

const clamp = (width: number): number => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));

// Dragging a row of the tree with a mouse or pen. Touch scrolls instead: “Move to…” is in the row's menu.
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { scrollContainerOf } from '../../ui/browser/scroller-of.ts';
import type { DropGoal } from './drop-goal.ts';

export type RowDrag = {
  readonly id: DocumentId;
  /** The pointer's place from the left and top of the screen. */
  readonly x: number;
  readonly y: number;
  readonly goal: DropGoal | null;
};

type RowDragOptions = {
  /** The element whose first row begins at its top. */
  readonly tree: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly indent: number;
  readonly goalAt: (dragged: DocumentId, pointer: { readonly y: number; readonly depth: number }) => DropGoal | null;
  readonly onDrop: (dragged: DocumentId, goal: DropGoal) => void;
  /** Called when the pointer has rested on a row. */
  readonly onRest: (row: DocumentId) => void;
};

const STARTS_AFTER_PX = 5;
const RESTS_AFTER_MS = 600;
/** Near the edges of the sidebar the tree scrolls, this fast at most (px per frame). */
const EDGE_PX = 36;
const MAX_SCROLL_PX = 12;

type Press = { readonly id: DocumentId; readonly x: number; readonly y: number };

export function useRowDrag(options: RowDragOptions) {
  const [press, setPress] = useState<Press | null>(null);
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const wasDragged = useRef(false);
  const pointer = useRef({ x: 0, y: 0 });

  const update = useEffectEvent(() => {
    const box = options.tree.current?.getBoundingClientRect();
    if (press === null || box === undefined) return;
    const { x, y } = pointer.current;
    const isMoved = Math.hypot(x - press.x, y - press.y) > STARTS_AFTER_PX;
    if (drag === null && !isMoved) return;
    wasDragged.current = true;
    const at = { y: (y - box.top) / options.rowHeight, depth: Math.floor((x - box.left) / options.indent) - 1 };
    setDrag({ id: press.id, x, y, goal: options.goalAt(press.id, at) });
  });
  const end = useEffectEvent((isDropped: boolean) => {
    if (isDropped && drag?.goal != null) options.onDrop(drag.id, drag.goal);
    setPress(null);
    setDrag(null);
  });

  useEffect(() => {
    if (press === null) return;
    const moved = (event: globalThis.PointerEvent) => {
      pointer.current = { x: event.clientX, y: event.clientY };
      update();
    };
    const released = () => end(true);
    const cancelled = () => end(false);
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      end(false);
    };
    const scroller = options.tree.current && scrollContainerOf(options.tree.current);
    let frame = requestAnimationFrame(function scroll() {
      frame = requestAnimationFrame(scroll);
      if (scroller !== null && wasDragged.current && scrollAtEdge(scroller, pointer.current.y)) update();
    });
    addEventListener('pointermove', moved);
    addEventListener('pointerup', released);
    addEventListener('pointercancel', cancelled);
    addEventListener('blur', cancelled);
    addEventListener('keydown', pressed, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', released);
      removeEventListener('pointercancel', cancelled);
      removeEventListener('blur', cancelled);
      removeEventListener('keydown', pressed, true);
    };
  }, [press, options.tree]);

  const goal = drag?.goal ?? null;
  useRest(goal !== null && goal.line === null ? goal.place.parent : null, options.onRest);

  return {
    drag,
    /** For each `onPointerDown` of the tree: `id` is the row under the pointer, null if it cannot be dragged. */
    start: (event: PointerEvent, id: DocumentId | null) => {
      wasDragged.current = false;
      if (id === null || event.button !== 0 || event.pointerType === 'touch') return;
      pointer.current = { x: event.clientX, y: event.clientY };
      setPress({ id, ...pointer.current });
    },
    /** The click that ends a drag does nothing. That of a key, which has no `detail`, ends none. */
    isClickOfDrag: ({ detail }: MouseEvent) => detail > 0 && wasDragged.current,
  };
}

/** Scrolls if `y` is near the top or bottom of the scroller, faster the nearer it is. Returns whether it is. */
function scrollAtEdge(scroller: Element, y: number): boolean {
  const box = scroller.getBoundingClientRect();
  const over = Math.max(0, y - (box.bottom - EDGE_PX)) - Math.max(0, box.top + EDGE_PX - y);
  if (over === 0) return false;
  scroller.scrollTop += Math.max(-1, Math.min(1, over / EDGE_PX)) * MAX_SCROLL_PX;
  return true;
}

/** Calls `onRest` when the same row has been under the pointer for a while. */
function useRest(row: DocumentId | null, onRest: (row: DocumentId) => void): void {
  const rested = useEffectEvent(onRest);
  useEffect(() => {
    if (row === null) return;
    const timer = setTimeout(() => rested(row), RESTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [row]);
}

// The grip of the block handle: a press that moves drags the blocks, one that does not is a click. Both select them.
import type { Editor } from '@tiptap/core';
import { type PointerEvent, useRef } from 'react';
import type { EditContext } from '../binding/edit-context.ts';
import { BlockSelection, type Blocks } from '../blocks/block-selection.ts';
import { moveTo } from '../blocks/move-selected-blocks.ts';
import { type Drag, dragBlocks } from './drag-blocks.ts';

type GripOptions = {
  readonly editor: Editor;
  readonly context: EditContext;
  /** The blocks that the grip is for. */
  readonly blocksHere: () => Blocks | null;
  readonly onClick: () => void;
  /** Called after a drag, also after one that was cancelled. */
  readonly onDragged: () => void;
};

/** `drag` is null until the pointer has moved far enough. */
type Press = { drag: Drag | null; readonly blocks: Blocks; readonly x: number; readonly y: number };

/** A press that moves further is a drag. */
const DRAG_PX = 4;

export function useGrip({ editor, context, blocksHere, onClick, onDragged }: GripOptions) {
  const press = useRef<Press>(null);
  const end = (isDone: boolean) => {
    const now = press.current;
    press.current = null;
    if (now === null) return;
    if (now.drag === null) {
      select(editor, now.blocks);
      if (isDone) onClick();
      return;
    }
    const to = now.drag.end();
    if (isDone && to !== null) moveTo(editor.view, context.undo, now.blocks, to);
    onDragged();
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const blocks = blocksHere();
      if (event.button !== 0 || blocks === null) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      press.current = { drag: null, blocks, x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent) => {
      const now = press.current;
      if (now === null) return;
      const isFar = Math.hypot(event.clientX - now.x, event.clientY - now.y) > DRAG_PX;
      if (now.drag === null && isFar) {
        select(editor, now.blocks);
        now.drag = dragBlocks(editor.view, now.blocks);
      }
      now.drag?.move(event.nativeEvent);
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  };
  return { press, handlers };
}

function select({ view }: Editor, { from, to }: Blocks): void {
  view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, from, to - 1)));
  view.focus();
}

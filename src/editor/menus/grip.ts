// The grip of the block handle: a press that moves drags the blocks, one that does not is a click. Both select them.
import type { Editor } from '@tiptap/core';
import type { PointerEvent } from 'react';
import type * as Y from 'yjs';
import { BlockSelection, type Blocks } from '../blocks/block-selection.ts';
import { moveTo } from '../blocks/move-selected-blocks.ts';
import { type Drag, dragBlocks } from './drag-blocks.ts';

/** A press that moves further is a drag. */
const DRAG_PX = 4;

export class GripPress {
  readonly #editor: Editor;
  readonly #blocks: Blocks;
  readonly #x: number;
  readonly #y: number;
  /** Null until the pointer has moved far enough. */
  #drag: Drag | null = null;

  constructor(editor: Editor, blocks: Blocks, { clientX, clientY }: PointerEvent) {
    this.#editor = editor;
    this.#blocks = blocks;
    this.#x = clientX;
    this.#y = clientY;
  }

  move({ clientX, clientY, nativeEvent }: PointerEvent): void {
    if (this.#drag === null && Math.hypot(clientX - this.#x, clientY - this.#y) > DRAG_PX) {
      this.#select();
      this.#drag = dragBlocks(this.#editor.view, this.#blocks);
    }
    this.#drag?.move(nativeEvent);
  }

  /** Returns whether it was a drag. `isDone`: not cancelled. */
  end(undo: Y.UndoManager, isDone: boolean): boolean {
    if (this.#drag === null) {
      this.#select();
      return false;
    }
    const to = this.#drag.end();
    if (isDone && to !== null) moveTo(this.#editor.view, undo, this.#blocks, to);
    return true;
  }

  #select(): void {
    const { view } = this.#editor;
    const { from, to } = this.#blocks;
    view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, from, to - 1)));
    view.focus();
  }
}

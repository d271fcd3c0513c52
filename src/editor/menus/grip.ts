// The grip of the block handle: a press that moves drags the blocks, one that does not is a click. Both select them.
import type { Editor } from '@tiptap/core';
import type * as Y from 'yjs';
import { BlockSelection, type Blocks } from '../blocks/block-selection.ts';
import { moveTo } from '../blocks/move-selected-blocks.ts';
import { type Drag, dragBlocks } from './drag-blocks.ts';

/** A press that moves further is a drag. */
const DRAG_PX = 4;

type Pointer = Pick<PointerEvent, 'clientX' | 'clientY'>;

export class GripPress {
  readonly #editor: Editor;
  readonly #blocks: Blocks;
  readonly #x: number;
  readonly #y: number;
  /** Null until the pointer has moved far enough. */
  #drag: Drag | null = null;

  constructor(editor: Editor, blocks: Blocks, { clientX, clientY }: Pointer) {
    this.#editor = editor;
    this.#blocks = blocks;
    this.#x = clientX;
    this.#y = clientY;
  }

  move({ clientX, clientY }: Pointer): void {
    if (this.#drag === null && Math.hypot(clientX - this.#x, clientY - this.#y) > DRAG_PX) {
      this.#select();
      this.#drag = dragBlocks(this.#editor.view, () => this.#taken());
    }
    this.#drag?.move({ clientX, clientY });
  }

  /** Returns whether it was a drag. `isDone`: not cancelled. */
  end(undo: Y.UndoManager, isDone: boolean): boolean {
    if (this.#drag === null) {
      this.#select();
      return false;
    }
    const to = this.#drag.end();
    const blocks = this.#taken();
    if (isDone && to !== null && blocks !== null) moveTo(this.#editor.view, undo, blocks, to);
    return true;
  }

  /** The blocks where they are now: others may write above them during a drag. Null if they are selected no longer. */
  #taken(): Blocks | null {
    const { selection } = this.#editor.state;
    return selection instanceof BlockSelection ? selection.blocks : null;
  }

  #select(): void {
    const { view } = this.#editor;
    const { from, to } = this.#blocks;
    view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, from, to - 1)));
    view.focus();
  }
}

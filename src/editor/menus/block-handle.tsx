// Plus button and grip in the gutter beside the block at the pointer's height: they add a block, open the menu, or
// drag.
import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import GripVertical from 'lucide-react/icons/grip-vertical';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState } from 'react';
import { BLOCK } from 'weft-document/names.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import type { EditContext } from '../binding/edit-context.ts';
import { withBody } from '../blocks/block-bodies.ts';
import { BlockSelection, type Blocks, positionOf, touchedBlocks } from '../blocks/block-selection.ts';
import { BlockMenu } from './block-menu.tsx';
import { blockElementAt, indexOfElement } from './drag-blocks.ts';
import { GripPress } from './grip.ts';
import type { WordQuestions } from './word-questions.ts';
import './block-handle.css';

type BlockHandleProps = {
  readonly editor: Editor;
  readonly context: EditContext;
  /** Dispatches `blockMenu` when a key or the bar of a phone asks for the menu. */
  readonly uiCommands: EventTarget;
  /** Null where the page has no history. */
  readonly questions: WordQuestions | null;
  /** Null where the person may not comment. */
  readonly comment: (() => void) | null;
};

/** The pointer can be this far beside the text. */
const GUTTER_PX = 84;
type Anchor = { getBoundingClientRect(): DOMRect };

export function BlockHandle({ editor, context, uiCommands, questions, comment }: BlockHandleProps) {
  const [block, setBlock] = useState<HTMLElement | null>(null);
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const grip = useRef<HTMLButtonElement>(null);
  const blocksHere = () => (block === null ? null : blocksAt(editor, block));
  const press = useRef<GripPress>(null);
  const release = (isDone: boolean) => {
    const ended = press.current;
    press.current = null;
    const wasDragged = ended?.end(context.undo, isDone);
    if (wasDragged === true) setBlock(null);
    else if (wasDragged === false && isDone) setAnchor(grip.current);
  };

  useEffect(() => watchPointer(editor, (element) => press.current === null && setBlock(element)), [editor]);
  useEffect(() => {
    const open = () => {
      if (!editor.isEditable || editor.state.doc.childCount === 0) return;
      const { view } = editor;
      const { from, to } = touchedBlocks(view.state);
      view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, from, to - 1)).scrollIntoView());
      const dom = view.nodeDOM(positionOf(view.state.doc, from));
      if (dom instanceof Element) setAnchor(dom);
    };
    uiCommands.addEventListener('blockMenu', open);
    return () => uiCommands.removeEventListener('blockMenu', open);
  }, [editor, uiCommands]);

  const top = block === null || !block.isConnected ? null : handleTop(editor, block);
  return (
    <>
      {top !== null && (
        <div className="block-handle" style={{ transform: `translateY(${top}px)` }}>
          <button
            type="button"
            className="handle-button"
            tabIndex={-1}
            aria-label="New block below"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              const blocks = blocksHere();
              if (blocks !== null) addBelow(editor, blocks);
            }}
          >
            <Plus className="icon" aria-hidden size={16} />
          </button>
          <button
            ref={grip}
            type="button"
            className="handle-button handle-grip"
            tabIndex={-1}
            aria-label="Move or change this block"
            aria-haspopup="menu"
            title={`Drag to move, click for the menu (${keysAsText('Mod-/')})`}
            onPointerDown={(event) => {
              const blocks = blocksHere();
              if (event.button !== 0 || blocks === null) return;
              event.preventDefault();
              event.currentTarget.setPointerCapture(event.pointerId);
              press.current = new GripPress(editor, blocks, event);
            }}
            onPointerMove={(event) => press.current?.move(event)}
            onPointerUp={() => release(true)}
            onPointerCancel={() => release(false)}
          >
            <GripVertical className="icon" aria-hidden size={16} />
          </button>
        </div>
      )}
      <BlockMenu
        editor={editor}
        context={context}
        anchor={anchor}
        onClose={() => setAnchor(null)}
        questions={questions}
        comment={comment}
      />
    </>
  );
}

/** The selected blocks if `element` is one of them, else its block with its body. Null: it is no longer in the page. */
function blocksAt({ view, state }: Editor, element: HTMLElement): Blocks | null {
  if (!view.dom.contains(element)) return null;
  const index = indexOfElement(view, element);
  const { selection, doc } = state;
  if (selection instanceof BlockSelection) {
    const { from, to } = selection.blocks;
    if (index >= from && index < to) return { from, to };
  }
  return withBody(doc, { from: index, to: index + 1 });
}

/**
 * Reports the block at the height of the pointer over the text or its gutter; null when it leaves them, and after each
 * edit.
 */
function watchPointer(editor: Editor, onBlock: (block: HTMLElement | null) => void): () => void {
  let frame = 0;
  let last: PointerEvent | null = null;
  const update = () => {
    frame = 0;
    if (last === null || editor.isDestroyed || !editor.isEditable) return;
    const { clientX: x, clientY: y } = last;
    const box = editor.view.dom.getBoundingClientRect();
    const isNear = x > box.left - GUTTER_PX && x < box.right + GUTTER_PX && y > box.top - 8 && y < box.bottom;
    onBlock(isNear ? blockElementAt(editor.view, y) : null);
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerType === 'touch' || event.buttons !== 0) return;
    // Layers that float over the text do not count as text.
    const overMenu = event.target instanceof Element && event.target.closest('.layer, .dialog, .scrim') !== null;
    if (overMenu) return;
    last = event;
    if (frame === 0) frame = requestAnimationFrame(update);
  };
  // A finger has no position before it touches, so the handle appears where it last touched.
  const onTouch = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' || !(event.target instanceof Node) || !editor.view.dom.contains(event.target)) {
      return;
    }
    last = event;
    if (frame === 0) frame = requestAnimationFrame(update);
  };
  const hide = () => onBlock(null);
  document.addEventListener('pointermove', onMove, { passive: true });
  document.addEventListener('pointerup', onTouch, { passive: true });
  editor.on('update', hide);
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('pointermove', onMove);
    document.removeEventListener('pointerup', onTouch);
    editor.off('update', hide);
  };
}

/** Pixels from the top of the text to the handle beside the block's first line. */
function handleTop(editor: Editor, block: HTMLElement): number {
  // The text of a picture is below it.
  const words = (block.matches('[data-kind="image"]') ? null : block.querySelector('.block-text')) ?? block;
  const line = Number.parseFloat(getComputedStyle(words).lineHeight);
  const height = Number.isFinite(line) ? line : 28;
  const frame = editor.view.dom.parentElement?.getBoundingClientRect().top ?? 0;
  const top = words.getBoundingClientRect().top;
  return Math.round(top - frame + (height - 24) / 2);
}

function addBelow({ view }: Editor, { to }: Blocks): void {
  const { doc, schema, tr } = view.state;
  const at = positionOf(doc, to);
  const type = schema.nodes[BLOCK];
  if (type === undefined) return;
  const above: unknown = doc.maybeChild(to - 1)?.attrs['indent'];
  tr.insert(at, type.create({ indent: typeof above === 'number' && above > 0 ? above : null }));
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
  view.focus();
}

// Adds files to a page: pasted, dropped, or picked. Their nodes are inserted once the files are stored on this device,
// at the intended position, wherever it has moved by then.
import { type Editor, Extension } from '@tiptap/core';
import type { Node, Schema } from '@tiptap/pm/model';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { FILE, IMAGE } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { asOneStep } from 'weft-document/undo.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import type { AddedFile, WritableFiles } from '../../ports/files.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { allowGrowth, bytesOfNodes } from '../binding/growth-guard.ts';
import { startEmptyPage } from '../blocks/block-commands.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { guardNodeView } from '../schema/guard-node-view.ts';
import { fileView, imageView } from './file-views.ts';
import { filesIn, pickFiles } from './given-files.ts';
import { pendingPositions, trackPosition } from './pending-positions.ts';

export const addFiles = (files: WritableFiles | null, undo: Y.UndoManager, session: Session) =>
  Extension.create({
    name: 'files',
    // Before the clipboard, which would paste the HTML that comes with a copied picture.
    priority: 600,
    addProseMirrorPlugins: () => [
      pendingPositions(),
      new Plugin({
        props: {
          nodeViews: { [IMAGE]: guardNodeView(imageView(files)), [FILE]: guardNodeView(fileView(files)) },
          handleDOMEvents: {
            paste(view, event) {
              const given = filesIn(event.clipboardData);
              if (files === null || !view.editable || given.length === 0) return false;
              event.preventDefault();
              void insertFiles(view, given, { files, undo, session });
              return true;
            },
            drop(view, event) {
              const given = filesIn(event.dataTransfer);
              if (files === null || !view.editable || view.dragging !== null || given.length === 0) return false;
              event.preventDefault();
              const target = view.posAtCoords({ left: event.clientX, top: event.clientY });
              void insertFiles(view, given, { files, undo, session }, target?.pos);
              return true;
            },
          },
        },
      }),
    ],
    onCreate() {
      const { view } = this.editor;
      if (files === null) return;
      pickers.set(this.editor, () => pickFiles((given) => insertFiles(view, given, { files, undo, session })));
    },
  });

const pickers = new WeakMap<Editor, () => void>();
/** Opens the file picker and inserts the files at the caret; null if files cannot be stored. */
export const filePickerOf = (editor: Editor): (() => void) | null => pickers.get(editor) ?? null;

type InsertContext = { readonly files: WritableFiles; readonly undo: Y.UndoManager; readonly session: Session };

async function insertFiles(
  view: EditorView,
  given: readonly File[],
  { files, undo, session }: InsertContext,
  at: number = view.state.selection.to,
): Promise<void> {
  startEmptyPage(view.state, view.dispatch);
  const releasePosition = trackPosition(view, at);
  const added: AddedFile[] = [];
  for (const file of given) {
    const one = await files.add(file);
    if (one.ok) added.push(one.value);
    else toast(`${file.name}: ${FILE_TEXTS[one.error]}`);
  }
  if (view.isDestroyed) return added.forEach(({ id }) => files.cancel(id));
  const position = releasePosition();
  const nodes = added.map((one) => nodeOf(view.state.schema, one));
  if (nodes.length === 0) return;
  if (!view.editable || !session.mayGrow(bytesOfNodes(nodes))) return added.forEach(({ id }) => files.cancel(id));
  asOneStep(undo, () => insertNodesBelow(view, nodes, position));
}

function nodeOf(schema: Schema, file: AddedFile): Node {
  const { id, name } = file;
  const attributes =
    file.kind === 'image' ? { width: file.width, height: file.height } : { bytes: file.bytes, mime: file.mime };
  return schema.node(file.kind === 'image' ? IMAGE : FILE, { id: newBlockId(), file: id, name, ...attributes });
}

/**
 * Inserts the nodes below the block at `position`, or above it if it is an empty line, which stays below for writing
 * on.
 */
function insertNodesBelow(view: EditorView, nodes: readonly Node[], position: number): void {
  const { state } = view;
  const $position = state.doc.resolve(position);
  const index = $position.index(0);
  const block = state.doc.maybeChild(index);
  const start = $position.depth > 0 ? $position.before(1) : position;
  const isEmptyLine =
    isBlock(block) && $position.depth > 0 && block.content.size === 0 && styleOf(block).kind === 'paragraph';
  const at = $position.depth === 0 || isEmptyLine ? start : $position.after(1);
  const transaction = state.tr.insert(at, nodes);
  const end = at + nodes.reduce((sum, node) => sum + node.nodeSize, 0);
  if (end === transaction.doc.content.size) transaction.insert(end, state.schema.node('block'));
  const below = transaction.doc.nodeAt(end);
  // The caret moves only if it was here: the user may be writing somewhere else by now.
  const isHere = isBlock(below) && state.selection.empty && Math.abs(state.selection.from - position) <= 1;
  if (isHere) transaction.setSelection(TextSelection.create(transaction.doc, end + 1));
  view.dispatch(allowGrowth(transaction));
  if (isHere) showInserted(view, at, end + 1);
}

/**
 * Scrolls to what was inserted, in several frames: a block out of view is not laid out, so it has its size only a frame
 * after it comes onto the screen.
 */
function showInserted(view: EditorView, from: number, caret: number, frames = 3): void {
  if (view.isDestroyed || view.state.selection.from !== caret) return;
  const picture = view.nodeDOM(from);
  const isTall = picture instanceof Element && picture.getBoundingClientRect().height > window.innerHeight / 2;
  if (isTall) picture.scrollIntoView({ block: 'center', behavior: 'instant' });
  else view.dispatch(view.state.tr.scrollIntoView());
  if (frames > 0) requestAnimationFrame(() => showInserted(view, from, caret, frames - 1));
}

// Brings files into a page: pasted, dropped, or picked. Their nodes come when they are kept on this device, at the place that
// was meant, wherever it has moved to by then.
import { type Editor, Extension } from '@tiptap/core';
import type { Node, Schema } from '@tiptap/pm/model';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { FILE, IMAGE } from '../../document/names.ts';
import { newBlockId } from '../../document/new-block-id.ts';
import { asOneStep } from '../../document/undo.ts';
import { FILE_TEXTS } from '../../protocol/errors.ts';
import type { AddedFile, WritableFiles } from '../../state/file-ports.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { startEmptyPage } from '../blocks/block-commands.ts';
import { fileView, imageView } from './file-views.ts';
import { allowGrowth, bytesOfNodes } from '../binding/growth-guard.ts';
import { heldPlaces, holdPlace } from './held-places.ts';

export const addFiles = (files: WritableFiles | null, undo: Y.UndoManager, session: Session) =>
  Extension.create({
    name: 'files',
    // Before the clipboard, which would take the words beside a picture.
    priority: 600,
    addProseMirrorPlugins: () => [
      heldPlaces(),
      new Plugin({
        props: {
          nodeViews: { [IMAGE]: imageView(files), [FILE]: fileView(files) },
          handleDOMEvents: {
            paste(view, event) {
              const given = givenFiles(event.clipboardData);
              if (files === null || !view.editable || given.length === 0) return false;
              event.preventDefault();
              void insertFiles(view, given, { files, undo, session });
              return true;
            },
            drop(view, event) {
              const given = givenFiles(event.dataTransfer);
              if (files === null || !view.editable || view.dragging !== null || given.length === 0) return false;
              event.preventDefault();
              const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
              void insertFiles(view, given, { files, undo, session }, place?.pos);
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
/** Asks the person for files and puts them in where the caret is; null where none can be kept. */
export const filePickerOf = (editor: Editor): (() => void) | null => pickers.get(editor) ?? null;

type Parts = { readonly files: WritableFiles; readonly undo: Y.UndoManager; readonly session: Session };

/** What is copied in a program comes as words and as a picture of them: the words go first. */
function givenFiles(data: DataTransfer | null): readonly File[] {
  if (data === null || data.files.length === 0) return [];
  const html = data.getData('text/html');
  if (html !== '') {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    if ((body.textContent ?? '').trim() !== '') return [];
  } else if (data.getData('text/plain').trim() !== '') return [];
  return Array.from(data.files);
}

function pickFiles(run: (files: readonly File[]) => unknown): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => void run(Array.from(input.files ?? [])));
  input.click();
}

async function insertFiles(
  view: EditorView,
  given: readonly File[],
  { files, undo, session }: Parts,
  at: number = view.state.selection.to,
): Promise<void> {
  startEmptyPage(view.state, view.dispatch);
  const held = holdPlace(view, at);
  const added: AddedFile[] = [];
  for (const file of given) {
    const one = await files.add(file);
    if (one.ok) added.push(one.value);
    else toast(`${file.name}: ${FILE_TEXTS[one.error]}`);
  }
  if (view.isDestroyed) return added.forEach(({ id }) => files.cancel(id));
  const place = held();
  const nodes = added.map((one) => nodeOf(view.state.schema, one));
  if (nodes.length === 0) return;
  if (!view.editable || !session.mayGrow(bytesOfNodes(nodes))) return added.forEach(({ id }) => files.cancel(id));
  asOneStep(undo, () => putNodes(view, nodes, place));
}

function nodeOf(schema: Schema, file: AddedFile): Node {
  const { id, name } = file;
  const attributes =
    file.kind === 'image' ? { width: file.width, height: file.height } : { bytes: file.bytes, mime: file.mime };
  return schema.node(file.kind === 'image' ? IMAGE : FILE, { id: newBlockId(), file: id, name, ...attributes });
}

/** Below the block of the place; an empty line stays, under them, to go on in. */
function putNodes(view: EditorView, nodes: readonly Node[], place: number): void {
  const { state } = view;
  const $place = state.doc.resolve(place);
  const index = $place.index(0);
  const block = state.doc.maybeChild(index);
  const start = $place.depth > 0 ? $place.before(1) : place;
  const isEmptyLine =
    isBlock(block) && $place.depth > 0 && block.content.size === 0 && styleOf(block).kind === 'paragraph';
  const at = $place.depth === 0 || isEmptyLine ? start : $place.after(1);
  const transaction = state.tr.insert(at, nodes);
  const end = at + nodes.reduce((sum, node) => sum + node.nodeSize, 0);
  if (end === transaction.doc.content.size) transaction.insert(end, state.schema.node('block'));
  const below = transaction.doc.nodeAt(end);
  // Only where the caret was here anyway: the person may be writing somewhere else by now.
  if (isBlock(below) && state.selection.empty && Math.abs(state.selection.from - place) <= 1) {
    transaction.setSelection(TextSelection.create(transaction.doc, end + 1));
  }
  view.dispatch(allowGrowth(transaction));
}

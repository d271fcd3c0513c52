// Copying, pasting, dropping. What comes in goes through plain blocks, so it is nothing but words and known marks.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Fragment } from '@tiptap/pm/model';
import { Plugin, Selection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { PLAIN, type Run, type TableBlock, parseStyle, textOfRuns } from '../document/block.ts';
import { textOfBlocks } from '../document/body-text.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { parseLinkUrl } from '../document/link-url.ts';
import { asOneStep } from '../document/undo.ts';
import type { WritableFiles } from '../state/file-ports.ts';
import type { Session } from '../sync/session-api.ts';
import { isCode } from './block-at.ts';
import { PASTED_ADDRESS } from './card-offer.ts';
import { startEmptyPage } from './block-commands.ts';
import { htmlOfBlocks } from './copied-html.ts';
import { blocksInsertion, textInsertion } from './insert-blocks.ts';
import { blocksOfFragment } from './node-blocks.ts';
import { ownFiles } from './own-files.ts';
import { type Pasted, pastedBlocks } from './pasted-blocks.ts';
import { tabbedText } from './pasted-table.ts';
import { tableSpot } from './table-commands.ts';
import { pasteCells, tableOfText, tellTooLarge, wordsInsertion } from './table-paste.ts';
import { CellSelection } from './table-selection.ts';

export const clipboard = (undo: Y.UndoManager, session: Session, files: WritableFiles | null = null) =>
  Extension.create({
    name: 'clipboard',
    addProseMirrorPlugins() {
      const { schema } = this.editor;
      return [
        new Plugin({
          props: {
            clipboardSerializer: new HtmlSerializer(
              DOMSerializer.nodesFromSchema(schema),
              DOMSerializer.marksFromSchema(schema),
              files?.document ?? null,
            ),
            clipboardTextSerializer: ({ content, openStart }) => {
              const blocks = blocksOfFragment(content);
              const [table, ...others] = blocks;
              const isCells = openStart === 0 && table?.type === 'table' && others.length === 0;
              return isCells ? textOfCells(table) : textOfBlocks(blocks);
            },
            handleDOMEvents: {
              paste: (view, event) => paste(view, event, undo, session, files),
              drop: (view, event) => drop(view, event, undo, session, files),
            },
          },
        }),
      ];
    },
  });

class HtmlSerializer extends DOMSerializer {
  readonly #document: DocumentId | null;
  constructor(
    nodes: ConstructorParameters<typeof DOMSerializer>[0],
    marks: ConstructorParameters<typeof DOMSerializer>[1],
    document: DocumentId | null,
  ) {
    super(nodes, marks);
    this.#document = document;
  }

  override serializeFragment(
    fragment: Fragment,
    _options?: object,
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const html = htmlOfBlocks(blocksOfFragment(fragment), this.#document);
    if (target === undefined) return html;
    target.append(html);
    return target;
  }
}

/** Before ProseMirror looks at it: it would parse all of a megabyte into nodes that nobody uses. */
function paste(
  view: EditorView,
  event: ClipboardEvent,
  undo: Y.UndoManager,
  session: Session,
  files: WritableFiles | null,
): boolean {
  // While composing, browsers handle a paste in their own way best; ProseMirror leaves it to them too.
  if (event.clipboardData === null || !view.editable || view.composing) return false;
  event.preventDefault();
  put(view, event.clipboardData, undo, session, files);
  return true;
}

/** Words from elsewhere come in as a paste does; what is dragged within the page ProseMirror moves. */
function drop(
  view: EditorView,
  event: DragEvent,
  undo: Y.UndoManager,
  session: Session,
  files: WritableFiles | null,
): boolean {
  const data = event.dataTransfer;
  if (data === null || !view.editable || view.dragging !== null) return false;
  // A browser that is left alone with a file opens it in place of the page.
  event.preventDefault();
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (place === null || (data.getData('text/plain') === '' && data.getData('text/html') === '')) return true;
  const { state } = view;
  view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(place.pos))));
  put(view, data, undo, session, files);
  view.focus();
  return true;
}

function put(
  view: EditorView,
  data: DataTransfer,
  undo: Y.UndoManager,
  session: Session,
  files: WritableFiles | null,
): void {
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  const html = data.getData('text/html');
  startEmptyPage(view.state, view.dispatch);
  const { $from, empty } = view.state.selection;
  const url = pastedUrl(text);
  const host = { undo, mayGrow: (bytes: number) => session.mayGrow(bytes) };
  if (url !== null && !empty && !isCode($from.parent) && !(view.state.selection instanceof CellSelection)) {
    asOneStep(undo, () => linkSelection(view, url));
    return;
  }
  const { schema } = view.state;
  const isInCell = tableSpot(view.state.selection) !== null;
  const rich = html === '' || isCode($from.parent) ? null : pastedBlocks(bodyOf(html), tellTooLarge);
  if (isInCell && pasteCells(view, host, text, rich)) return;
  const insertion = isCode($from.parent)
    ? textInsertion(text)
    : isInCell
      ? wordsInsertion(schema, rich ?? textBlocks(text))
      : blocksInsertion(schema, ownFiles(rich ?? tableOfText(text, textBlocks), files));
  // As a whole or not at all: half a paste on a full page would be worse than none.
  if (!session.mayGrow(insertion.bytes)) return;
  const isOnEmptyLine = $from.parent.content.size === 0;
  asOneStep(undo, () => insertion.insertInto(view));
  if (url !== null && isOnEmptyLine) view.dispatch(view.state.tr.setMeta(PASTED_ADDRESS, true));
}

const textOfCells = ({ rows }: TableBlock): string =>
  tabbedText(rows.map((row) => row.map(({ runs }) => textOfRuns(runs))));

const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;

/** Lines become blocks; an address alone becomes a link. */
export function textBlocks(text: string): readonly Pasted[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const link = pastedUrl(line);
    const runs: readonly Run[] = line === '' ? [] : [{ ...PLAIN, text: line, link }];
    return { type: 'block', ...parseStyle({}), runs };
  });
}

const pastedUrl = (text: string): string | null =>
  /^(?:https?:\/\/|mailto:)\S+$/i.test(text.trim()) ? parseLinkUrl(text.trim()) : null;

function linkSelection(view: EditorView, href: string): void {
  const { state } = view;
  const { from, to } = state.selection;
  view.dispatch(state.tr.addMark(from, to, state.schema.mark('link', { href })));
}

// Copying, pasting, dropping. What comes in goes through plain blocks, so it is nothing but words and known marks.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Fragment } from '@tiptap/pm/model';
import { Plugin, Selection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { type TableBlock, textOfRuns } from '../../document/blocks/block.ts';
import { textOfBlocks } from '../../document/body/body-text.ts';
import { isMarkdown } from '../../document/markdown/is-markdown.ts';
import { BLOCK, MATH } from '../../document/names.ts';
import { asOneStep } from '../../document/undo.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { WritableFiles } from '../../state/file-ports.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { isCode } from '../schema/block-at.ts';
import { startEmptyPage } from '../blocks/block-commands.ts';
import { bodyOfHtml } from '../html/blocks-of-html.ts';
import { PASTED_ADDRESS } from '../links/card-offer.ts';
import { copiedHtml } from './copied-html.ts';
import { type Insertion, blocksInsertion, textInsertion } from './insert-blocks.ts';
import { extractFromHtml } from '../html/embedded-pictures.ts';
import { blocksOfFragment } from './node-blocks.ts';
import { ownFiles } from './own-files.ts';
import { pastePictures } from './paste-pictures.ts';
import type { PastedBlock } from '../html/pasted-block.ts';
import { parseHtmlBlocks } from '../html/parse-html-blocks.ts';
import { MAX_CHARACTERS, loadMarkdown, markdownBlocks } from './pasted-markdown.ts';
import { gridOfText, tabbedText } from '../html/html-table.ts';
import { pastedUrl, textBlocks } from './pasted-text.ts';
import { tableTarget } from '../tables/table-commands.ts';
import { pasteCells, tableOfText, tellTooLarge, wordsInsertion } from './table-paste.ts';
import { CellSelection } from '../tables/table-selection.ts';
import { whenQuiet } from './when-quiet.ts';

type Door = {
  readonly undo: Y.UndoManager;
  readonly session: Session;
  readonly files: WritableFiles | null;
};

export const clipboard = (undo: Y.UndoManager, session: Session, files: WritableFiles | null = null) =>
  Extension.create({
    name: 'clipboard',
    addProseMirrorPlugins() {
      const { schema } = this.editor;
      const door: Door = { undo, session, files };
      /** Ctrl-Shift-V was pressed, which says: words alone. Some browsers leave the HTML out then, others do not. */
      let isPlain = false;
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
              keydown(_view, event) {
                isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
                return false;
              },
              paste(view, event) {
                const wasPlain = isPlain;
                isPlain = false;
                return paste(view, event, door, wasPlain);
              },
              drop: (view, event) => drop(view, event, door),
            },
          },
          view: () => ({ destroy: whenQuiet(() => void loadMarkdown().catch(() => undefined)) }),
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
    const html = copiedHtml(blocksOfFragment(fragment), this.#document);
    if (target === undefined) return html;
    target.append(html);
    return target;
  }
}

/** Before ProseMirror looks at it: it would parse all of a megabyte into nodes that nobody uses. */
function paste(view: EditorView, event: ClipboardEvent, door: Door, isPlain: boolean): boolean {
  // While composing, browsers handle a paste in their own way best; ProseMirror leaves it to them too.
  if (event.clipboardData === null || !view.editable || view.composing) return false;
  event.preventDefault();
  put(view, event.clipboardData, door, isPlain);
  return true;
}

/** Words from elsewhere come in as a paste does; what is dragged within the page ProseMirror moves. */
function drop(view: EditorView, event: DragEvent, door: Door): boolean {
  const data = event.dataTransfer;
  if (data === null || !view.editable || view.dragging !== null) return false;
  // A browser that is left alone with a file opens it in place of the page.
  event.preventDefault();
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (place === null || (data.getData('text/plain') === '' && data.getData('text/html') === '')) return true;
  const { state } = view;
  view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(place.pos))));
  put(view, data, door, false);
  view.focus();
  return true;
}

function put(view: EditorView, data: DataTransfer, door: Door, isPlain: boolean): void {
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  const html = data.getData('text/html');
  startEmptyPage(view.state, view.dispatch);
  const { selection } = view.state;
  const { parent } = selection.$from;
  const isSource = isCode(parent) || parent.type.name === MATH;
  const url = pastedUrl(text);
  if (url !== null && !selection.empty && !isSource && !(selection instanceof CellSelection)) {
    asOneStep(door.undo, () => linkSelection(view, url));
  } else if (isSource) insert(view, textInsertion(text), door);
  else if (isPlain) putRead(view, tableTarget(selection) === null ? textBlocks(text) : text, door);
  else if (html !== '' && !isMarkdownSource(data)) putHtml(view, html, door);
  else if (text.length <= MAX_CHARACTERS && gridOfText(text) === null && isMarkdown(text))
    putMarkdown(view, text, door);
  else putRead(view, text, door);
  if (url !== null && parent.content.size === 0) view.dispatch(view.state.tr.setMeta(PASTED_ADDRESS, true));
}

function putHtml(view: EditorView, html: string, door: Door): void {
  const { files } = door;
  const body = bodyOfHtml(html);
  if (files === null || !takesBlocks(view.state.selection))
    return putRead(view, parseHtmlBlocks(body, { onTooLarge: tellTooLarge }), door);
  const held = extractFromHtml(body);
  const blocks = parseHtmlBlocks(body, { onTooLarge: tellTooLarge, hasFile: (address) => held.find(address) !== null });
  if (held.count() === 0) return putRead(view, blocks, door);
  void pastePictures(view, ownFiles(blocks, files), held, files, (given) =>
    insert(view, blocksInsertion(view.state.schema, given), door),
  );
}

function putMarkdown(view: EditorView, text: string, door: Door): void {
  const read = markdownBlocks(text);
  if (read !== null) return putRead(view, read, door);
  // PastedBlock before the page was ever quiet: some moments later, where the caret is then.
  const later = () => {
    if (!view.isDestroyed && view.editable) putRead(view, markdownBlocks(text) ?? text, door);
  };
  void loadMarkdown().then(later, later);
}

/** Text comes as it is, but for tables. */
function putRead(view: EditorView, read: string | readonly PastedBlock[], door: Door): void {
  const { undo, session, files } = door;
  if (pasteCells(view, { undo, mayGrow: (bytes) => session.mayGrow(bytes) }, read)) return;
  const { schema, selection } = view.state;
  const isText = typeof read === 'string';
  const insertion = takesBlocks(selection)
    ? blocksInsertion(schema, ownFiles(isText ? tableOfText(read, textBlocks) : read, files))
    : wordsInsertion(schema, isText ? textBlocks(read) : read);
  insert(view, insertion, door);
}

/** A cell and a caption hold one text. */
const takesBlocks = (selection: Selection): boolean =>
  (selection.$from.depth === 0 || selection.$from.parent.type.name === BLOCK) && tableTarget(selection) === null;

/** As a whole or not at all: half a paste on a full page would be worse than none. Whether there was room. */
function insert(view: EditorView, insertion: Insertion, { undo, session }: Door): boolean {
  if (!session.mayGrow(insertion.bytes)) return false;
  asOneStep(undo, () => insertion.insertInto(view));
  return true;
}

/** VS Code copies the colours of its source along; who writes Markdown there means what it says. */
const isMarkdownSource = (data: DataTransfer): boolean =>
  /"mode":\s*"markdown"/.test(data.getData('vscode-editor-data'));

const textOfCells = ({ rows }: TableBlock): string =>
  tabbedText(rows.map((row) => row.map(({ runs }) => textOfRuns(runs))));

function linkSelection(view: EditorView, href: string): void {
  const { state } = view;
  const { from, to } = state.selection;
  view.dispatch(state.tr.addMark(from, to, state.schema.mark('link', { href })));
}

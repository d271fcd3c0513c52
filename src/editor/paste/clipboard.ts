// Copy, paste and drop. Pasted content is converted to plain blocks first, so only what a page can represent gets into
// it.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Fragment } from '@tiptap/pm/model';
import { Plugin, Selection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { type TableBlock, textOfRuns } from 'weft-document/blocks/block.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import { isMarkdown } from 'weft-document/markdown/is-markdown.ts';
import { BLOCK, MATH } from 'weft-document/names.ts';
import { asOneStep } from 'weft-document/undo.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import { whenIdle } from '../../lib/async/when-idle.ts';
import type { WritableFiles } from '../../ports/files.ts';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { startEmptyPage } from '../blocks/block-commands.ts';
import { bodyOfHtml } from '../html/blocks-of-html.ts';
import { extractFromHtml } from '../html/embedded-pictures.ts';
import { gridOfText, tabbedText } from '../html/html-table.ts';
import { parseHtmlBlocks } from '../html/parse-html-blocks.ts';
import type { PastedBlock } from '../html/pasted-block.ts';
import { PASTED_URL } from '../links/card-offer.ts';
import { formulaAround } from '../math/inline-formulas.ts';
import { isCode } from '../schema/block-at.ts';
import { tableTarget } from '../tables/table-commands.ts';
import { CellSelection } from '../tables/table-selection.ts';
import { type AddedFiles, addedFiles } from './added-files.ts';
import { copyFilesToPage } from './copy-files-to-page.ts';
import type { fetchPictures } from './google-pictures.ts';
import { type Insertion, blocksInsertion, textInsertion } from './insert-blocks.ts';
import { rememberPlace } from './insert-later.ts';
import { blocksOfFragment } from './node-blocks.ts';
import { pastePictures } from './paste-pictures.ts';
import { MAX_CHARACTERS, blocksInBackground, immediateBlocks, loadMarkdown } from './pasted-markdown.ts';
import { pastedUrl, textBlocks } from './pasted-text.ts';
import { pasteCells, tableOfText, reportTooLarge, flatTextInsertion } from './table-paste.ts';

type PasteContext = {
  readonly undo: Y.UndoManager;
  readonly session: Session;
  readonly files: WritableFiles | null;
};

export const clipboard = (undo: Y.UndoManager, session: Session, files: WritableFiles | null = null) =>
  Extension.create({
    name: 'clipboard',
    addProseMirrorPlugins() {
      const { schema } = this.editor;
      const context: PasteContext = { undo, session, files };
      /** True after Ctrl-Shift-V, which means plain text. Some browsers leave the HTML out then, others do not. */
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
                return paste(view, event, context, wasPlain);
              },
              drop: (view, event) => drop(view, event, context),
            },
          },
          view: () => ({ destroy: whenIdle(() => void loadMarkdown().catch(() => undefined)) }),
        }),
      ];
    },
  });

/** Writes HTML that other programs can read, with each block's attributes for Weft. */
class HtmlSerializer extends DOMSerializer {
  /** The page that the pictures and files belong to. */
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
    const html = blocksToHtml(blocksOfFragment(fragment), { roundTrip: true, document: this.#document });
    const result = target ?? document.createDocumentFragment();
    // Parsed in a separate document, where nothing runs or loads.
    result.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
    return result;
  }
}

/** Runs before ProseMirror, which would parse a megabyte into nodes that no one uses. */
function paste(view: EditorView, event: ClipboardEvent, context: PasteContext, isPlain: boolean): boolean {
  // While composing, a paste is left to the browser; ProseMirror does the same.
  if (event.clipboardData === null || !view.editable || view.composing) return false;
  event.preventDefault();
  pasteData(view, event.clipboardData, context, isPlain);
  return true;
}

/** Dropped text is handled like a paste. ProseMirror moves what is dragged within the page. */
function drop(view: EditorView, event: DragEvent, context: PasteContext): boolean {
  const data = event.dataTransfer;
  if (data === null || !view.editable || view.dragging !== null) return false;
  // Otherwise the browser would open a dropped file instead of the page.
  event.preventDefault();
  const target = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (target === null || (data.getData('text/plain') === '' && data.getData('text/html') === '')) return true;
  const { state } = view;
  view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(target.pos))));
  pasteData(view, data, context, false);
  view.focus();
  return true;
}

function pasteData(view: EditorView, data: DataTransfer, context: PasteContext, isPlain: boolean): void {
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  const html = data.getData('text/html');
  startEmptyPage(view.state, view.dispatch);
  const { selection } = view.state;
  const { parent } = selection.$from;
  const isInFormula = formulaAround(view.state.doc, selection.from) !== null;
  const isSource = isCode(parent) || parent.type.name === MATH || isInFormula;
  const url = pastedUrl(text);
  if (url !== null && !selection.empty && !isSource && !(selection instanceof CellSelection)) {
    asOneStep(context.undo, () => linkSelection(view, url));
  } else if (isSource) insert(view, textInsertion(isInFormula ? text.replaceAll('\n', ' ') : text), context);
  else if (isPlain) insertRead(view, tableTarget(selection) === null ? textBlocks(text) : text, context);
  else if (html !== '' && !isMarkdownSource(data)) pasteHtml(view, html, context);
  else if (text.length <= MAX_CHARACTERS && gridOfText(text) === null && isMarkdown(text))
    pasteMarkdown(view, text, context);
  else insertRead(view, text, context);
  if (url !== null && parent.content.size === 0) view.dispatch(view.state.tr.setMeta(PASTED_URL, true));
}

const fetchGooglePictures: typeof fetchPictures = async (body, pictures) =>
  (await import('./google-pictures.ts')).fetchPictures(body, pictures);

function pasteHtml(view: EditorView, html: string, context: PasteContext): void {
  const { files } = context;
  const body = bodyOfHtml(html);
  const areWhole = hasWholeBlocks(body);
  if (files === null || !takesBlocks(view.state.selection))
    return insertRead(view, parseHtmlBlocks(body, { onTooLarge: reportTooLarge }), context, areWhole);
  const pictures = extractFromHtml(body);
  const mayFetch = html.includes('.googleusercontent.com/');
  const read = () =>
    parseHtmlBlocks(body, { onTooLarge: reportTooLarge, hasFile: (address) => pictures.find(address) !== null });
  if (pictures.count() === 0 && !mayFetch) return insertRead(view, read(), context, areWhole);
  const readWithPictures = async (added: AddedFiles) => {
    // If the code does not load, no picture is fetched.
    const isWhole = !mayFetch || (await fetchGooglePictures(body, pictures).catch(() => false));
    if (!isWhole) toast(FILE_TEXTS.notFetched);
    return copyFilesToPage(read(), added);
  };
  void pastePictures(view, readWithPictures, pictures, files, (ready) =>
    insert(view, blocksInsertion(view.state.schema, ready, areWhole), context),
  );
}

/** ProseMirror writes how far the copied slice was open at its ends: selected blocks are not. */
const hasWholeBlocks = (body: HTMLElement): boolean =>
  body.querySelector('[data-pm-slice]')?.getAttribute('data-pm-slice')?.startsWith('0 0') === true;

function pasteMarkdown(view: EditorView, text: string, context: PasteContext): void {
  const read = immediateBlocks(text);
  if (read !== null) return insertRead(view, read, context);
  const insertLater = rememberPlace(view);
  const later = (blocks: readonly PastedBlock[] | string, isComplete: boolean) => {
    const isInserted = insertLater(() => insertRead(view, blocks, context));
    if (isInserted && !isComplete) toast(CONTENT_TEXTS.markdownTooComplex);
  };
  // If the parser does not load, the text is inserted as it is.
  void blocksInBackground(text).then(
    ({ blocks, isComplete }) => later(blocks, isComplete),
    () => later(text, false),
  );
}

/** Inserts what was read. A string is plain text: it is taken as it is, except for tables and addresses. */
function insertRead(
  view: EditorView,
  read: string | readonly PastedBlock[],
  context: PasteContext,
  areWhole = false,
): void {
  const { undo, session, files } = context;
  if (pasteCells(view, { undo, mayGrow: (bytes) => session.mayGrow(bytes) }, read)) return;
  const { schema, selection } = view.state;
  const isText = typeof read === 'string';
  const added = files === null ? null : addedFiles(files);
  const insertion = takesBlocks(selection)
    ? blocksInsertion(schema, copyFilesToPage(isText ? tableOfText(read, textBlocks) : read, added), areWhole)
    : flatTextInsertion(schema, isText ? textBlocks(read) : read);
  if (!insert(view, insertion, context)) added?.cancelAll();
}

/** A cell and a caption hold only one text. */
const takesBlocks = (selection: Selection): boolean =>
  (selection.$from.depth === 0 || selection.$from.parent.type.name === BLOCK) && tableTarget(selection) === null;

/** Inserts everything or nothing: half a paste on a full page would be worse. Returns whether there was room. */
function insert(view: EditorView, insertion: Insertion, { undo, session }: PasteContext): boolean {
  if (!session.mayGrow(insertion.bytes)) return false;
  asOneStep(undo, () => insertion.insertInto(view));
  return true;
}

/** VS Code copies the syntax colors of its source; Markdown copied there is meant as Markdown. */
const isMarkdownSource = (data: DataTransfer): boolean =>
  /"mode":\s*"markdown"/.test(data.getData('vscode-editor-data'));

const textOfCells = ({ rows }: TableBlock): string =>
  tabbedText(rows.map((row) => row.map(({ runs }) => textOfRuns(runs))));

function linkSelection(view: EditorView, href: string): void {
  const { state } = view;
  const { from, to } = state.selection;
  view.dispatch(state.tr.addMark(from, to, state.schema.mark('link', { href })));
}

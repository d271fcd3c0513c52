// Builds the editor of one page on a session that is ready. Outside React: created once, destroyed once.
import { Editor, Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type * as Y from 'yjs';
import { BLOCK, bodyOf } from '../document/names.ts';
import { createUndo } from '../document/undo.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { WritableFiles } from '../ports/files.ts';
import type { Session } from '../sync/session/session-api.ts';
import { addFiles } from './files/add-files.ts';
import { EDITOR_ORIGIN } from './binding/binding-of.ts';
import type { EditContext } from './binding/edit-context.ts';
import { BlockButtons } from './blocks/block-buttons.ts';
import { NodeBoundaryKeys } from './blocks/node-boundary-keys.ts';
import { BlockIds } from './blocks/block-ids.ts';
import { BlockKeys } from './blocks/block-keys.ts';
import { BlockViews } from './blocks/block-views.ts';
import { ClickBelow } from './blocks/click-below.ts';
import { CardOffer } from './links/card-offer.ts';
import { ChangeMarks } from './changes/change-marks.ts';
import { blockSelecting } from './blocks/block-selection-keys.ts';
import { type CaretLayer, createCaretLayer } from './carets/caret-layer.ts';
import { clipboard } from './paste/clipboard.ts';
import { pauseWhileComposing } from './binding/pause-while-composing.ts';
import { CodeHighlight } from './code/highlight-decorations.ts';
import { CalloutBodies } from './blocks/callout-bodies.ts';
import { folding } from './blocks/folding.ts';
import { foldsOf } from './blocks/stored-folds.ts';
import { FileKeys } from './files/file-keys.ts';
import { BlockLink } from './blocks/block-link.ts';
import { emojiRule, emojiSource } from './typed-menu/emoji-source.tsx';
import { findInPage } from './find/find-in-page.ts';
import { freshSelection } from './binding/fresh-selection.ts';
import { selectForLink } from './links/link-commands.ts';
import { growthGuard } from './binding/growth-guard.ts';
import { type OnDetach, pageBinding } from './binding/page-binding.ts';
import { EmbedView } from './links/embed-view.ts';
import { inlineFormulaKeys } from './math/inline-formula-keys.ts';
import { InlineFormulas } from './math/inline-formulas.ts';
import { MathView } from './math/math-view.ts';
import { MARK_EXTENSIONS } from './schema/marks.ts';
import { markdownRules } from './typing/markdown-rules.ts';
import { mentionSource } from './typed-menu/mention-source.tsx';
import { type MentionNames, NO_NAMES } from './typed-menu/mention-names.ts';
import { BlockNode, DividerNode, PageNode, TextNode } from './schema/nodes.ts';
import { NON_TEXT_NODES } from './schema/non-text-nodes.ts';
import { recoveredText } from './recovered-text/recovered-text.ts';
import { nameNewLinks, offerNewPages } from './typed-menu/new-pages.ts';
import { pageLinkRule, pageSource } from './typed-menu/page-source.tsx';
import { ownCaret } from './carets/own-caret.ts';
import { PageBehaviour } from './blocks/page-behaviour.ts';
import { saveMarks } from './save-marks.ts';
import { EraseGrapheme } from './typing/erase-grapheme.ts';
import { smartTyping } from './typing/smart-typing.ts';
import { slashSource } from './typed-menu/slash-source.tsx';
import { ContinueInNewBlock } from './carets/continue-in-new-block.ts';
import { type TypedMenu, createTypedMenu } from './typed-menu/typed-menu.ts';
import { TableDecorations } from './tables/table-decorations.ts';
import { tableKeys } from './tables/table-keys.ts';
import { tableMouse } from './tables/table-mouse.ts';
import { dropMovedDuplicates } from './tables/drop-moved-duplicates.ts';
import { undoSteps } from './binding/undo-steps.ts';
import { SubpagesView } from './subpages/subpages-view.ts';
import { UnknownNode } from './schema/unknown-node.ts';
import '../ui/blocks/blocks.css';
import './editor.css';
import './typed-menu/typed-menu.css';

export type PageEditorParts = {
  readonly doc: Y.Doc;
  readonly editor: Editor;
  readonly carets: CaretLayer;
  readonly undo: Y.UndoManager;
  readonly context: EditContext;
  /**
   * Dispatches `link` to edit the link of the selected text, `find` for the find bar, `blockMenu` for the menu of
   * blocks.
   */
  readonly uiCommands: EventTarget;
  readonly menu: TypedMenu;
  /** Runs once when the whole page is drawn, at once if it is: a long page is drawn in slices. */
  whenWhole(run: () => void): Cancel;
  /** The people and pages that `@` and `[[` offer from now on. */
  setNames(names: MentionNames): void;
  destroy(): void;
};

/** The heights that cover the text: the page's bar at the top, and on phones the format bar at the bottom. */
const COVERED_PX = { top: 48, bottom: 48, left: 0, right: 0 };
/** The caret's line is kept this far away from what covers the text. */
const SCROLL_MARGIN_PX = 28;

/** `layer` lies over `element`. */
export function createPageEditor(options: {
  readonly session: Session;
  /** The session's current document. */
  readonly doc: Y.Doc;
  readonly element: HTMLElement;
  readonly layer: HTMLElement;
  readonly editable: boolean;
  readonly onDetach: OnDetach;
  /** The page's pictures and files; null if files cannot be stored. */
  readonly files?: WritableFiles | null;
}): PageEditorParts {
  const { session, doc, element, layer, editable, files = null } = options;
  const { awareness } = session;
  const undo = createUndo(doc, EDITOR_ORIGIN);
  const uiCommands = new EventTarget();
  let names = NO_NAMES;
  const menu = createTypedMenu(undo, [slashSource, mentionSource(() => names), pageSource(() => names), emojiSource]);
  const context: EditContext = { undo, mayGrow: (bytes) => session.mayGrow(bytes) };
  let carets: CaretLayer | null = null;
  let isWhole = false;
  const waiting = new Set<() => void>();
  const onWhole = (isNow: boolean) => {
    isWhole = isNow;
    if (!isNow) return;
    for (const run of waiting) run();
    waiting.clear();
  };
  const editor = new Editor({
    element,
    editable,
    // Replaced before anything can be written. Without a block the first selection would be outside any text.
    content: { type: 'doc', content: [{ type: BLOCK }] },
    injectCSS: false,
    enablePasteRules: false,
    // Tiptap's keymap also repairs documents after remote edits. Ours is in block-keys.ts.
    enableCoreExtensions: { keymap: false, clipboardTextSerializer: false, drop: false, paste: false, delete: false },
    extensions: [
      PageNode,
      TextNode,
      BlockNode,
      DividerNode,
      ...NON_TEXT_NODES,
      UnknownNode,
      ...MARK_EXTENSIONS,
      pageBinding(bodyOf(doc), undo, { onDetach: options.onDetach, onWhole }),
      undoSteps(undo),
      pauseWhileComposing(session),
      freshSelection(session),
      ContinueInNewBlock,
      BlockIds,
      PageBehaviour,
      BlockViews,
      BlockButtons,
      folding(foldsOf(session.documentId)),
      CalloutBodies,
      CodeHighlight,
      MathView,
      InlineFormulas,
      inlineFormulaKeys(undo),
      EmbedView,
      SubpagesView,
      NodeBoundaryKeys,
      ClickBelow,
      CardOffer,
      BlockKeys,
      ...menu.extensions,
      TableDecorations,
      tableMouse(context),
      tableKeys(context, uiCommands),
      dropMovedDuplicates(doc),
      blockSelecting(context, uiCommands),
      recoveredText(session, doc),
      markdownRules(undo),
      EraseGrapheme,
      smartTyping(undo),
      Extension.create({ name: 'typedNames', addInputRules: () => [emojiRule, pageLinkRule(() => names)] }),
      findInPage(() => uiCommands.dispatchEvent(new Event('find'))),
      BlockLink,
      FileKeys,
      addFiles(files, undo, session),
      clipboard(undo, session, files),
      growthGuard(session),
      Extension.create({
        name: 'linkKey',
        addKeyboardShortcuts() {
          return {
            // Without a selection it opens the palette, like everywhere else.
            'Mod-k': () => {
              const { state, view } = this.editor;
              if (state.selection.empty || !selectForLink(state, view.dispatch)) return false;
              return uiCommands.dispatchEvent(new Event('link'));
            },
          };
        },
      }),
      saveMarks(session, doc),
      ChangeMarks,
      ownCaret(awareness),
      Extension.create({
        name: 'remoteCarets',
        priority: 1,
        addProseMirrorPlugins: () => [new Plugin({ view: () => ({ update: () => carets?.refresh() }) })],
      }),
    ],
    editorProps: {
      scrollThreshold: COVERED_PX,
      scrollMargin: withMargin(COVERED_PX),
      attributes: {
        class: 'page-body',
        role: 'textbox',
        'aria-label': 'Page body',
        'aria-multiline': 'true',
        spellcheck: 'true',
        // Corrections by the browser's own tools arrive as normal edits.
        autocapitalize: 'sentences',
      },
    },
  });
  offerNewPages(editor, undo, () => names);
  carets = createCaretLayer(editor.view, layer, awareness);
  return {
    doc,
    editor,
    carets,
    undo,
    context,
    uiCommands,
    menu,
    whenWhole(run) {
      if (isWhole) run();
      else waiting.add(run);
      return () => void waiting.delete(run);
    },
    setNames(now) {
      names = now;
      if (isWhole) nameNewLinks(editor, now);
    },
    destroy() {
      waiting.clear();
      carets?.destroy();
      editor.destroy();
      undo.destroy();
    },
  };
}

const withMargin = ({ top, bottom, left, right }: typeof COVERED_PX) => ({
  top: top + SCROLL_MARGIN_PX,
  bottom: bottom + SCROLL_MARGIN_PX,
  left,
  right,
});

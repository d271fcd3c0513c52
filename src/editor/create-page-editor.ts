// Builds the editor of one page on a session that is ready. Outside React: created once, destroyed once.
import { Editor, type EditorOptions } from '@tiptap/core';
import { BLOCK } from 'weft-document/names.ts';
import { asOneStep, createUndo } from 'weft-document/undo.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../lib/cancel.ts';
import type { WritableFiles } from '../ports/files.ts';
import { EDITOR_ORIGIN } from './binding/binding-of.ts';
import type { EditContext } from './binding/edit-context.ts';
import type { OnDetach } from './binding/page-binding.ts';
import { type CaretLayer, createCaretLayer } from './carets/caret-layer.ts';
import { pageExtensions } from './page-extensions.ts';
import { emojiSource } from './typed-menu/emoji-source.tsx';
import { type MentionNames, NO_NAMES } from './typed-menu/mention-names.ts';
import { mentionSource } from './typed-menu/mention-source.tsx';
import { nameNewLinks, offerNewPages } from './typed-menu/new-pages.ts';
import { pageSource } from './typed-menu/page-source.tsx';
import { slashSource } from './typed-menu/slash-source.tsx';
import { TypedMenu } from './typed-menu/typed-menu.ts';
import { UiCommands } from './ui-commands.ts';
import '../ui/blocks/blocks.css';
import './editor.css';
import './typed-menu/typed-menu.css';

export type PageEditorParts = {
  readonly doc: Y.Doc;
  /** When the history of this document began again (HI9 in src/sync/SPEC.md), in ms since 1970; 0: never. */
  readonly historyBeganAt: number;
  readonly editor: Editor;
  readonly carets: CaretLayer;
  readonly undo: Y.UndoManager;
  readonly context: EditContext;
  /**
   * Dispatches what keys and buttons in the text ask other tools for, such as `link` for the form of a link, `find` for
   * the find bar, `blockMenu` for the menu of blocks.
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

const EDITOR_PROPS: EditorOptions['editorProps'] = {
  scrollThreshold: COVERED_PX,
  scrollMargin: { ...COVERED_PX, top: COVERED_PX.top + SCROLL_MARGIN_PX, bottom: COVERED_PX.bottom + SCROLL_MARGIN_PX },
  attributes: {
    class: 'page-body',
    role: 'textbox',
    'aria-label': 'Page body',
    'aria-multiline': 'true',
    spellcheck: 'true',
    // Corrections by the browser's own tools arrive as normal edits.
    autocapitalize: 'sentences',
  },
};

const pageMenu = (undo: Y.UndoManager, names: () => MentionNames) =>
  new TypedMenu((run) => asOneStep(undo, run), [slashSource, mentionSource(names), pageSource(names), emojiSource]);

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
  const uiCommands = new UiCommands();
  let names = NO_NAMES;
  const menu = pageMenu(undo, () => names);
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
    extensions: pageExtensions({
      session,
      doc,
      undo,
      context,
      uiCommands,
      menu,
      files,
      names: () => names,
      refreshCarets: () => carets?.refresh(),
      onDetach: options.onDetach,
      onWhole,
    }),
    editorProps: EDITOR_PROPS,
  });
  offerNewPages(editor, undo, () => names);
  carets = createCaretLayer(editor.view, layer, awareness);
  return {
    doc,
    historyBeganAt: session.historyBeganAt,
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

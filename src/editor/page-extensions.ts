// The extensions of a page's editor. Of two with the same priority, the later one gets a key first: Tiptap reverses the
// list.
import { Extension, type Extensions } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { bodyOf } from 'weft-document/names.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import type { WritableFiles } from '../ports/files.ts';
import type { EditContext } from './binding/edit-context.ts';
import { freshSelection } from './binding/fresh-selection.ts';
import { growthGuard } from './binding/growth-guard.ts';
import { type OnDetach, pageBinding } from './binding/page-binding.ts';
import { pauseWhileComposing } from './binding/pause-while-composing.ts';
import { undoSteps } from './binding/undo-steps.ts';
import { blockButtons } from './blocks/block-buttons.ts';
import { BlockIds } from './blocks/block-ids.ts';
import { BlockKeys } from './blocks/block-keys.ts';
import { BlockLink } from './blocks/block-link.ts';
import { blockSelecting } from './blocks/block-selection-keys.ts';
import { BlockViews } from './blocks/block-views.ts';
import { CalloutBodies } from './blocks/callout-bodies.ts';
import { ClickBelow } from './blocks/click-below.ts';
import { folding } from './blocks/folding.ts';
import { NodeBoundaryKeys } from './blocks/node-boundary-keys.ts';
import { PageBehaviour } from './blocks/page-behaviour.ts';
import { foldsOf } from './blocks/stored-folds.ts';
import { ContinueInNewBlock } from './carets/continue-in-new-block.ts';
import { ownCaret } from './carets/own-caret.ts';
import { ChangeMarks } from './changes/change-marks.ts';
import { CodeHighlight } from './code/highlight-decorations.ts';
import { CommentPlugin } from './comments/comment-plugin.ts';
import { addFiles } from './files/add-files.ts';
import { FileKeys } from './files/file-keys.ts';
import { findInPage } from './find/find-in-page.ts';
import { CardOffer } from './links/card-offer.ts';
import { EmbedView } from './links/embed-view.ts';
import { linkKey } from './links/link-key.ts';
import { inlineFormulaKeys } from './math/inline-formula-keys.ts';
import { InlineFormulas } from './math/inline-formulas.ts';
import { MathView } from './math/math-view.ts';
import { clipboard } from './paste/clipboard.ts';
import { recoveredText } from './recovered-text/recovered-text.ts';
import { saveMarks } from './save-marks.ts';
import { MARK_EXTENSIONS } from './schema/marks.ts';
import { BlockNode, DividerNode, PageNode, TextNode } from './schema/nodes.ts';
import { NON_TEXT_NODES } from './schema/non-text-nodes.ts';
import { UnknownNode } from './schema/unknown-node.ts';
import { SubpagesView } from './subpages/subpages-view.ts';
import { dropMovedDuplicates } from './tables/drop-moved-duplicates.ts';
import { TableDecorations } from './tables/table-decorations.ts';
import { tableKeys } from './tables/table-keys.ts';
import { tableMouse } from './tables/table-mouse.ts';
import { emojiRule } from './typed-menu/emoji-source.tsx';
import type { MentionNames } from './typed-menu/mention-names.ts';
import { pageLinkRule } from './typed-menu/page-source.tsx';
import type { TypedMenu } from './typed-menu/typed-menu.ts';
import { EraseGrapheme } from './typing/erase-grapheme.ts';
import { markdownRules } from './typing/markdown-rules.ts';
import { smartTyping } from './typing/smart-typing.ts';

type PageExtensionOptions = {
  readonly session: Session;
  readonly doc: Y.Doc;
  readonly undo: Y.UndoManager;
  readonly context: EditContext;
  readonly uiCommands: EventTarget;
  readonly menu: TypedMenu;
  readonly files: WritableFiles | null;
  readonly names: () => MentionNames;
  readonly refreshCarets: () => void;
  readonly onDetach: OnDetach;
  readonly onWhole: (isNow: boolean) => void;
};

export function pageExtensions(options: PageExtensionOptions): Extensions {
  const { session, doc, undo, context, uiCommands, menu, files, names, refreshCarets, onDetach, onWhole } = options;
  return [
    PageNode,
    TextNode,
    BlockNode,
    DividerNode,
    ...NON_TEXT_NODES,
    UnknownNode,
    ...MARK_EXTENSIONS,
    pageBinding(bodyOf(doc), undo, { onDetach, onWhole }),
    undoSteps(undo),
    pauseWhileComposing(session),
    freshSelection(session),
    ContinueInNewBlock,
    BlockIds,
    PageBehaviour,
    BlockViews,
    blockButtons(uiCommands),
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
    Extension.create({ name: 'typedNames', addInputRules: () => [emojiRule, pageLinkRule(names)] }),
    findInPage(() => uiCommands.dispatchEvent(new Event('find'))),
    BlockLink,
    FileKeys,
    addFiles(files, undo, session),
    clipboard(undo, session, files),
    growthGuard(session),
    linkKey(uiCommands),
    saveMarks(session, doc),
    ChangeMarks,
    CommentPlugin,
    ownCaret(session.awareness),
    Extension.create({
      name: 'remoteCarets',
      priority: 1,
      addProseMirrorPlugins: () => [new Plugin({ view: () => ({ update: refreshCarets }) })],
    }),
  ];
}

// What the rest of the screen, such as the page's menu and its comments, can ask the editor for.
import type { Editor } from '@tiptap/core';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { type TextCounts, textCounts } from 'weft-document/body/text-counts.ts';
import { inSteps } from '../lib/async/in-steps.ts';
import type { Cancel } from '../lib/cancel.ts';
import { addressOfBlock } from './blocks/block-link.ts';
import type { CommentMarks } from './comments/comment-marks.ts';
import { onPageKeys } from './comments/page-keys.ts';
import type { PageEditorParts } from './create-page-editor.ts';
import type { EditorPlaces } from './following/editor-places.ts';
import { type PageHeading, goToHeading, headingsOf } from './outline/headings.ts';
import { elementOf } from './recovered-text/recovered-text-widgets.ts';
import type { RecoveredTexts } from './recovered-text/recovered-texts.ts';
import { isSmartTyping, setSmartTyping } from './typing/smart-typing-choice.ts';

export interface PageTools {
  /** Opens the bar for find and replace. */
  readonly find: () => void;
  readonly headings: () => readonly PageHeading[];
  /** The heading may have moved since it was returned. */
  readonly goTo: (heading: PageHeading) => void;
  readonly counts: () => Promise<TextCounts>;
  /** The URL of the block with the caret, which may get an id, based on the page's URL; null if there is none. */
  readonly addressOfBlock: (page: string) => string | null;
  /** The number of cards with recovered text. */
  readonly countRecoveredText: () => number;
  /** Scrolls to the newest of these cards and puts the focus on its first button. */
  readonly showRecoveredText: () => void;
  readonly isSmartTyping: () => boolean;
  readonly setSmartTyping: (on: boolean) => void;
  /** For those who follow someone or present; few do, so the code loads when it is needed. */
  readonly places: () => Promise<EditorPlaces>;
  /** The same ones at each call. They end with these tools. */
  readonly comments: () => Promise<CommentMarks>;
  /** Runs when someone asks for a new comment, by key or button. Without a listener the key does nothing. */
  readonly onComment: (run: (isByKey: boolean) => void) => Cancel;
}

export const pageTools = (parts: PageEditorParts, recovered: RecoveredTexts): PageTools => {
  const { doc, editor, carets, uiCommands } = parts;
  return {
    find: () => void uiCommands.dispatchEvent(new Event('find')),
    headings: () => headingsOf(editor),
    goTo: (heading) => goToHeading(editor, nearest(editor, heading)),
    counts: () => inSteps(textCounts(parseBody(doc))),
    addressOfBlock: (page) => addressOfBlock(editor, page),
    countRecoveredText: () => recovered.get().length,
    showRecoveredText() {
      const newest = recovered.get().at(-1);
      const card = newest === undefined ? null : elementOf(recovered, newest);
      card?.scrollIntoView({ block: 'center', behavior: 'instant' });
      card?.querySelector('button')?.focus({ preventScroll: true });
    },
    isSmartTyping,
    setSmartTyping,
    places: async () => (await import('./following/editor-places.ts')).editorPlaces(editor, carets),
    comments: async () => (await import('./comments/editor-comments.ts')).commentMarksOf(parts),
    onComment(run) {
      const onAsked = () => run(false);
      uiCommands.addEventListener('comment', onAsked);
      const stopKey = onPageKeys(editor, {
        'Mod-Alt-m': () => {
          run(true);
          return true;
        },
      });
      return () => {
        uiCommands.removeEventListener('comment', onAsked);
        stopKey();
      };
    },
  };
};

/** The heading with the same text and level that is nearest to its old position. */
function nearest(editor: Editor, heading: PageHeading): PageHeading {
  const same = headingsOf(editor).filter(({ text, level }) => text === heading.text && level === heading.level);
  const [first = heading, ...others] = same;
  return others.reduce(
    (best, one) => (Math.abs(one.at - heading.at) < Math.abs(best.at - heading.at) ? one : best),
    first,
  );
}

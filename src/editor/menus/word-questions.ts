// Questions about the selected words: the menus of the editor ask them, and dialogs of the page's screen answer.
import type { Editor } from '@tiptap/core';

export type WordQuestions = {
  /** Asks who wrote them or, with `erase`, whether to erase them for good. */
  readonly ask: (editor: Editor, erase: boolean) => void;
  readonly mayErase: boolean;
};

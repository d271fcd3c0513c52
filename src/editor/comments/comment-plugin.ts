// Holds the marks of the threads and moves them with every edit. `editor-comments.ts`, which loads after the text,
// makes them.
import { Extension } from '@tiptap/core';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { DecorationSet } from '@tiptap/pm/view';

export type HeldMarks = {
  readonly set: DecorationSet;
  /** An edit removed a mark together with its words, which may stand elsewhere. */
  readonly isIncomplete: boolean;
};

export const commentMarksKey = new PluginKey<HeldMarks>('commentMarks');

const NONE: HeldMarks = { set: DecorationSet.empty, isIncomplete: false };

export const CommentPlugin = Extension.create({
  name: 'commentMarks',
  addProseMirrorPlugins: () => [
    new Plugin<HeldMarks>({
      key: commentMarksKey,
      state: {
        init: () => NONE,
        apply(transaction, held) {
          const given: unknown = transaction.getMeta(commentMarksKey);
          if (given instanceof DecorationSet) return { set: given, isIncomplete: false };
          if (!transaction.docChanged || held.set === DecorationSet.empty) return held;
          let { isIncomplete } = held;
          const onRemove = () => {
            isIncomplete = true;
          };
          return { set: held.set.map(transaction.mapping, transaction.doc, { onRemove }), isIncomplete };
        },
      },
      props: { decorations: (state) => commentMarksKey.getState(state)?.set },
    }),
  ],
});

// Holds the marks of what changed since a visit. `editor-changes.tsx`, which loads only if something changed, makes them.
import { Extension } from '@tiptap/core';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { DecorationSet } from '@tiptap/pm/view';

export const changeMarksKey = new PluginKey<DecorationSet>('changeMarks');

export const ChangeMarks = Extension.create({
  name: 'changeMarks',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: changeMarksKey,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, marks) {
          const given: unknown = transaction.getMeta(changeMarksKey);
          if (given instanceof DecorationSet) return given;
          return transaction.docChanged ? marks.map(transaction.mapping, transaction.doc) : marks;
        },
      },
      props: { decorations: (state) => changeMarksKey.getState(state) },
    }),
  ],
});

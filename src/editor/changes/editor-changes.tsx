// The changes since a visit, in the editor: draws the marks as decorations and shows the bar with the steps.
import type { Editor } from '@tiptap/core';
import { DecorationSet } from '@tiptap/pm/view';
import { useEffect, useSyncExternalStore } from 'react';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import type * as Y from 'yjs';
import { readDomSelection } from '../binding/fresh-selection.ts';
import { changeMarksKey } from './change-marks.ts';
import { drawMarks } from './draw-marks.ts';
import { scrollToChange } from './show-step.ts';
import { type VisitChanges, useChangeSteps } from './use-change-steps.tsx';

type EditorChangesProps = { readonly editor: Editor; readonly doc: Y.Doc; readonly changes: VisitChanges };

export function EditorChanges({ editor, doc, changes }: EditorChangesProps) {
  const body = bodyViewOf(doc);
  const blocks = useSyncExternalStore(body.subscribe, body.get);
  const { shown, stepper } = useChangeSteps(changes, blocks, (step, key) => {
    const index = blocks.findIndex((block) => block.key === key);
    const element = editor.view.dom.querySelector(`[data-step="${step}"]`) ?? editor.view.dom.children.item(index);
    scrollToChange(element);
  });
  useEffect(() => {
    // After each edit too: where a remote edit replaced blocks, their marks are gone.
    const { view } = editor;
    const { doc: page } = view.state;
    if (editor.isDestroyed || page.childCount !== blocks.length) return;
    if (!view.composing) readDomSelection(view);
    const marks = shown === null ? DecorationSet.empty : drawMarks(view.state.doc, blocks, shown);
    view.dispatch(view.state.tr.setMeta(changeMarksKey, marks));
  }, [editor, blocks, shown]);
  return stepper;
}

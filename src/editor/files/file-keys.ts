// Keys at pictures and files: Enter leaves a caption; Backspace and Delete next to a picture or file select it before
// they delete it, and never join a caption with the text around it. + and - set the width of a selected picture.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type Command, NodeSelection, type Selection, TextSelection } from '@tiptap/pm/state';
import { parseImage } from 'weft-document/body/parse-body.ts';
import { FILE, IMAGE } from 'weft-document/names.ts';
import { BlockSelection } from '../blocks/block-selection.ts';
import { AttributesStep } from '../schema/attributes-step.ts';
import { boundedSize, percentOf } from './size-handle.ts';

const STEP_PERCENT = 10;
const NAMES: readonly string[] = [IMAGE, FILE];
const isFile = (node: Node | null | undefined): node is Node => node != null && NAMES.includes(node.type.name);

export const FileKeys = Extension.create({
  name: 'fileKeys',
  priority: 600,
  addKeyboardShortcuts() {
    const run = (command: Command) => () => command(this.editor.state, this.editor.view.dispatch, this.editor.view);
    return {
      Enter: run(leaveCaption),
      Backspace: run(selectBefore),
      Delete: run(selectAfter),
      '+': run(resize(STEP_PERCENT)),
      '=': run(resize(STEP_PERCENT)),
      '-': run(resize(-STEP_PERCENT)),
    };
  },
});

const leaveCaption: Command = ({ selection, tr, schema }, dispatch) => {
  const { $from } = selection;
  if (selection instanceof NodeSelection || $from.depth === 0 || $from.parent.type.name !== IMAGE) return false;
  const end = $from.after(1);
  tr.insert(end, schema.node('block'));
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView());
  return true;
};

/** At the start of a caption selects its picture; at the start of a plain paragraph, the picture or file above. */
const selectBefore: Command = ({ selection, tr, doc }, dispatch) => {
  const { $from, empty } = selection;
  if (selection instanceof NodeSelection || !empty || $from.depth === 0 || $from.parentOffset > 0) return false;
  const start = $from.before(1);
  if ($from.parent.type.name === IMAGE) {
    dispatch?.(tr.setSelection(NodeSelection.create(doc, start)));
    return true;
  }
  const before = doc.resolve(start).nodeBefore;
  // A line with an indent or another kind first becomes a plain paragraph, as everywhere.
  const isPlain = $from.parent.attrs['kind'] === 'paragraph' && $from.parent.attrs['indent'] === null;
  if (!isFile(before) || !isPlain) return false;
  const at = start - before.nodeSize;
  if ($from.parent.content.size === 0 && $from.index(0) < doc.childCount - 1) tr.delete(start, $from.after(1));
  dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView());
  return true;
};

const selectAfter: Command = ({ selection, tr, doc }, dispatch) => {
  const { $from, empty } = selection;
  if (selection instanceof NodeSelection || !empty || $from.depth !== 1) return false;
  if ($from.parentOffset < $from.parent.content.size) return false;
  const end = $from.after(1);
  const isCaption = $from.parent.type.name === IMAGE;
  const next = doc.nodeAt(end);
  if (isFile(next)) dispatch?.(tr.setSelection(NodeSelection.create(doc, end)).scrollIntoView());
  return isCaption || isFile(next);
};

/** Starts from the drawn width: a small picture is narrower than the column. */
const resize =
  (by: number): Command =>
  ({ selection, tr }, dispatch, view) => {
    const node = selectedPicture(selection);
    if (node === null) return false;
    const { from } = selection;
    const figure = view?.nodeDOM(from);
    const picture = figure instanceof HTMLElement ? figure.querySelector<HTMLElement>('.picture') : null;
    const drawn = figure instanceof HTMLElement && picture !== null ? percentOf(picture, figure) : 100;
    const size = boundedSize((parseImage(node.attrs).size ?? drawn) + by);
    tr.step(new AttributesStep(new Map([[from, { size }]])));
    dispatch?.(selection instanceof NodeSelection ? tr.setSelection(NodeSelection.create(tr.doc, from)) : tr);
    return true;
  };

/** Selected by a click, or as a block (Escape). */
function selectedPicture(selection: Selection): Node | null {
  if (selection instanceof NodeSelection) return selection.node.type.name === IMAGE ? selection.node : null;
  if (!(selection instanceof BlockSelection) || selection.blocks.to - selection.blocks.from !== 1) return null;
  const node = selection.$from.nodeAfter;
  return node?.type.name === IMAGE ? node : null;
}

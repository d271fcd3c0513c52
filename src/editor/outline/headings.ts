// The headings of a page in the editor, which one the reader is at, and how to get to one.
import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { showBlock } from '../blocks/block-link.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';

export type PageHeading = {
  readonly text: string;
  readonly level: 1 | 2 | 3;
  /** The position before the heading's block, when the headings were read. */
  readonly at: number;
};

export function headingsOf({ state }: Editor): readonly PageHeading[] {
  const headings: PageHeading[] = [];
  state.doc.forEach((node, at) => {
    // The attribute is checked first: this walks through all blocks, and most are not headings.
    if (node.attrs['kind'] !== 'heading' || !isBlock(node)) return;
    const text = node.textContent.trim();
    if (text !== '') headings.push({ text, level: styleOf(node).level, at });
  });
  return headings;
}

/** Index of the last heading that has scrolled up to the page's bar; -1 above the first. */
export function currentHeading({ view }: Editor, headings: readonly PageHeading[]): number {
  return headings.findLastIndex(({ at }) => {
    const element = view.nodeDOM(at);
    if (!(element instanceof Element)) return false;
    const { top, height } = element.getBoundingClientRect();
    // A heading in a folded block has no place.
    return height > 0 && top < READING_PX;
  });
}

/** From the top of the window: below the bar, with some margin. */
const READING_PX = 120;

/** Scrolls to a heading and puts the caret there, so that keyboard users continue from it. */
export function goToHeading(editor: Editor, { at }: PageHeading): void {
  const { state, view } = editor;
  if (isBlock(state.doc.nodeAt(at))) view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, at + 1)));
  view.focus();
  showBlock(view, at);
}

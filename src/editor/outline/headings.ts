// The headings of a page in its editor, and which one the reader is under.
import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { showBlock } from '../blocks/block-link.ts';

export type PageHeading = {
  readonly text: string;
  readonly level: 1 | 2 | 3;
  /** Before its block, now. */
  readonly at: number;
};

export function headingsOf({ state }: Editor): readonly PageHeading[] {
  const headings: PageHeading[] = [];
  state.doc.forEach((node, at) => {
    // Asked of the attribute first: most blocks are none, and this walks through all of them.
    if (node.attrs['kind'] !== 'heading' || !isBlock(node)) return;
    const text = node.textContent.trim();
    if (text !== '') headings.push({ text, level: styleOf(node).level, at });
  });
  return headings;
}

/** Index of the last heading whose line has come up under the page's bar; -1 above the first. */
export function currentHeading({ view }: Editor, headings: readonly PageHeading[]): number {
  return headings.findLastIndex(({ at }) => {
    const element = view.nodeDOM(at);
    return element instanceof Element && element.getBoundingClientRect().top < READING_PX;
  });
}

/** From the window's top: under the bar, with some room. */
const READING_PX = 120;

/** Scrolls to a heading and puts the caret there, so that a keyboard goes on from it. */
export function goToHeading(editor: Editor, { at }: PageHeading): void {
  const { state, view } = editor;
  if (isBlock(state.doc.nodeAt(at))) view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, at + 1)));
  view.focus();
  showBlock(view, at);
}

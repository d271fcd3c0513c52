// Setting, changing and removing links, as ProseMirror commands.
import { type Command, type EditorState, TextSelection } from '@tiptap/pm/state';
import { isCode } from '../schema/block-at.ts';

/**
 * Selects the text that can become a link: the selection, or the whole link or word that contains the caret. Beside no word
 * the caret stays, and the address or the page's title will be the text. False in code.
 */
export const selectForLink: Command = (state, dispatch) => {
  const { selection } = state;
  if (isCode(selection.$from.parent)) return false;
  if (!selection.empty) return true;
  const range = linkAround(state) ?? wordAround(state);
  if (range !== null) dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, range.from, range.to)));
  return selection instanceof TextSelection;
};

/**
 * `href` has passed `parseTypedUrl`, or is a page's; null removes the link. At a caret `text` is written, by default the address.
 */
export const setLink =
  (href: string | null, text = href === null ? '' : textOfAddress(href)): Command =>
  (state, dispatch) => {
    const { from, to, empty } = state.selection;
    const link = state.schema.marks['link'];
    if (link === undefined || (empty && href === null)) return false;
    const transaction = state.tr;
    if (empty && href !== null) {
      transaction.replaceSelectionWith(state.schema.text(text, [link.create({ href })]), false);
      dispatch?.(transaction.removeStoredMark(link));
      return true;
    }
    transaction.removeMark(from, to, link);
    if (href !== null) transaction.addMark(from, to, link.create({ href }));
    dispatch?.(transaction.removeStoredMark(link));
    return true;
  };

/** Removes the whole link that contains the caret. */
export const removeLinkHere: Command = (state, dispatch) => {
  const range = linkAround(state);
  const link = state.schema.marks['link'];
  if (range === null || link === undefined) return false;
  dispatch?.(state.tr.removeMark(range.from, range.to, link));
  return true;
};

/** "weft.example" for https://weft.example/, and the address alone for mailto: and tel:. */
function textOfAddress(href: string): string {
  return href.replace(/^(?:https?:\/\/|mailto:|tel:)/, '').replace(/\/$/, '') || href;
}

const WORD_BEFORE = /[\p{L}\p{N}\p{M}_'’-]*$/u;
const WORD_AFTER = /^[\p{L}\p{N}\p{M}_'’-]*/u;

function wordAround({ selection: { $from } }: EditorState): { readonly from: number; readonly to: number } | null {
  const { parent, parentOffset, pos } = $from;
  // Anything but text counts as one character, as it does in positions.
  const text = (from: number, to: number) => parent.textBetween(from, to, undefined, '\uFFFC');
  const before = WORD_BEFORE.exec(text(0, parentOffset))?.[0].length ?? 0;
  const after = WORD_AFTER.exec(text(parentOffset, parent.content.size))?.[0].length ?? 0;
  return before + after === 0 ? null : { from: pos - before, to: pos + after };
}

export type LinkRange = { readonly from: number; readonly to: number; readonly href: unknown };

/** The link that contains the caret or the start of the selection. */
export function linkAround(state: EditorState): LinkRange | null {
  const { $from } = state.selection;
  const hrefAt = (node: { marks: readonly { type: { name: string }; attrs: Record<string, unknown> }[] }) =>
    node.marks.find((mark) => mark.type.name === 'link')?.attrs['href'];
  const here = $from.nodeAfter ?? $from.nodeBefore;
  const href = here === null ? undefined : hrefAt(here);
  if (href === undefined) return null;
  let range: LinkRange | null = null;
  $from.parent.forEach((node, offset) => {
    const from = $from.start() + offset;
    const to = from + node.nodeSize;
    if (hrefAt(node) !== href) return;
    if (range !== null && range.to === from) range = { from: range.from, to, href };
    else if (range === null || range.to < $from.pos) range = { from, to, href };
  });
  return range;
}

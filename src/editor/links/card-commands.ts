// Edits a link card, and converts a link into a card and back. The text is kept: a card's title becomes the link's
// text, and a link's text the title.
import type { Node } from '@tiptap/pm/model';
import { type Command, NodeSelection, TextSelection } from '@tiptap/pm/state';
import { parseEmbed } from 'weft-document/body/parse-body.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { BLOCK, EMBED } from 'weft-document/names.ts';
import { AttributesStep } from '../schema/attributes-step.ts';
import { isBlock } from '../schema/block-at.ts';

/** Sets the URL and title of the card at `at`. */
export const setCard =
  (at: number, card: { readonly url: string; readonly title: string }): Command =>
  (state, dispatch) => {
    if (state.doc.nodeAt(at)?.type.name !== EMBED) return false;
    const attributes = { url: card.url, title: card.title === '' ? null : card.title };
    const transaction = state.tr.step(new AttributesStep(new Map([[at, attributes]])));
    dispatch?.(transaction.setSelection(NodeSelection.create(transaction.doc, at)));
    return true;
  };

/** Replaces the card at `at` by a line with the link. */
export const cardToLink =
  (at: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    if (node?.type.name !== EMBED) return false;
    const { url, title } = parseEmbed(node.attrs);
    const words = title !== '' ? title : (url ?? '');
    const marks = url === null ? [] : [state.schema.mark('link', { href: url })];
    const line = state.schema.node(BLOCK, null, words === '' ? [] : [state.schema.text(words, marks)]);
    const transaction = state.tr.replaceWith(at, at + node.nodeSize, line);
    const end = TextSelection.create(transaction.doc, at + 1 + line.content.size);
    dispatch?.(transaction.setSelection(end).scrollIntoView());
    return true;
  };

/** Makes a card of the link that is the whole text of the block at `at`. */
export const linkToCard =
  (at: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    const url = isBlock(node) ? onlyLink(node) : null;
    if (!isBlock(node) || url === null) return false;
    const words = node.textContent.trim();
    const title = words === url ? null : words;
    // The block stays below with its id and without the text, for writing on.
    const transaction = state.tr.delete(at + 1, at + 1 + node.content.size);
    transaction.insert(at, state.schema.node(EMBED, { url, title }));
    dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, at + 2)).scrollIntoView());
    return true;
  };

/** The URL, if the whole text of a block is one link. */
export function onlyLink(block: Node): string | null {
  const [first, ...others] = block.children;
  if (first === undefined || others.length > 0) return null;
  return parseLinkUrl(first.marks.find((mark) => mark.type.name === 'link')?.attrs['href']);
}

// Blocks as a fragment for the clipboard: HTML that other programs can read, with each block's attributes for Weft.
import type { Block } from 'weft-document/blocks/block.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';

/** `from` is the page that the pictures and files belong to. */
export function copiedHtml(blocks: readonly Block[], from: DocumentId | null): DocumentFragment {
  const fragment = document.createDocumentFragment();
  // Parsed in a separate document, where nothing runs or loads.
  const html = blocksToHtml(blocks, { roundTrip: true, document: from });
  fragment.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
  return fragment;
}

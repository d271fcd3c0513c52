// Places in a page that is drawn without an editor.
import type { Block } from 'weft-document/blocks/block.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import type { PlaceBox } from './keep-in-view.ts';

/** Null if the block is not on the page, or while nothing at or above the place is drawn. */
export function boxOfPlace(content: Element, blocks: readonly Block[], { block, offset }: Place): PlaceBox | null {
  const at = blocks.findIndex(({ id }) => id === block);
  if (at < 0) return null;
  const element = elementOf(content, blocks[at]);
  if (element !== null) return boxInBlock(element, offset);
  // A folded toggle hides it, or a long page is still being drawn.
  for (let above = at - 1; above >= 0; above--) {
    const drawn = elementOf(content, blocks[above]);
    if (drawn !== null) return drawn.getBoundingClientRect();
  }
  return null;
}

export const boxOfBlock = (content: Element, key: string): PlaceBox | null =>
  content.querySelector(`[data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect() ?? null;

const elementOf = (content: Element, block: Block | undefined): Element | null =>
  block === undefined ? null : content.querySelector(`[data-key="${CSS.escape(block.key)}"]`);

/** The line of a character. A drawn formula counts as no characters: its source is not on the page. */
function boxInBlock(element: Element, offset: number): PlaceBox {
  let left = offset;
  for (const text of element.querySelectorAll('.block-text')) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof Element && node.matches('.formula-shown') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!(node instanceof Text)) continue;
      if (left <= node.length) return lineAt(node, left) ?? element.getBoundingClientRect();
      left -= node.length;
    }
  }
  return element.getBoundingClientRect();
}

function lineAt(text: Text, offset: number): PlaceBox | null {
  const range = document.createRange();
  range.setStart(text, offset);
  const box = range.getBoundingClientRect();
  // Text that has no layout has an empty box.
  return box.height === 0 ? null : { top: box.top, bottom: box.bottom };
}

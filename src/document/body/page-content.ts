// Title and blocks of a page at one moment, for readers that compare moments. A block is parsed again only after a change, so
// equal objects are equal blocks.
import type * as Y from 'yjs';
import type { Block } from '../blocks/block.ts';
import { bodyParts } from '../body-parts.ts';
import { bodyOf } from '../names.ts';
import { titleText } from '../title.ts';
import { parsePart } from './parse-body.ts';

export type PageContent = { readonly title: string; readonly blocks: readonly Block[] };

/** Returns a function that reads the page. It listens to the document for as long as that lives. */
export function pageContentOf(doc: Y.Doc): () => PageContent {
  const parsed = new WeakMap<object, Block>();
  // `observeDeep` would make an event with a path for each changed block: minutes for a hostile row.
  doc.on('afterTransaction', ({ changedParentTypes }: Y.Transaction) => {
    for (const type of changedParentTypes.keys()) parsed.delete(type);
  });
  return () => ({
    title: titleText(doc),
    blocks: bodyParts(bodyOf(doc)).map((part) => {
      if (part.element === null) return parsePart(part);
      const block = parsed.get(part.element) ?? parsePart(part);
      parsed.set(part.element, block);
      return block;
    }),
  });
}

// Title and blocks of a page at one moment, for readers that compare moments: equal objects are equal blocks.
import type * as Y from 'yjs';
import type { Block } from '../blocks/block.ts';
import { titleText } from '../title.ts';
import { bodyViewOf } from './body-view.ts';

export type PageContent = { readonly title: string; readonly blocks: readonly Block[] };

/** Returns a function that reads the page. It listens to the document for as long as that lives. */
export function pageContentOf(doc: Y.Doc): () => PageContent {
  const body = bodyViewOf(doc);
  return () => ({ title: titleText(doc), blocks: body.get() });
}

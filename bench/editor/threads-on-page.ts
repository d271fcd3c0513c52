// Threads about words in all of a page, from its beginning to its end.
import { textAnchor } from 'weft-document/comments/make-anchor.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import type { Anchor } from '../../src/protocol/comments.ts';
import type { ThreadId } from '../../src/protocol/ids.ts';
import { newThreadId } from '../../src/protocol/new-ids.ts';
import type { LongPage } from './long-page.ts';

/** The words of each, by characters of their paragraph. */
const WORDS = { from: 4, to: 24 } as const;

export type PageThread = { readonly id: ThreadId; readonly anchor: Anchor };

/** One of them is in the paragraph in the middle, where people type. */
export function threadsOnPage({ doc, blocks, middle }: LongPage, count: number): readonly PageThread[] {
  const body = bodyOf(doc);
  const every = blocks / count;
  const places = [middle, ...Array.from({ length: count - 1 }, (_, nth) => Math.floor(nth * every))];
  return places.flatMap((at) => {
    const block = body.get(at);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    // The table has no text of its own.
    if (!(text instanceof Y.XmlText)) return [];
    const [from, to] = [WORDS.from, WORDS.to].map((index) => Y.createRelativePositionFromTypeIndex(text, index));
    const anchor = from === undefined || to === undefined ? null : textAnchor(doc, from, to);
    return anchor === null ? [] : [{ id: newThreadId(), anchor }];
  });
}

// Comments on a page in tests: a thread on words, and what it is on after edits.
import { AnchorIndex, type MovedAnchor } from 'weft-document/comments/anchor-index.ts';
import { findAnchor } from 'weft-document/comments/find-anchor.ts';
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import { textAnchor } from 'weft-document/comments/make-anchor.ts';
import { PageTexts } from 'weft-document/comments/page-texts.ts';
import { endAt, startAt } from 'weft-document/comments/positions.ts';
import type * as Y from 'yjs';
import type { Anchor } from '../../../src/protocol/comments.ts';
import { type ThreadId, parseThreadId } from '../../../src/protocol/ids.ts';

export const threadId = (n: number): ThreadId => {
  const id = parseThreadId(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  if (id === null) throw new Error('not an id');
  return id;
};

/** The anchor of the only place with these words; of the `nth`, counted from 0, if there are several. A line break is between blocks. */
export function anchorOn(doc: Y.Doc, words: string, nth = 0): Anchor {
  const page = new PageTexts(doc);
  let at = -1;
  for (let left = nth; left >= 0; left--) at = page.string.indexOf(words, at + 1);
  const passage = at < 0 ? null : page.passage(at, at + words.length);
  const anchor = passage === null ? null : textAnchor(doc, startAt(passage.from), endAt(passage.to));
  if (anchor === null) throw new Error(`not on the page: ${words}`);
  return anchor;
}

/** The words that were found; in brackets what is none. */
export function wordsAt(doc: Y.Doc, found: FoundAnchor): string {
  if (found.at === 'block') return `(block ${found.block})`;
  if (found.at !== 'text') return `(${found.at})`;
  const anchor = textAnchor(doc, found.from, found.to);
  return anchor?.quote ?? '(blank)';
}

/** Where someone finds the words who opens the page now. */
export const foundNow = (doc: Y.Doc, anchor: Anchor): string => wordsAt(doc, findAnchor(doc, anchor));

/** A thread that is followed, as in an open tab. */
export function followed(doc: Y.Doc, anchor: Anchor) {
  const moves: MovedAnchor[] = [];
  const index = new AnchorIndex(doc, (moved) => moves.push(moved));
  const id = threadId(1);
  index.set([{ id, anchor }]);
  return {
    id,
    index,
    moves,
    words: () => {
      index.update();
      return wordsAt(doc, index.get(id));
    },
    /** What the server has if it takes each move. */
    stored: (): Anchor => moves.at(-1)?.anchor ?? anchor,
  };
}

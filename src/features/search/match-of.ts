// The place in a page that a search result leads to.
import { cutText } from '../../lib/text/cut-text.ts';
import type { SearchResult } from '../../protocol/search-answers.ts';
import type { PageMatch } from '../../state/workspace/page-address.ts';

/** This much of the text, from the words on, is enough to recognize the place. */
const MAX_CONTEXT = 80;

/** The longest run of marks with nothing but blanks between them. Null if only the title contains the words. */
export function matchOf({ excerpts }: SearchResult): PageMatch | null {
  let best: PageMatch | null = null;
  for (const { text, marks } of excerpts) {
    let start = 0;
    for (const [nth, [from, to]] of marks.entries()) {
      const before = marks[nth - 1];
      if (before === undefined || text.slice(before[1], from).trim() !== '') start = from;
      const words = text.slice(start, to);
      if (best !== null && words.length <= best.words.length) continue;
      best = { words, context: contextOf(text.slice(start)) };
    }
  }
  return best;
}

/** The text up to the end of a table's cell, without the sign that the excerpt goes on. */
const contextOf = (text: string): string => cutText(text.split('\t')[0] ?? '', MAX_CONTEXT).replace(/…$/, '');

// The filters of `search_documents`, and parsers for its answers (SPECIFICATION.md, "Exact shapes").
import * as v from 'valibot';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { count, documentId, instant, userId } from 'weft-sync/protocol/shapes.ts';

export type SearchFilters = {
  /** The person who created the page or changed it last. */
  readonly author?: UserId;
  /** The last change is not before `since`, and before `until`; in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Only pages below this one. */
  readonly below?: DocumentId;
  /** By the last change instead of the best match. */
  readonly newestFirst?: boolean;
  /** At most 50; 20 if left out. */
  readonly limit?: number;
  readonly skip?: number;
};

/** A text with the places of the query's words in it, as UTF-16 offsets: sorted, and none touches another. */
const markedText = v.object({ text: v.string(), marks: v.pipe(v.array(v.tuple([count, count])), v.readonly()) });
export type MarkedText = v.InferOutput<typeof markedText>;

const searchResult = v.object({
  document: documentId,
  title: markedText,
  /** At most two parts of the page's text. None if only the title contains the words. */
  excerpts: v.array(markedText),
  /** The number of times that the words occur in title and text together. */
  matches: count,
  at: instant,
  by: v.nullable(userId),
});
export type SearchResult = v.InferOutput<typeof searchResult>;

export const searchAnswer = v.object({
  /** At most 1,000. */
  total: count,
  /** False if there may be more than `total`. */
  isComplete: v.boolean(),
  results: v.array(searchResult),
});
export type SearchAnswer = v.InferOutput<typeof searchAnswer>;

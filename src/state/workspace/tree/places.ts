// Places in the tree of pages, and the rank that puts a page there.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { rankBetween } from '../../../lib/lists/ranks.ts';
import type { PageIndex } from './page-index.ts';

export type TreePlace = {
  /** Null at the top. */
  readonly parent: DocumentId | null;
  /** The sibling before it; null makes it the first. */
  readonly after: DocumentId | null;
};

/** The rank of a page at a place. Its own row there does not count. */
export function rankAt({ pages, below }: PageIndex, id: DocumentId, { parent, after }: TreePlace): string {
  const siblings = (below.get(parent) ?? []).filter((sibling) => sibling !== id);
  const at = after === null ? 0 : siblings.indexOf(after) + 1;
  const before = at === 0 ? null : (pages.get(siblings[at - 1] ?? id)?.rank ?? null);
  // If two people put pages at one place at the same time, both have the same rank, and nothing fits between equals.
  const next = siblings.slice(at).map((sibling) => pages.get(sibling)?.rank ?? '');
  return rankBetween(before, next.find((rank) => before === null || rank > before) ?? null);
}

/** The last place below a page, or at the top. */
export function lastPlace({ below }: PageIndex, parent: DocumentId | null, id: DocumentId): TreePlace {
  return { parent, after: (below.get(parent) ?? []).findLast((sibling) => sibling !== id) ?? null };
}

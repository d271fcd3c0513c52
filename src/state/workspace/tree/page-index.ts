// The pages of a workspace by id, and the pages below each page in order. Values that did not change keep their
// identity, so that a view of one page renders only when that page changes.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { isSameList } from '../../../lib/lists/is-same-list.ts';
import { compareRanks } from '../../../lib/lists/ranks.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';

export type PageIndex = {
  readonly pages: ReadonlyMap<DocumentId, DocumentSummary>;
  /** The pages directly below a page, ordered by rank; under null those at the top. Pages without any have no entry. */
  readonly below: ReadonlyMap<DocumentId | null, readonly DocumentId[]>;
};

export const NO_PAGES: PageIndex = { pages: new Map(), below: new Map() };

/**
 * Builds the index of a list. A page whose parent is not in the list is at the top: the person may not see the parent.
 * Two moves seen in the wrong order can put pages below each other; the first of them is shown at the top, so that every
 * page of the list is reachable.
 */
export function indexOf(documents: readonly DocumentSummary[], before: PageIndex = NO_PAGES): PageIndex {
  const pages = new Map(documents.map((page) => [page.id, unchanged(page, before.pages.get(page.id))]));
  const sorted = documents.toSorted((a, b) => compareRanks(a.rank, b.rank) || compareRanks(a.id, b.id));
  const parentOf = ({ parentId }: DocumentSummary) => (parentId !== null && pages.has(parentId) ? parentId : null);
  const listed = Map.groupBy(sorted, parentOf);
  const raised = firstOfCircles(sorted, listed);
  const below = new Map<DocumentId | null, readonly DocumentId[]>();
  for (const [parent, children] of Map.groupBy(sorted, (page) => (raised.has(page) ? null : parentOf(page)))) {
    const now = children.map(({ id }) => id);
    const then = before.below.get(parent);
    below.set(parent, then !== undefined && isSameList(then, now) ? then : now);
  }
  return { pages, below };
}

/** The first page, in the order of `sorted`, of each circle: of pages that are below each other, and so not below the top. */
function firstOfCircles(
  sorted: readonly DocumentSummary[],
  below: ReadonlyMap<DocumentId | null, readonly DocumentSummary[]>,
): ReadonlySet<DocumentSummary> {
  const reached = new Set<DocumentSummary>();
  const reach = (page: DocumentSummary) => {
    if (reached.has(page)) return;
    reached.add(page);
    below.get(page.id)?.forEach(reach);
  };
  below.get(null)?.forEach(reach);
  return new Set(
    sorted.filter((page) => {
      const isReached = reached.has(page);
      reach(page);
      return !isReached;
    }),
  );
}

function unchanged(page: DocumentSummary, before: DocumentSummary | undefined): DocumentSummary {
  if (before === undefined || before === page) return page;
  // Both come from one parser, so they have the same keys, and `===` compares all of their values.
  const now = Object.entries(page);
  const then = new Map<string, unknown>(Object.entries(before));
  return now.length === then.size && now.every(([key, value]) => then.get(key) === value) ? before : page;
}

/** The ancestors of a page, topmost first, without the page itself. */
export function pathTo({ pages }: Pick<PageIndex, 'pages'>, id: DocumentId): readonly DocumentSummary[] {
  const path: DocumentSummary[] = [];
  let at = pages.get(id)?.parentId ?? null;
  // Two moves seen in the wrong order can make a circle.
  while (at !== null && path.length < pages.size) {
    const page = pages.get(at);
    if (page === undefined) break;
    path.unshift(page);
    at = page.parentId;
  }
  return path;
}

/** Whether every member of the workspace may see the page. A page that is not in the list counts as closed. */
export function isOpenToWorkspace(index: Pick<PageIndex, 'pages'>, id: DocumentId): boolean {
  const page = index.pages.get(id);
  const path = page === undefined ? [] : [...pathTo(index, id), page];
  return path.findLast(({ access }) => access !== 'inherit')?.access === 'workspace';
}

/** Whether `id` is `above` or lies below it. */
export const isInSubtree = (index: PageIndex, id: DocumentId, above: DocumentId): boolean =>
  id === above || pathTo(index, id).some((page) => page.id === above);

/** How many pages lie below a page, at every depth. */
export function countBelow({ below }: PageIndex, id: DocumentId): number {
  return (below.get(id) ?? []).reduce((sum, child) => sum + 1 + countBelow({ pages: new Map(), below }, child), 0);
}

/** The pages below one, at every depth, each followed by those below it. */
export const pagesBelow = (index: PageIndex, parent: DocumentId | null): readonly DocumentSummary[] =>
  (index.below.get(parent) ?? []).flatMap((id) => {
    const page = index.pages.get(id);
    return page === undefined ? [] : [page, ...pagesBelow(index, id)];
  });

/** How many levels of pages begin with this page: 1 for a page without pages below it. */
export function levelsOf(index: PageIndex, id: DocumentId): number {
  return 1 + Math.max(0, ...(index.below.get(id) ?? []).map((child) => levelsOf(index, child)));
}

/** This person's favourites, in their order. */
export const favouritesOf = ({ pages }: Pick<PageIndex, 'pages'>): readonly DocumentSummary[] =>
  Array.from(pages.values())
    .filter(({ favouriteRank }) => favouriteRank !== null)
    .sort((a, b) => compareRanks(a.favouriteRank ?? '', b.favouriteRank ?? '') || compareRanks(a.id, b.id));

/** Whether lists of what changed lately have the page: an import is no news to those who have not opened its pages. */
export const isNews = ({ visitedAt, isImported }: DocumentSummary): boolean =>
  visitedAt !== null || isImported !== true;

// The list of pages as a tree, with siblings ordered by rank. A page whose parent is not visible to the person is at
// the top level.
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { compareRanks } from '../../lib/ranks.ts';

export type PageNode = { readonly page: DocumentSummary; readonly children: readonly PageNode[] };

export function treeOf(documents: readonly DocumentSummary[]): readonly PageNode[] {
  const known = new Set(documents.map(({ id }) => id));
  const below = Map.groupBy(documents, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
  const nodes = (parent: DocumentId | null): readonly PageNode[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => compareRanks(a.rank, b.rank) || compareRanks(a.id, b.id))
      .map((page) => ({ page, children: nodes(page.id) }));
  return nodes(null);
}

/** The ancestors of a page, topmost first, without the page itself. */
export function pathTo(documents: readonly DocumentSummary[], id: DocumentId): readonly DocumentSummary[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const path: DocumentSummary[] = [];
  let at = byId.get(id)?.parentId ?? null;
  // The database allows no cycle, but a list assembled from two moments might contain one.
  while (at !== null && path.length < byId.size) {
    const page = byId.get(at);
    if (page === undefined) break;
    path.unshift(page);
    at = page.parentId;
  }
  return path;
}

/** Whether every member of the workspace may see the page. A page that is not in the list counts as closed. */
export function isOpenToWorkspace(documents: readonly DocumentSummary[], id: DocumentId): boolean {
  const chain = [...pathTo(documents, id), ...documents.filter((document) => document.id === id)];
  return chain.findLast(({ access }) => access !== 'inherit')?.access === 'workspace';
}

export const shownTitle = (title: string): string => title.trim() || 'Untitled';

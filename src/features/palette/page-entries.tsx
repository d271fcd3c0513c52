// The pages of the workspace as entries of a palette.
import { useMemo } from 'react';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { useLiveTitles, useValue, useWorkspace } from '../../state/hooks.ts';
import { type PageIndex, isNews, pathTo } from '../../state/workspace/tree/page-index.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { type NameMatch, type NameSearch, nameSearch } from './palette-search.ts';
import type { PaletteEntry } from './palette.tsx';

/**
 * The titles, prepared for the search once for each state of the list, not for each opening of the palette: with 10,000 titles
 * that would delay the first keys typed there, each by a garbage collection.
 */
const searches = new WeakMap<PageIndex, NameSearch<DocumentSummary>>();

function searchOf(index: PageIndex): NameSearch<DocumentSummary> {
  const known = searches.get(index);
  if (known !== undefined) return known;
  const search = nameSearch(Array.from(index.pages.values()), ({ title }) => shownTitle(title));
  searches.set(index, search);
  return search;
}

/** The pages of the list; those that are open here with the title that they have now, which the list gets seconds later. */
export function useTitledPages(): PageIndex {
  const index = useValue(useWorkspace().indexAtom);
  const titles = useLiveTitles();
  return useMemo(() => {
    const renamed = Array.from(titles).flatMap(([id, title]) => {
      const page = index.pages.get(id);
      return page === undefined || page.title === title ? [] : [{ ...page, title }];
    });
    if (renamed.length === 0) return index;
    return { ...index, pages: new Map([...index.pages, ...renamed.map((page) => [page.id, page] as const)]) };
  }, [index, titles]);
}

export function usePageSearch(): { readonly index: PageIndex; readonly search: NameSearch<DocumentSummary> } {
  const index = useTitledPages();
  return { index, search: searchOf(index) };
}

/** Without a search: the pages that changed last. An import counts only once this person has opened the page. */
export const recentPages = ({ pages }: PageIndex, count: number): readonly NameMatch<DocumentSummary>[] =>
  Array.from(pages.values())
    .filter(isNews)
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, count)
    .map((entry) => ({ entry, characters: [] }));

export function pageEntry(
  { entry: page, characters }: NameMatch<DocumentSummary>,
  index: PageIndex,
  onChoose: PaletteEntry['onChoose'],
): PaletteEntry {
  const path = pathTo(index, page.id).map(({ title }) => shownTitle(title));
  return {
    id: page.id,
    name: shownTitle(page.title),
    characters,
    note: path.length === 0 ? undefined : path.join(' / '),
    icon: <PageIcon icon={page.icon} />,
    onChoose,
  };
}

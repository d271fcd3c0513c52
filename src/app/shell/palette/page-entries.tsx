// The pages of the workspace as entries of a palette.
import { useMemo } from 'react';
import type { Match } from '../../../features/palette/palette-search.ts';
import { type NameSearch, nameSearch } from '../../../features/palette/palette-search.ts';
import type { PaletteEntry } from '../../../features/palette/palette.tsx';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { useValue, useWorkspace } from '../../../state/hooks.ts';
import { PageIcon } from '../../../ui/page-icon/page-icon.tsx';
import { type PageIndex, pathTo, shownTitle } from '../../../state/workspace/page-index.ts';

/** The titles are prepared once for each state of the list. */
export function usePageSearch(): { readonly index: PageIndex; readonly search: NameSearch<DocumentSummary> } {
  const index = useValue(useWorkspace().indexAtom);
  return useMemo(
    () => ({ index, search: nameSearch(Array.from(index.pages.values()), ({ title }) => shownTitle(title)) }),
    [index],
  );
}

/** Without a search: the pages that changed last. */
export const recentPages = ({ pages }: PageIndex, count: number): readonly Match<DocumentSummary>[] =>
  Array.from(pages.values())
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, count)
    .map((entry) => ({ entry, letters: [] }));

export function pageEntry(
  { entry: page, letters }: Match<DocumentSummary>,
  index: PageIndex,
  onChoose: PaletteEntry['onChoose'],
): PaletteEntry {
  const path = pathTo(index, page.id).map(({ title }) => shownTitle(title));
  return {
    id: page.id,
    name: shownTitle(page.title),
    letters,
    note: path.length === 0 ? undefined : path.join(' / '),
    icon: <PageIcon icon={page.icon} />,
    onChoose,
  };
}

// The pages of the workspace as entries of a palette.
import type { Match } from '../../../features/palette/palette-search.ts';
import { type NameSearch, nameSearch } from '../../../features/palette/palette-search.ts';
import type { PaletteEntry } from '../../../features/palette/palette.tsx';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { useValue, useWorkspace } from '../../../state/hooks.ts';
import { PageIcon } from '../../../ui/page-icon/page-icon.tsx';
import { type PageIndex, pathTo, shownTitle } from '../../../state/workspace/page-index.ts';

/**
 * The titles, prepared once for each state of the list and not once for each opening of the palette: 10,000 titles are
 * prepared while somebody types the first letters, and the garbage costs each of these keys a collection.
 */
const searches = new WeakMap<PageIndex, NameSearch<DocumentSummary>>();

function searchOf(index: PageIndex): NameSearch<DocumentSummary> {
  const known = searches.get(index);
  if (known !== undefined) return known;
  const search = nameSearch(Array.from(index.pages.values()), ({ title }) => shownTitle(title));
  searches.set(index, search);
  return search;
}

export function usePageSearch(): { readonly index: PageIndex; readonly search: NameSearch<DocumentSummary> } {
  const index = useValue(useWorkspace().indexAtom);
  return { index, search: searchOf(index) };
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

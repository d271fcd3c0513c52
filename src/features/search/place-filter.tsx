// Below which page is searched. Offers the pages at the top of the tree that have pages below them.
import { useValue, useWorkspace } from '../../state/hooks.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';
import { Menu, MenuCheckItem } from '../../ui/floating/menu.tsx';
import { FilterButton, SetFilter } from './filter-chip.tsx';

type PlaceFilterProps = { readonly below: DocumentId | null; readonly onChange: (below: DocumentId | null) => void };

const MAX_PLACES = 30;

export function PlaceFilter({ below, onChange }: PlaceFilterProps) {
  const { indexAtom } = useWorkspace();
  const index = useValue(indexAtom);
  if (below !== null) {
    return (
      <SetFilter clearLabel="Clear place" onClear={() => onChange(null)}>
        <span className="truncate">
          In <bdi>{shownTitle(index.pages.get(below)?.title ?? '')}</bdi>
        </span>
      </SetFilter>
    );
  }
  const places = (index.below.get(null) ?? []).filter((id) => index.below.has(id)).slice(0, MAX_PLACES);
  if (places.length === 0) return null;
  return (
    <Menu trigger={<FilterButton>All pages</FilterButton>}>
      <MenuCheckItem checked onCheckedChange={() => undefined}>
        All pages
      </MenuCheckItem>
      {places.map((id) => (
        <MenuCheckItem key={id} checked={false} onCheckedChange={() => onChange(id)}>
          <bdi className="truncate">In {shownTitle(index.pages.get(id)?.title ?? '')}</bdi>
        </MenuCheckItem>
      ))}
    </Menu>
  );
}

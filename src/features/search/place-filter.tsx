// Limits the search to the pages below one page. Offers at most 60 pages that have pages below them, in the order of
// the tree.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';
import type { PageIndex } from '../../state/workspace/tree/page-index.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { Menu, MenuCheckItem } from '../../ui/floating/menu.tsx';
import { FilterButton, SetFilter } from './filter-chip.tsx';

type PlaceFilterProps = { readonly below: DocumentId | null; readonly onChange: (below: DocumentId | null) => void };

/** A longer menu is no help. Places near the top come first. */
const MAX_PLACES = 60;

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
  const places = placesIn(index);
  if (places.length === 0) return null;
  return (
    <Menu trigger={<FilterButton>All pages</FilterButton>}>
      <MenuCheckItem checked onCheckedChange={() => undefined}>
        All pages
      </MenuCheckItem>
      {places.map(({ id, depth }) => (
        <MenuCheckItem key={id} checked={false} onCheckedChange={() => onChange(id)}>
          <bdi className="truncate" style={{ '--depth': depth }} data-place>
            In {shownTitle(index.pages.get(id)?.title ?? '')}
          </bdi>
        </MenuCheckItem>
      ))}
    </Menu>
  );
}

type SearchPlace = { readonly id: DocumentId; readonly depth: number };

/** Whole levels of the tree from the top, as many as there is room for, then in the order of the tree. */
function placesIn({ below }: PageIndex): readonly SearchPlace[] {
  let level: readonly DocumentId[] = (below.get(null) ?? []).filter((id) => below.has(id));
  const shown = new Map<DocumentId, number>();
  for (let depth = 0; level.length > 0 && shown.size < MAX_PLACES; depth++) {
    for (const id of level.slice(0, MAX_PLACES - shown.size)) shown.set(id, depth);
    level = level.flatMap((id) => (below.get(id) ?? []).filter((child) => below.has(child)));
  }
  const inOrder = (parent: DocumentId | null): readonly SearchPlace[] =>
    (below.get(parent) ?? []).flatMap((id) => {
      const depth = shown.get(id);
      return depth === undefined ? [] : [{ id, depth }, ...inOrder(id)];
    });
  return inOrder(null);
}

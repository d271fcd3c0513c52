// The menu for the order of the search results.
import { Menu, MenuCheckItem } from '../../ui/floating/menu.tsx';
import { FilterButton } from './filter-chip.tsx';

type SortMenuProps = { readonly isNewestFirst: boolean; readonly onChange: (isNewestFirst: boolean) => void };

const BEST = 'Best match';
const NEWEST = 'Newest first';

export function SortMenu({ isNewestFirst, onChange }: SortMenuProps) {
  return (
    <Menu align="end" trigger={<FilterButton>{isNewestFirst ? NEWEST : BEST}</FilterButton>}>
      <MenuCheckItem checked={!isNewestFirst} onCheckedChange={() => onChange(false)}>
        {BEST}
      </MenuCheckItem>
      <MenuCheckItem checked={isNewestFirst} onCheckedChange={() => onChange(true)}>
        {NEWEST}
      </MenuCheckItem>
    </Menu>
  );
}

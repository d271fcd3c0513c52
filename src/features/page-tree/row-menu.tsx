// The menu of a row of the tree.
import Link2 from 'lucide-react/icons/link-2';
import CopyPlus from 'lucide-react/icons/copy-plus';
import FolderInput from 'lucide-react/icons/folder-input';
import Shapes from 'lucide-react/icons/shapes';
import Star from 'lucide-react/icons/star';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { shortDate } from '../../lib/text/times.ts';
import { useAuthorNames, useListedPage, useNow } from '../../state/hooks.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { MenuAtPoint, MenuItem, MenuLabel, MenuSeparator } from '../../ui/floating/menu.tsx';

export type RowActions = {
  readonly rename: (id: DocumentId) => void;
  readonly duplicate: (id: DocumentId) => void;
  readonly chooseIcon: (id: DocumentId) => void;
  readonly moveTo: (id: DocumentId) => void;
  readonly setFavourite: (id: DocumentId, isFavourite: boolean) => void;
  readonly copyLink: (id: DocumentId) => void;
  readonly trash: (id: DocumentId) => void;
};

type RowMenuProps = RowActions & {
  readonly id: DocumentId;
  readonly anchor: { getBoundingClientRect(): DOMRect };
  readonly returnFocusTo: () => HTMLElement | null;
  readonly onClose: () => void;
};

const MINUTE_MS = 60_000;

export function RowMenu({ id, anchor, returnFocusTo, onClose, ...act }: RowMenuProps) {
  const page = useListedPage(id);
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  if (page === null) return null;
  const isEditor = mayEdit(page.role);
  const by = page.updatedBy === null ? null : nameOf(page.updatedBy);
  return (
    <MenuAtPoint
      label="Page"
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      anchor={anchor}
      returnFocusTo={returnFocusTo}
    >
      {isEditor && (
        <>
          <MenuItem icon={<Pencil className="icon" />} keys="F2" onSelect={() => act.rename(id)}>
            Rename
          </MenuItem>
          <MenuItem icon={<CopyPlus className="icon" />} keys={keysAsText('Mod-d')} onSelect={() => act.duplicate(id)}>
            Duplicate
          </MenuItem>
          <MenuItem icon={<FolderInput className="icon" />} onSelect={() => act.moveTo(id)}>
            Move to…
          </MenuItem>
          <MenuItem icon={<Shapes className="icon" />} onSelect={() => act.chooseIcon(id)}>
            Change icon…
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Link2 className="icon" />} onSelect={() => act.copyLink(id)}>
        Copy link
      </MenuItem>
      <MenuItem icon={<Star className="icon" />} onSelect={() => act.setFavourite(id, page.favouriteRank === null)}>
        {page.favouriteRank === null ? 'Add to favourites' : 'Remove from favourites'}
      </MenuItem>
      {isEditor && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash className="icon" />} keys="Del" isDanger onSelect={() => act.trash(id)}>
            Move to trash
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuLabel>
        Edited {by !== null && `by ${by}, `}
        {shortDate(page.updatedAt, now)}
      </MenuLabel>
    </MenuAtPoint>
  );
}

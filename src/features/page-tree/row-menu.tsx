// The menu of a row of the tree.
import CopyPlus from 'lucide-react/icons/copy-plus';
import FolderInput from 'lucide-react/icons/folder-input';
import Link2 from 'lucide-react/icons/link-2';
import Pencil from 'lucide-react/icons/pencil';
import Shapes from 'lucide-react/icons/shapes';
import Star from 'lucide-react/icons/star';
import Trash from 'lucide-react/icons/trash-2';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { shortDate } from '../../lib/text/times.ts';
import { useAuthorNames, useListedPage, useWorkspace } from '../../state/hooks.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { MenuAtPoint, MenuItem, MenuLabel, MenuSeparator } from '../../ui/floating/menu.tsx';
import type { RowActions } from './use-row-actions.ts';

type RowMenuProps = {
  readonly id: DocumentId;
  readonly anchor: { getBoundingClientRect(): DOMRect };
  readonly actions: RowActions;
  readonly onDuplicate: (page: DocumentId) => void;
  readonly onChooseIcon: (page: DocumentId) => void;
  readonly onMoveTo: (page: DocumentId) => void;
  readonly onCopyLink: (page: DocumentId) => void;
  readonly returnFocusTo: () => HTMLElement | null;
  readonly onClose: () => void;
};

const MINUTE_MS = 60_000;

export function RowMenu(props: RowMenuProps) {
  const { id, anchor, actions, returnFocusTo, onClose } = props;
  const { setFavourite } = useWorkspace();
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
          <MenuItem icon={<Pencil className="icon" />} keys="F2" onSelect={() => actions.beginRenaming(id)}>
            Rename
          </MenuItem>
          <MenuItem
            icon={<CopyPlus className="icon" />}
            keys={keysAsText('Mod-d')}
            onSelect={() => props.onDuplicate(id)}
          >
            Duplicate
          </MenuItem>
          <MenuItem icon={<FolderInput className="icon" />} onSelect={() => props.onMoveTo(id)}>
            Move to…
          </MenuItem>
          <MenuItem icon={<Shapes className="icon" />} onSelect={() => props.onChooseIcon(id)}>
            Change icon…
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Link2 className="icon" />} onSelect={() => props.onCopyLink(id)}>
        Copy link
      </MenuItem>
      <MenuItem icon={<Star className="icon" />} onSelect={() => setFavourite(id, page.favouriteRank === null)}>
        {page.favouriteRank === null ? 'Add to favourites' : 'Remove from favourites'}
      </MenuItem>
      {isEditor && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash className="icon" />} keys="Del" isDanger onSelect={() => actions.trash(id)}>
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

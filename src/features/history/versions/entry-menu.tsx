// What can be done with a version, in the menu of its row.
import Bookmark from 'lucide-react/icons/bookmark';
import Copy from 'lucide-react/icons/copy';
import GitCompare from 'lucide-react/icons/git-compare';
import Trash from 'lucide-react/icons/trash-2';
import type { Version } from '../../../protocol/history-answers.ts';
import { type DocumentRole, mayEdit, mayManage } from '../../../protocol/roles.ts';
import { useIdentity } from '../../../state/hooks.ts';
import { MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import type { Entry } from './version-entries.ts';

type EntryMenuProps = {
  readonly entry: Entry;
  readonly role: DocumentRole | null;
  /** Null for people who may not edit. */
  readonly onName: (() => void) | null;
  readonly onRemove: (version: Version) => void;
  readonly onCompare: () => void;
  readonly onCopy: (() => void) | null;
};

export function EntryMenu({ entry, role, onName, onRemove, onCompare, onCopy }: EntryMenuProps) {
  const { id } = useIdentity();
  const isVersion = entry.type === 'version';
  const mayChange = isVersion ? mayManage(role) || (mayEdit(role) && entry.version.createdBy === id) : true;
  return (
    <>
      {onName !== null && mayChange && (
        <MenuItem icon={<Bookmark className="icon" />} onSelect={onName}>
          {isVersion ? 'Rename' : 'Name this version'}
        </MenuItem>
      )}
      <MenuItem icon={<GitCompare className="icon" />} onSelect={onCompare}>
        Compare with this version
      </MenuItem>
      {onCopy !== null && (
        <MenuItem icon={<Copy className="icon" />} onSelect={onCopy}>
          Copy as new page
        </MenuItem>
      )}
      {isVersion && mayChange && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash className="icon" />} onSelect={() => onRemove(entry.version)}>
            Remove from the list
          </MenuItem>
        </>
      )}
    </>
  );
}

// The menu items that copy or restore a state of the page. Null: this person cannot.
import Copy from 'lucide-react/icons/copy';
import History from 'lucide-react/icons/history';
import { MenuItem } from '../../ui/floating/menu.tsx';

type CopyAndRestoreProps = { readonly onCopy: (() => void) | null; readonly onRestore: (() => void) | null };

export const CopyAndRestoreItems = ({ onCopy, onRestore }: CopyAndRestoreProps) => (
  <>
    {onCopy !== null && (
      <MenuItem icon={<Copy className="icon" />} onSelect={onCopy}>
        Copy as new page
      </MenuItem>
    )}
    {onRestore !== null && (
      <MenuItem icon={<History className="icon" />} onSelect={onRestore}>
        Restore page
      </MenuItem>
    )}
  </>
);

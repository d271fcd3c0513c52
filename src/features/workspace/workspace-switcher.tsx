// The head of the sidebar: the name of the workspace, and a menu of all this person's workspaces, with the settings
// of this one.
import Check from 'lucide-react/icons/check';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import LogOut from 'lucide-react/icons/log-out';
import Plus from 'lucide-react/icons/plus';
import Settings from 'lucide-react/icons/settings-2';
import { useNavigate } from 'react-router';
import { usePerson, useValue, useWorkspace, useWorkspaceRole } from '../../state/hooks.ts';
import { settingsPath, workspacePath } from '../../state/workspace/page-address.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/floating/menu.tsx';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';

/** `onLeave` asks whether to leave; null for members, who leave on the members' page. */
export function WorkspaceSwitcher({ onLeave }: { readonly onLeave: (() => void) | null }) {
  const { workspace, listAtom } = useWorkspace();
  const all = useValue(usePerson().workspacesAtom).value ?? [workspace];
  const name = useValue(listAtom).value?.workspace.name ?? workspace.name;
  const role = useWorkspaceRole();
  const navigate = useNavigate();
  return (
    <div className="side-head">
      <ReceiptMark />
      <b className="grow truncate">{name}</b>
      <Menu
        align="end"
        trigger={
          <IconButton label="Workspaces">
            <ChevronsUpDown className="icon" />
          </IconButton>
        }
      >
        <MenuLabel>Workspaces</MenuLabel>
        {all.map((one) => (
          <MenuItem
            key={one.id}
            icon={one.id === workspace.id ? <Check className="icon" aria-label="Chosen" /> : <span className="icon" />}
            onSelect={() => void navigate(workspacePath(one.slug))}
          >
            <span className="grow truncate">{one.name}</span>
          </MenuItem>
        ))}
        <MenuSeparator />
        {role !== null && (
          <MenuItem icon={<Settings className="icon" />} onSelect={() => void navigate(settingsPath(workspace.slug))}>
            Workspace settings
          </MenuItem>
        )}
        {onLeave !== null && (
          <MenuItem icon={<LogOut className="icon" />} onSelect={onLeave}>
            Leave workspace…
          </MenuItem>
        )}
        <MenuItem icon={<Plus className="icon" />} onSelect={() => void navigate('/welcome')}>
          New workspace
        </MenuItem>
      </Menu>
    </div>
  );
}

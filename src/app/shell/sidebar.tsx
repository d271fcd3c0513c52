// The sidebar of a workspace: beside the page on wide screens, a drawer over it on phones.
import { Dialog } from '@base-ui/react/dialog';
import House from 'lucide-react/icons/house';
import Search from 'lucide-react/icons/search';
import Trash from 'lucide-react/icons/trash-2';
import Users from 'lucide-react/icons/users';
import { Link, useMatch, useNavigate } from 'react-router';
import { AccountMenu } from '../../features/account/account-menu.tsx';
import { useDuplicate } from '../../features/import-export/use-duplicate.ts';
import { Favourites } from '../../features/page-tree/favourites.tsx';
import { PageTree } from '../../features/page-tree/page-tree.tsx';
import { WorkspaceSwitcher } from '../../features/workspace/workspace-switcher.tsx';
import { mayCreatePages } from '../../protocol/roles.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { useWorkspace } from '../../state/hooks.ts';
import { membersPath, pagePath, trashPath, workspacePath } from '../../state/workspace/page-address.ts';
import { KeyCaps } from '../../ui/controls/key-caps.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { useHelp } from './help-provider.tsx';
import { usePalette } from './palette/palette-provider.tsx';

type SidebarProps = {
  /** The page on the screen, if its address has an id. */
  readonly current: DocumentId | null;
  readonly isHome: boolean;
  readonly isOpen: boolean;
  readonly isDrawerOpen: boolean;
  readonly onDrawer: (open: boolean) => void;
  readonly onNewPage: (parent: DocumentId | null) => void;
};

export function Sidebar({ current, isHome, isOpen, isDrawerOpen, onDrawer, onNewPage }: SidebarProps) {
  const isPhone = useMedia(PHONE);
  const content = (
    <SidebarContent
      current={current}
      isHome={isHome}
      onNewPage={(parent) => {
        onDrawer(false);
        onNewPage(parent);
      }}
      onChosen={() => onDrawer(false)}
    />
  );
  if (!isPhone) return isOpen ? content : null;
  return (
    <Dialog.Root open={isDrawerOpen} onOpenChange={onDrawer}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim drawer-scrim" />
        <Dialog.Popup className="drawer" aria-label="Workspace">
          {content}
          <Dialog.Close className="sr-only">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type SidebarContentProps = Pick<SidebarProps, 'current' | 'isHome' | 'onNewPage'> & { readonly onChosen: () => void };

function SidebarContent({ current, isHome, onNewPage, onChosen }: SidebarContentProps) {
  const { workspace } = useWorkspace();
  const openPalette = usePalette();
  const navigate = useNavigate();
  const duplicate = useDuplicate((page) => void navigate(pagePath(workspace.slug, page)));
  const isTrash = useMatch('/w/:workspace/trash') !== null;
  const isMembers = useMatch('/w/:workspace/members') !== null;
  return (
    <nav className="side" aria-label="Workspace">
      <WorkspaceSwitcher />
      <div className="side-nav">
        <button
          type="button"
          className="row"
          aria-keyshortcuts="Control+K"
          onClick={() => {
            onChosen();
            openPalette({ of: 'find' });
          }}
        >
          <Search className="icon" />
          <span className="grow">Search</span>
          <span className="row-keys" aria-hidden="true">
            <KeyCaps keys="Mod-k" />
          </span>
        </button>
        <div className="row" data-here={isHome || undefined}>
          <House className="icon" />
          <Link
            className="grow truncate"
            to={workspacePath(workspace.slug)}
            aria-current={isHome ? 'page' : undefined}
            onClick={onChosen}
          >
            Home
          </Link>
        </div>
      </div>
      <div className="side-scroll">
        <Favourites current={current} onChosen={onChosen} />
        <PageTree
          current={current}
          onNewPage={onNewPage}
          onDuplicate={duplicate}
          onChosen={onChosen}
          onMoveTo={(page) => openPalette({ of: 'move', page })}
        />
      </div>
      {mayCreatePages(workspace.role) && (
        <div className="side-nav side-end">
          <div className="row" data-here={isMembers || undefined}>
            <Users className="icon" />
            <Link
              className="grow truncate"
              to={membersPath(workspace.slug)}
              aria-current={isMembers ? 'page' : undefined}
              onClick={onChosen}
            >
              Members
            </Link>
          </div>
          <div className="row" data-here={isTrash || undefined}>
            <Trash className="icon" />
            <Link
              className="grow truncate"
              to={trashPath(workspace.slug)}
              aria-current={isTrash ? 'page' : undefined}
              onClick={onChosen}
            >
              Trash
            </Link>
          </div>
        </div>
      )}
      <div className="side-foot">
        <AccountLinks />
      </div>
    </nav>
  );
}

function AccountLinks() {
  const help = useHelp();
  const links = (
    <>
      <Link className="btn" data-size="small" to="/account">
        Account settings
      </Link>
      <Button size="small" onClick={help}>
        Keys and marks
      </Button>
    </>
  );
  return <AccountMenu links={links} />;
}

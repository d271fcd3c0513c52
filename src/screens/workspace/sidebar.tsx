// The sidebar of a workspace: beside the page on wide screens, a drawer over it on phones.
import House from 'lucide-react/icons/house';
import Search from 'lucide-react/icons/search';
import Trash from 'lucide-react/icons/trash-2';
import Users from 'lucide-react/icons/users';
import { type ReactNode, useState } from 'react';
import { Link, useMatch, useNavigate } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { AccountMenu } from '../../features/account/account-menu.tsx';
import { useHelp } from '../../features/help/help-provider.tsx';
import { useDuplicate } from '../../features/import-export/use-duplicate.ts';
import { InboxButton } from '../../features/inbox/inbox-button.tsx';
import { LeaveDialog } from '../../features/members/leave-dialog.tsx';
import { leftText, useLeaveWorkspace } from '../../features/members/use-leave-workspace.ts';
import { Favourites } from '../../features/page-tree/favourites.tsx';
import { PageTree } from '../../features/page-tree/page-tree.tsx';
import { useMoveQuestion } from '../../features/sharing/move-question-provider.tsx';
import { useCopyLink } from '../../features/sharing/use-copy-link.ts';
import { WorkspaceSwitcher } from '../../features/workspace/workspace-switcher.tsx';
import { isMemberRole } from '../../protocol/roles.ts';
import { usePerson, useWorkspace, useWorkspaceRole } from '../../state/hooks.ts';
import { membersPath, pagePath, searchPath, trashPath, workspacePath } from '../../state/workspace/page-address.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Button } from '../../ui/controls/button.tsx';
import { KeyCaps } from '../../ui/controls/key-caps.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { DialogClose, DialogLayer } from '../../ui/floating/dialog-layer.tsx';
import { usePalette } from '../palette/palette-provider.tsx';

type SidebarProps = {
  /** The page on the screen, if its address has an id. */
  readonly current: DocumentId | null;
  readonly isOpen: boolean;
  readonly isDrawerOpen: boolean;
  readonly onDrawer: (open: boolean) => void;
  readonly onNewPage: (parent: DocumentId | null) => void;
};

export function Sidebar({ current, isOpen, isDrawerOpen, onDrawer, onNewPage }: SidebarProps) {
  const isPhone = useMedia(PHONE);
  const content = (
    <nav className="side" aria-label="Workspace" tabIndex={-1}>
      <ErrorBoundary>
        <SidebarContent
          current={current}
          onNewPage={(parent) => {
            onDrawer(false);
            onNewPage(parent);
          }}
          onChosen={() => onDrawer(false)}
        />
      </ErrorBoundary>
    </nav>
  );
  if (!isPhone) return isOpen ? content : null;
  return (
    <DialogLayer
      open={isDrawerOpen}
      onOpenChange={onDrawer}
      scrim="scrim drawer-scrim"
      className="drawer"
      aria-label="Workspace"
    >
      {content}
      <DialogClose className="sr-only">Close</DialogClose>
    </DialogLayer>
  );
}

type SidebarContentProps = Pick<SidebarProps, 'current' | 'onNewPage'> & { readonly onChosen: () => void };

function SidebarContent({ current, onNewPage, onChosen }: SidebarContentProps) {
  const { workspace } = useWorkspace();
  const isMember = isMemberRole(useWorkspaceRole());
  const openPalette = usePalette();
  const isSearching = useMatch(searchPath(workspace.slug)) !== null;
  const navigate = useNavigate();
  const copyLink = useCopyLink();
  const askToMove = useMoveQuestion();
  const openChosen: typeof openPalette = (palette) => {
    onChosen();
    openPalette(palette);
  };
  const duplicate = useDuplicate((page) => void navigate(pagePath(workspace.slug, page)));
  return (
    <>
      <Switcher />
      <div className="side-nav">
        <button
          type="button"
          className="row"
          data-here={isSearching || undefined}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => openChosen({ of: 'find' })}
        >
          <Search className="icon" />
          <span className="grow">Search</span>
          <span className="row-keys" aria-hidden="true">
            <KeyCaps keys="Mod-k" />
          </span>
        </button>
        <SidebarLink icon={<House className="icon" />} to={workspacePath(workspace.slug)} onChosen={onChosen}>
          Home
        </SidebarLink>
        <InboxButton onChosen={onChosen} />
      </div>
      <div className="side-scroll">
        <Favourites current={current} onChosen={onChosen} />
        <PageTree
          current={current}
          onNewPage={onNewPage}
          onDuplicate={(page) => {
            onChosen();
            duplicate(page);
          }}
          onCopyLink={copyLink}
          onChooseIcon={(page) => openChosen({ of: 'icon', page })}
          onChosen={onChosen}
          askToMove={askToMove}
          onMoveTo={(page) => openChosen({ of: 'move', page })}
        />
      </div>
      {isMember && (
        <div className="side-nav side-end">
          <SidebarLink icon={<Users className="icon" />} to={membersPath(workspace.slug)} onChosen={onChosen}>
            Members
          </SidebarLink>
          <SidebarLink icon={<Trash className="icon" />} to={trashPath(workspace.slug)} onChosen={onChosen}>
            Trash
          </SidebarLink>
        </div>
      )}
      <div className="side-foot">
        <SidebarAccount />
      </div>
    </>
  );
}

/** Guests leave the workspace here. Members leave on the members' page, which guests don't have. */
function Switcher() {
  const { membership, identity } = usePerson();
  const { workspace } = useWorkspace();
  const isMember = isMemberRole(useWorkspaceRole());
  const onLeft = useLeaveWorkspace(leftText);
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <WorkspaceSwitcher onLeave={isMember ? null : () => setLeaving(true)} />
      {isLeaving && (
        <LeaveDialog
          name={workspace.name}
          leave={() => membership.remove(workspace.id, identity.id)}
          onLeft={onLeft}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}

type SidebarLinkProps = {
  readonly icon: ReactNode;
  readonly to: string;
  readonly onChosen: () => void;
  readonly children: string;
};

/** A link to a screen of the workspace, marked while that screen is shown. */
function SidebarLink({ icon, to, onChosen, children }: SidebarLinkProps) {
  const isHere = useMatch(to) !== null;
  return (
    <div className="row" data-here={isHere || undefined}>
      {icon}
      <Link className="grow truncate" to={to} aria-current={isHere ? 'page' : undefined} onClick={onChosen}>
        {children}
      </Link>
    </div>
  );
}

function SidebarAccount() {
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

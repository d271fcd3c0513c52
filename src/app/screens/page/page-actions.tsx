// The actions on a whole page at the end of the top bar: the share button, and a menu with the others.
import Ellipsis from 'lucide-react/icons/ellipsis';
import Keyboard from 'lucide-react/icons/keyboard';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import Maximize from 'lucide-react/icons/maximize';
import Lock from 'lucide-react/icons/lock';
import Share from 'lucide-react/icons/share-2';
import { Suspense, lazy, useContext, useState } from 'react';
import { useNavigate } from 'react-router';
import { ImportExportItems } from '../../../features/import-export/import-export-items.tsx';
import { mayManage } from '../../../protocol/roles.ts';
import {
  useIsRestricted,
  useListedPage,
  useMayCreatePages,
  usePage,
  useValue,
  useWorkspace,
} from '../../../state/hooks.ts';
import { pagePath, safeViewAddress } from '../../../state/workspace/page-address.ts';
import { shownTitle } from '../../../state/workspace/page-index.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { PHONE, useMedia } from '../../../ui/browser/use-media.ts';
import { PageToolsContext } from './page-tools-context.ts';
import { PageMenuItems } from './page-menu-items.tsx';
import { PagePlaceItems } from './page-place-items.tsx';
import { TrashItem } from './trash-item.tsx';
import { useHelp } from '../../shell/help-provider.tsx';
import { useShell } from '../../shell/shell-context.ts';
import { useCopyLink } from '../../shell/use-copy-link.ts';

const ShareDialog = lazy(async () => ({
  default: (await import('../../../features/sharing/share-dialog.tsx')).ShareDialog,
}));

export function PageActions({ title }: { readonly title: string }) {
  const { documentId, roleAtom, pendingAtom, editableAtom } = usePage();
  /** A page that is not on the server yet cannot be shared. */
  const isCreated = useValue(pendingAtom) === null;
  const isMember = useMayCreatePages();
  const { workspace } = useWorkspace();
  const listed = useListedPage(documentId);
  const isRestricted = useIsRestricted(documentId);
  const role = useValue(roleAtom) ?? listed?.role ?? null;
  // Members see who may open the page, managers change it; a visitor by a link may do neither.
  const maySeeSharing = isMember || mayManage(role);
  const navigate = useNavigate();
  const { importFiles } = useShell();
  const help = useHelp();
  const copyLink = useCopyLink();
  const isPhone = useMedia(PHONE);
  const tools = useContext(PageToolsContext);
  const isEditable = useValue(editableAtom);
  const [isSharing, setSharing] = useState(false);
  const [wasShared, setWasShared] = useState(false);
  const address = pagePath(workspace.slug, { id: documentId, title });
  const share = () => {
    setWasShared(true);
    setSharing(true);
  };
  return (
    <>
      {!isPhone && maySeeSharing && (
        <Button onClick={share} disabled={!isCreated}>
          {isRestricted ? <Lock className="icon" /> : <Share className="icon" />}
          Share
        </Button>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="More">
            <Ellipsis className="icon" />
          </IconButton>
        }
      >
        {isPhone && isCreated && maySeeSharing && (
          <MenuItem icon={<Share className="icon" />} onSelect={share}>
            Share
          </MenuItem>
        )}
        <PagePlaceItems id={documentId} />
        <ImportExportItems title={title} onImport={isMember ? importFiles : null} />
        <MenuSeparator />
        <MenuItem icon={<Maximize className="icon" />} onSelect={() => void navigate(`${address}/watch`)}>
          Full-screen view
        </MenuItem>
        {mayManage(role) && (
          <MenuItem icon={<LifeBuoy className="icon" />} onSelect={() => void navigate(safeViewAddress(address))}>
            Safe view
          </MenuItem>
        )}
        <MenuItem icon={<Keyboard className="icon" />} keys="?" onSelect={help}>
          Keys and marks
        </MenuItem>
        {tools !== null && (
          <>
            <MenuSeparator />
            <PageMenuItems tools={tools} address={`${location.origin}${address}`} isEditable={isEditable} />
          </>
        )}
        <TrashItem id={documentId} />
      </Menu>
      {wasShared && (
        <Suspense fallback={null}>
          <ShareDialog
            page={documentId}
            title={shownTitle(title)}
            mayManage={mayManage(role)}
            origin={location.origin}
            open={isSharing}
            onOpenChange={setSharing}
            onCopyLink={() => copyLink(documentId)}
          />
        </Suspense>
      )}
    </>
  );
}

// The items of the menu of the open page: what is used most first, the rest in submenus.
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import Keyboard from 'lucide-react/icons/keyboard';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import Maximize from 'lucide-react/icons/maximize';
import Presentation from 'lucide-react/icons/presentation';
import Share from 'lucide-react/icons/share-2';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useContext } from 'react';
import { useNavigate } from 'react-router';
import { type DocumentRole, mayManage } from 'weft-sync/protocol/roles.ts';
import type { PageTools } from '../../../editor/page-tools.ts';
import { useHelp } from '../../../features/help/help-provider.tsx';
import { ImportExportItems } from '../../../features/import-export/import-export-items.tsx';
import { useShell } from '../../../shell/shell-context.ts';
import { useMayCreatePages, usePage, useValue, useWorkspace } from '../../../state/hooks.ts';
import { historyAddress, pagePath, safeViewAddress } from '../../../state/workspace/page-address.ts';
import { MenuItem, MenuSeparator, SubMenu } from '../../../ui/floating/menu.tsx';
import { FollowContext } from '../following/follow-context.ts';
import {
  BlockLinkItem,
  Counts,
  FindItem,
  HeadingsItem,
  RecoveredTextItem,
  SmartQuotesItem,
} from './page-menu-items.tsx';
import { EntryOptions, FindAgainItems, PlaceItems } from './page-place-items.tsx';
import { TrashItem } from './trash-item.tsx';

type PageMenuProps = {
  readonly title: string;
  readonly role: DocumentRole | null;
  /** Null if this person may not share the page, or a button beside the menu does it. */
  readonly onShare: (() => void) | null;
  /** Null while no editor is mounted. */
  readonly tools: PageTools | null;
};

export function PageMenu({ title, role, onShare, tools }: PageMenuProps) {
  const { documentId, editableAtom } = usePage();
  const { workspace } = useWorkspace();
  const isMember = useMayCreatePages();
  const isEditable = useValue(editableAtom);
  const navigate = useNavigate();
  const { importFiles } = useShell();
  const help = useHelp();
  const { isPresenting, setPresenting } = useContext(FollowContext);
  const address = pagePath(workspace.slug, { id: documentId, title });
  return (
    <>
      {onShare !== null && (
        <MenuItem icon={<Share className="icon" />} onSelect={onShare}>
          Share
        </MenuItem>
      )}
      {tools !== null && <FindItem tools={tools} isEditable={isEditable} />}
      <FindAgainItems id={documentId} />
      <MenuItem icon={<History className="icon" />} onSelect={() => void navigate(historyAddress(address))}>
        History
      </MenuItem>
      {tools !== null && <RecoveredTextItem tools={tools} />}
      <MenuSeparator />
      <PlaceItems id={documentId} />
      {tools !== null && <HeadingsItem tools={tools} />}
      <SubMenu icon={<Maximize className="icon" aria-hidden />} label="Present and view">
        {isEditable && tools !== null && (
          <MenuItem
            icon={<Presentation className="icon" />}
            disabled={isPresenting}
            onSelect={() => setPresenting(true)}
          >
            Present
          </MenuItem>
        )}
        <MenuItem icon={<Maximize className="icon" />} onSelect={() => void navigate(`${address}/watch`)}>
          Full-screen view
        </MenuItem>
      </SubMenu>
      <SubMenu icon={<Download className="icon" aria-hidden />} label={isMember ? 'Export and import' : 'Export'}>
        <ImportExportItems onImport={isMember ? importFiles : null} />
      </SubMenu>
      <SubMenu icon={<SlidersHorizontal className="icon" aria-hidden />} label="Page options">
        <EntryOptions id={documentId} />
        {tools !== null && <BlockLinkItem tools={tools} address={`${location.origin}${address}`} />}
        {tools !== null && isEditable && <SmartQuotesItem tools={tools} />}
        {mayManage(role) && (
          <MenuItem icon={<LifeBuoy className="icon" />} onSelect={() => void navigate(safeViewAddress(address))}>
            Repair this page…
          </MenuItem>
        )}
        <MenuItem icon={<Keyboard className="icon" />} keys="?" onSelect={help}>
          Keys and marks
        </MenuItem>
      </SubMenu>
      <TrashItem id={documentId} />
      {tools !== null && <Counts tools={tools} />}
    </>
  );
}

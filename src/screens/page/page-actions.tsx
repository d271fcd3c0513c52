// The actions on a whole page at the end of the top bar: the share button, and a menu with the others, whose code loads a moment
// after the page.
import Lock from 'lucide-react/icons/lock';
import Share from 'lucide-react/icons/share-2';
import { useCallback, useContext, useEffect, useState } from 'react';
import { mayManage } from 'weft-sync/protocol/roles.ts';
import { useCopyLink } from '../../features/sharing/use-copy-link.ts';
import { useShell } from '../../shell/shell-context.ts';
import { useIsRestricted, useListedPage, useMayCreatePages, usePage, useValue } from '../../state/hooks.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Button } from '../../ui/controls/button.tsx';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { MenuItem } from '../../ui/floating/menu.tsx';
import { MoreMenu } from '../../ui/floating/more-menu.tsx';
import { PageToolsContext } from './page-tools-context.ts';

const ShareDialog = latePart(async () => (await import('../../features/sharing/share-dialog.tsx')).ShareDialog);

/** After the page has loaded what it needs. */
const PRELOADS_AFTER_MS = 1_500;
const PageMenu = latePart(
  async () => (await import('./menu/page-menu.tsx')).PageMenu,
  <MenuItem disabled>Loading…</MenuItem>,
);

export function PageBarActions({ title }: { readonly title: string }) {
  const { documentId, roleAtom, pendingAtom, errorAtom } = usePage();
  /** A page that is not on the server yet cannot be shared. */
  const isCreated = useValue(pendingAtom) === null;
  const isMember = useMayCreatePages();
  const listed = useListedPage(documentId);
  const isRestricted = useIsRestricted(documentId);
  const role = useValue(roleAtom) ?? listed?.role ?? null;
  const isClosed = useValue(errorAtom)?.code === 'WF001';
  // Members see who may open the page, managers change it; a visitor by a link may do neither, nor may someone who lost access
  // and still has the page on the screen with unsent edits.
  const maySeeSharing = (isMember || mayManage(role)) && !isClosed;
  const copyLink = useCopyLink();
  const isPhone = useMedia(PHONE);
  const tools = useContext(PageToolsContext);
  const [isSharing, setSharing] = useState(false);
  const [wasShared, setWasShared] = useState(false);
  useEffect(() => {
    const timer = setTimeout(PageMenu.preload, PRELOADS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const share = useCallback(() => {
    setWasShared(true);
    setSharing(true);
  }, []);
  const mayShare = maySeeSharing && isCreated;
  const { offerShare } = useShell();
  useEffect(() => {
    if (!mayShare) return undefined;
    offerShare(share);
    return () => offerShare(null);
  }, [offerShare, mayShare, share]);
  return (
    <>
      {!isPhone && maySeeSharing && (
        <Button onClick={share} disabled={!isCreated}>
          {isRestricted ? <Lock className="icon" /> : <Share className="icon" />}
          Share
        </Button>
      )}
      <MoreMenu>
        <PageMenu title={title} onShare={isPhone && mayShare ? share : null} role={role} tools={tools} />
      </MoreMenu>
      {wasShared && (
        <ShareDialog
          page={documentId}
          title={shownTitle(title)}
          mayManage={mayManage(role)}
          origin={location.origin}
          open={isSharing}
          onOpenChange={setSharing}
          onCopyLink={() => copyLink(documentId)}
        />
      )}
    </>
  );
}

// `/w/:workspace/p/:page`: a page in its workspace. Keeps the page's session open while the screen is mounted.
import type { Editor } from '@tiptap/core';
import { Suspense, lazy, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useParams } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayManage } from 'weft-sync/protocol/roles.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { VisitChanges } from '../../editor/changes/use-change-steps.tsx';
import { PageEditor } from '../../editor/page-editor.tsx';
import type { PageTools } from '../../editor/page-tools.ts';
import { SubpagesContext } from '../../editor/subpages/subpages-context.ts';
import { usePageClosure } from '../../features/closed-pages/use-page-closure.ts';
import { useOpeningMark, useSafeView } from '../../features/safe-view/use-safe-view.ts';
import { whenIdle } from '../../lib/async/when-idle.ts';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { isNewPage } from '../../shell/new-page-state.ts';
import { useShell } from '../../shell/shell-context.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { useListedPage, usePage, useValue, useWorkspace } from '../../state/hooks.ts';
import { pageParam, pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { FailedPart, type Failure } from '../../ui/feedback/failed-part.tsx';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { LateUnsentEdits } from '../errors/error-screen.tsx';
import { CommentsOnScreenContext, useCommentsOnScreen } from './comments/comments-on-screen.ts';
import { CommentsBesidePage } from './comments/late-parts.ts';
import { useMayComment } from './comments/use-may-comment.ts';
import { FollowContext, type Followed } from './following/follow-context.ts';
import { IconButtonOfPage } from './icon-button-of-page.tsx';
import { LastEdited } from './last-edited.tsx';
import { subpagesList } from './late-subpages.tsx';
import { PageBar } from './page-bar.tsx';
import { PageFailed } from './page-failed.tsx';
import { NoPage, PageOfAddress } from './page-of-address.tsx';
import { PageOffline } from './page-offline.tsx';
import { PageToolsContext } from './page-tools-context.ts';
import { TabIcon } from './tab-icon.tsx';
import { TemplateOffer } from './template-offer.tsx';
import { useChangesSince } from './use-changes-since.ts';
import { useMentionableNames } from './use-mentionable-names.ts';
import { usePeopleHere } from './use-people-here.ts';
import { useNotedEditing, useVisit } from './use-visit.ts';

/** Few pages need it. */
const SafeView = lazy(async () => ({
  default: (await import('../../features/safe-view/safe-view.tsx')).SafeView,
}));

/** Loads the history too, so only once someone asks. */
const AskedWords = latePart(async () => (await import('../../features/who-wrote/asked-words.tsx')).AskedWords);

/** Needed only in company. */
const PageFollowing = latePart(async () => (await import('./following/page-following.tsx')).PageFollowing);

export const PageScreen = () => (
  <PageOfAddress missing={<NoPage />}>
    <Page />
  </PageOfAddress>
);

/** A page that could not be opened has no bar of its own, because nothing is known about it. */
function Page() {
  const page = usePage();
  const { setCurrentPage } = useWorkspace();
  useEffect(() => {
    setCurrentPage(page.documentId);
    return () => setCurrentPage(null);
  }, [setCurrentPage, page]);
  useCanonicalAddress(page.documentId);
  const phase = useValue(page.phaseAtom);
  const isAccessLost = useValue(page.isAccessLostAtom);
  const connection = useValue(page.connectionAtom);
  const session = useValue(page.sessionAtom);
  const [tools, setTools] = useState<PageTools | null>(null);
  const [followed, follow] = useState<Followed | null>(null);
  const [isPresenting, setPresenting] = useState(false);
  const commentsOnScreen = useCommentsOnScreen();
  const following = useMemo(() => ({ followed, follow, isPresenting, setPresenting }), [followed, isPresenting]);
  const closure = usePageClosure();
  const isEditable = useValue(page.editableAtom) && closure?.kind !== 'trashed';
  const { offerPresent } = useShell();
  const mayPresent = isEditable && tools !== null;
  useEffect(() => {
    if (!mayPresent) return undefined;
    offerPresent(() => setPresenting(true));
    return () => offerPresent(null);
  }, [offerPresent, mayPresent]);
  if (phase === 'failed' || isAccessLost) return <PageFailed closure={closure} />;
  // A page that is on this device would have opened by now.
  if ((phase !== 'ready' || session === null) && connection === 'offline') return <PageOffline />;
  return (
    <PageToolsContext value={tools}>
      <FollowContext value={following}>
        <CommentsOnScreenContext value={commentsOnScreen}>
          <PageTab />
          <ErrorBoundary renderFailed={(failure) => <BarFailed {...failure} />}>
            <PageBar closure={closure} />
          </ErrorBoundary>
          <div className="page-area">
            <PageBody isLocked={closure?.kind === 'trashed'} onTools={setTools} />
            <CommentsBesidePage />
          </div>
          <Company />
        </CommentsOnScreenContext>
      </FollowContext>
    </PageToolsContext>
  );
}

/** The receipt is always there. */
const BarFailed = (failure: Failure) => (
  <TopBar receipt={<DeviceReceipt />} actions={null} banner={<FailedPart {...failure} />} />
);

/** Following and presenting, while others are on the page. */
function Company() {
  const page = usePage();
  const { isPresenting } = useContext(FollowContext);
  const isLed = useValue(page.presenterAtom) !== null;
  const hasCompany = useValue(page.peersAtom).length > 1 || isLed || isPresenting;
  // It stays after the others have left, to say that they did.
  const [hadCompany, setHadCompany] = useState(false);
  if (hasCompany && !hadCompany) setHadCompany(true);
  if (!hasCompany && !hadCompany) return null;
  return <PageFollowing />;
}

/** Replaces an outdated title in the address, without a step in the history. */
function useCanonicalAddress(id: DocumentId): void {
  const { workspace } = useWorkspace();
  const { page: param } = useParams();
  const listed = useListedPage(id);
  const navigate = useNavigate();
  // Not while another navigation runs: the later of two navigations wins, and this one would bring the person back.
  const isLeaving = useNavigation().state !== 'idle';
  const canonical = listed === null ? null : pageParam(listed);
  useEffect(() => {
    if (isLeaving || listed === null || canonical === null || canonical === param) return;
    const { search, hash } = location;
    void navigate({ pathname: pagePath(workspace.slug, listed), search, hash }, { replace: true });
  }, [navigate, isLeaving, workspace.slug, listed, canonical, param]);
}

function PageTab() {
  const page = usePage();
  const title = useValue(page.titleAtom);
  const oldestAt = useValue(page.oldestUnsentAtom);
  const icon = useListedPage(page.documentId)?.icon ?? null;
  return (
    <>
      <TabTitle title={shownTitle(title ?? '')} oldestAt={oldestAt} />
      {icon !== null && <TabIcon icon={icon} />}
    </>
  );
}

type PageBodyProps = {
  /** No one may edit the page: it is in the trash. */
  readonly isLocked: boolean;
  readonly onTools: (tools: PageTools | null) => void;
};

function PageBody({ isLocked, onTools }: PageBodyProps) {
  const page = usePage();
  const phase = useValue(page.phaseAtom);
  const session = useValue(page.sessionAtom);
  const isReady = phase === 'ready' && session !== null;
  if (!isReady) {
    return (
      <div className="placeholder">
        <Skeleton label="Opening the page" widths={['58%', '96%', '92%', '40%']} />
      </div>
    );
  }
  return <ReadyPage session={session} isLocked={isLocked} onTools={onTools} />;
}

type ReadyPageProps = PageBodyProps & { readonly session: Session };

function ReadyPage({ session, isLocked, onTools }: ReadyPageProps) {
  const page = usePage();
  const title = useValue(page.titleAtom);
  const isEditable = useValue(page.editableAtom) && !isLocked;
  const { reason, open } = useSafeView(session);
  useNotedEditing(session);
  const lastVisit = useVisit(session);
  const changes = useChangesSince(session, lastVisit);
  if (reason === null) {
    return <EditedPage session={session} isLocked={isLocked} changes={changes} onTools={onTools} />;
  }
  return (
    <Suspense fallback={null}>
      <SafeView session={session} title={shownTitle(title ?? '')} reason={reason} editable={isEditable} onOpen={open} />
    </Suspense>
  );
}

type EditedPageProps = ReadyPageProps & { readonly changes: VisitChanges | null };

function EditedPage({ session, isLocked, changes, onTools }: EditedPageProps) {
  const page = usePage();
  const isEditable = useValue(page.editableAtom) && !isLocked;
  const { everyone } = usePeopleHere();
  const { state, hash, pathname } = useLocation();
  /** The editor whose selected words someone asks about, or wants to erase for good. */
  const [asked, setAsked] = useState<{ readonly editor: Editor; readonly erase: boolean } | null>(null);
  const mayErase = mayManage(useValue(page.roleAtom));
  const questions = { ask: (editor: Editor, erase: boolean) => setAsked({ editor, erase }), mayErase };
  const mayComment = useMayComment();
  const isNew = isNewPage(state);
  const names = useMentionableNames();
  const navigate = useNavigate();
  const visit = useCallback((address: string) => void navigate(address), [navigate]);
  // Depends on the hash only, not on the history entry: a new title replaces the entry, and must not scroll to the block
  // again while the person types.
  const target = useMemo(() => ({ hash }), [hash]);
  const { isMarked, onDrawn } = useOpeningMark(session);
  // What a failure needs: from now on there may be edits, and the network may go.
  useEffect(() => whenIdle(LateUnsentEdits.preload), []);
  useEffect(() => {
    if (isNew && isMarked) document.querySelector<HTMLElement>('[aria-label="Page title"]')?.focus();
  }, [isNew, isMarked]);
  if (!isMarked) return null;
  return (
    <SubpagesContext value={subpagesList}>
      <PageEditor
        session={session}
        people={everyone}
        editable={isEditable}
        files={page.files}
        meta={
          <>
            {isEditable && <IconButtonOfPage id={page.documentId} />}
            <LastEdited id={page.documentId} />
            {isEditable && <TemplateOffer session={session} />}
          </>
        }
        names={names}
        visit={visit}
        target={target}
        changes={changes}
        questions={questions}
        mayComment={mayComment}
        onTools={onTools}
        onDrawn={onDrawn}
      />
      {asked !== null && (
        <AskedWords {...{ asked, mayErase, session }} path={pathname} onClose={() => setAsked(null)} />
      )}
    </SubpagesContext>
  );
}

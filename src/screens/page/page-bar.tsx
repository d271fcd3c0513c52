// The top bar of a page: its path, its receipt, the people on it and its actions; below it the banner.
import { selectAtom } from 'jotai/utils';
import { atom } from 'jotai/vanilla';
import { useContext, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import { NoticeBanner } from '../../features/notices/notice-banner.tsx';
import { pageNotice } from '../../features/notices/page-notice.ts';
import { PeopleRow, type PersonHere } from '../../features/presence/people-row.tsx';
import type { Closure } from '../../protocol/people-answers.ts';
import { ReceiptButton } from '../../shell/receipts/receipt-button.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import {
  useApp,
  useAppValue,
  useIsRestricted,
  useListedPage,
  usePage,
  usePath,
  usePerson,
  useValue,
  useWorkspace,
} from '../../state/hooks.ts';
import type { PageView } from '../../state/page/page-view.ts';
import type { AskedAccess } from '../../state/person/asked-access.ts';
import { pagePath, workspacePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { MenuItem } from '../../ui/floating/menu.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { LateCommentsButton } from './comments/late-parts.ts';
import { downloadUnsent } from './download-unsent.ts';
import { FollowContext } from './following/follow-context.ts';
import { PageBarActions } from './page-actions.tsx';
import { usePeopleHere } from './use-people-here.ts';
import { useReaders } from './use-readers.ts';

const loadMenus = () => import('./following/person-menu.tsx');
const PersonMenu = latePart(async () => (await loadMenus()).PersonMenu, <MenuItem disabled>Loading…</MenuItem>);
const FollowButton = latePart(async () => (await loadMenus()).FollowButton);

const menuOf = (person: PersonHere) => <PersonMenu person={person} />;
const actionOf = (person: PersonHere) => <FollowButton person={person} />;

export function PageBar({ closure }: { readonly closure: Closure }) {
  const page = usePage();
  const { workspace } = useWorkspace();
  const listed = useListedPage(page.documentId);
  // Null while nothing is known of the page, which may not exist.
  const knownTitle = useValue(page.titleAtom) ?? listed?.title ?? null;
  const title = knownTitle ?? '';
  const isRestricted = useIsRestricted(page.documentId);
  const ancestors = usePath(page.documentId).map((one) => ({
    to: pagePath(workspace.slug, one),
    name: shownTitle(one.title),
    icon: one.icon,
  }));
  return (
    <TopBar
      ancestors={
        ancestors.length > 0 ? ancestors : [{ to: workspacePath(workspace.slug), name: workspace.name, icon: null }]
      }
      {...(knownTitle === null ? {} : { name: shownTitle(title) })}
      icon={listed?.icon ?? null}
      isRestricted={isRestricted}
      receipt={<PageReceipt title={title} />}
      actions={
        knownTitle !== null && (
          <>
            <LateCommentsButton />
            <People />
            <PageBarActions title={title} />
          </>
        )
      }
      banner={<Notice title={title} closure={closure} />}
    />
  );
}

function PageReceipt({ title }: { readonly title: string }) {
  const page = usePage();
  const view = useValue(page.viewAtom);
  return (
    <ReceiptButton
      view={view}
      readLive={page.readLive}
      onRetry={page.retry}
      onDownload={() => downloadUnsent(page, title)}
    />
  );
}

function People() {
  const { others, isSomeoneUnnamed } = usePeopleHere();
  const page = usePage();
  const receipt = useValue(page.receiptAtom);
  const { followed } = useContext(FollowContext);
  const watchers = useValue(page.watchersAtom);
  const { readers, elsewhere } = useReaders();
  const people = [...others, ...elsewhere].map(({ id, displayName, color, avatarPath }) => ({
    id,
    name: displayName,
    color,
    picture: avatarPath ?? null,
    role: readers.has(id) ? ('viewer' as const) : null,
  }));
  return (
    <PeopleRow
      people={people}
      isSomeoneUnnamed={isSomeoneUnnamed}
      isReceiptLong={receipt !== 'saved' && receipt !== 'sending'}
      followed={followed?.user ?? null}
      byLink={watchers?.links ?? 0}
      menuOf={menuOf}
      actionOf={actionOf}
    />
  );
}

function Notice({ title, closure }: { readonly title: string; readonly closure: Closure }) {
  const page = usePage();
  const person = usePerson();
  const queued = useValue(page.pendingAtom);
  const workspace = useWorkspace();
  const { reload } = useApp();
  const me = person.identity.id;
  const role = useValue(page.roleAtom);
  const restore = useRestore();
  const [asked, setAsked] = useState<AskedAccess | null>(null);
  useEffect(() => asked?.follow(), [asked]);
  const isDenied = useValue(asked?.atom ?? neverAskedAtom) === 'denied';
  const isExpired = useAppValue((app) => app.signInAtom).status === 'expired';
  const noticeAtom = useMemo(() => {
    const noticeOf = (view: PageView) =>
      view.phase === 'ready' ? pageNotice({ ...view, isExpired, queued, closure, me }) : null;
    return selectAtom(page.viewAtom, noticeOf, (a, b) => a?.about === b?.about && a?.text === b?.text);
  }, [page, isExpired, queued, closure, me]);
  const notice = useValue(noticeAtom);
  // Every key makes something unsent for a moment: read this only while a notice offers the download.
  const canDownloadAtom = useMemo(
    () => atom((get) => get(noticeAtom) !== null && get(page.hasUnsentAtom)),
    [noticeAtom, page],
  );
  const canDownload = useValue(canDownloadAtom);
  const navigate = useNavigate();
  const location = useLocation();
  const ask = async () => {
    const { askedAccess } = await import('../../state/person/asked-access.ts');
    const request = askedAccess({ ...person, document: page.documentId });
    const answer = await request.ask('editor', '');
    if (answer.ok) setAsked(request);
    toast(answer.ok ? 'Request sent. You’ll get the answer in your inbox.' : textOf(answer.error));
  };
  return (
    <NoticeBanner
      notice={notice !== null && isDenied ? { ...notice, text: `${notice.text} Your request was denied.` } : notice}
      onRetry={() => person.retryAll()}
      onSignIn={() => void navigate('/sign-in', { state: returnAddressFrom(location) })}
      onReload={reload}
      onDownload={canDownload ? () => downloadUnsent(page, title) : null}
      onRestore={mayEdit(role) ? () => void restore() : null}
      onRequestAccess={asked !== null || closure?.kind === 'purged' ? null : () => void ask()}
      onMoveToTop={
        queued?.parent == null || queued.lost !== undefined ? null : () => void workspace.moveToTop(page.documentId)
      }
    />
  );
}

const neverAskedAtom = atom('none' as const);

/** Brings the page back from the trash; edits that wait go out then. */
function useRestore(): () => Promise<void> {
  const page = usePage();
  const { directory } = usePerson();
  const { put } = useWorkspace();
  return async () => {
    const answer = await directory.restoreDocument(page.documentId);
    if (!answer.ok) return toast(textOf(answer.error));
    put(answer.value);
    page.retry();
  };
}

// The banner under the top bar of a page: the worst problem, and the action that helps.
import CircleAlert from 'lucide-react/icons/circle-alert';
import Lock from 'lucide-react/icons/lock';
import LogIn from 'lucide-react/icons/log-in';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Trash from 'lucide-react/icons/trash-2';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { ReactNode } from 'react';
import { useSettled } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { PageNotice } from './page-notice.ts';

type NoticeBannerProps = {
  readonly notice: PageNotice | null;
  readonly onRetry: () => void;
  readonly onSignIn: () => void;
  readonly onReload: () => void;
  readonly onDownload: (() => void) | null;
  /** Null when the page has no parent to leave. */
  readonly onMoveToTop: (() => void) | null;
  /** Null for people who may not restore the page. */
  readonly onRestore: (() => void) | null;
  /** Null once this person has asked, and if the page was deleted for good. */
  readonly onRequestAccess: (() => void) | null;
};

/** The receipt shows an outage first; one that is over within three seconds gets no banner. */
const SHOWN_AFTER_MS = 3_000;

const ICONS = {
  notCreated: CircleAlert,
  closed: CircleAlert,
  trashed: Trash,
  refused: CircleAlert,
  files: CircleAlert,
  signedOut: LogIn,
  oldApp: RefreshCw,
  full: CircleAlert,
  readOnly: Lock,
  offline: WifiOff,
  damaged: CircleAlert,
  slowed: CircleAlert,
  large: CircleAlert,
} as const;

export function NoticeBanner({ notice, ...actions }: NoticeBannerProps) {
  const waits = notice?.about === 'offline' || notice?.about === 'signedOut';
  const about = useSettled(notice?.about ?? null, waits ? SHOWN_AFTER_MS : 0);
  if (notice === null || about !== notice.about) return null;
  const Icon = ICONS[notice.about];
  return (
    <Banner kind={notice.kind} icon={<Icon className="icon" />} action={actionOf(notice.about, actions)}>
      {notice.text}
    </Banner>
  );
}

function actionOf(about: PageNotice['about'], actions: Omit<NoticeBannerProps, 'notice'>): ReactNode {
  switch (about) {
    case 'notCreated':
      return (
        <>
          {actions.onMoveToTop && small('Move to top level', actions.onMoveToTop)}
          {actions.onDownload && small('Download a copy', actions.onDownload)}
        </>
      );
    case 'closed':
      return (
        <>
          {actions.onDownload && small('Download a copy', actions.onDownload)}
          {actions.onRequestAccess && small('Request access', actions.onRequestAccess)}
        </>
      );
    case 'trashed':
      return (
        <>
          {actions.onDownload && small('Download a copy', actions.onDownload)}
          {actions.onRestore && small('Restore', actions.onRestore)}
        </>
      );
    case 'refused':
      return actions.onDownload && small('Download a copy', actions.onDownload);
    case 'signedOut':
      return small('Sign in', actions.onSignIn);
    case 'oldApp':
      return small('Reload', actions.onReload);
    case 'offline':
      return small('Try now', actions.onRetry);
    case 'files':
    case 'full':
    case 'readOnly':
    case 'damaged':
    case 'slowed':
    case 'large':
      return null;
  }
}

const small = (label: string, onClick: () => void) => (
  <Button size="small" onClick={onClick}>
    {label}
  </Button>
);

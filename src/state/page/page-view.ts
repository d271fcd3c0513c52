// The view of a page that waits to be created on the server, or whose files wait for their upload. Each counts as an
// edit, because the page is not fully saved before that.
import { weftError } from '../../protocol/errors.ts';
import type { SessionView } from '../../sync/session/views.ts';
import type { PendingPage } from '../../ports/device.ts';
import type { WaitingFiles } from '../files/uploads.ts';

export type PageView = SessionView & {
  /** This many files were rejected and nothing else was: the server accepts all text. */
  readonly refusedFiles?: number;
};

/** The refused edits are those of before a final restore (HI5): no one has to mend anything, and the page can be edited. */
export const isKeptAsFile = ({ receipt, error }: Pick<SessionView, 'receipt' | 'error'>): boolean =>
  receipt === 'refused' && error?.code === 'WF016';

/** Returns the session's own view unless something besides its edits is waiting. */
export function pageView(view: SessionView, queued: PendingPage | null, files: WaitingFiles | null): PageView {
  if (queued === null && files === null) return view;
  const { edits, oldestAt } = view.unsent;
  const oldest = [oldestAt, queued?.madeAt, files?.oldestAt].filter((at) => typeof at === 'number');
  const refused = files?.refused ?? 0;
  const isPageRefused = queued?.refused != null;
  return {
    ...view,
    receipt: receiptOf(view, isPageRefused || refused > 0),
    // HI5: the page is older than a restore that was final.
    ...(queued?.refused === 'WF016' ? { error: weftError('WF016') } : {}),
    ...(refused > 0 && !isPageRefused && view.receipt !== 'refused' ? { refusedFiles: refused } : {}),
    unsent: { edits: edits + (queued === null ? 0 : 1) + (files?.count ?? 0), oldestAt: Math.min(...oldest) },
    upToDate: false,
  };
}

function receiptOf({ receipt, connection }: SessionView, isRefused: boolean): SessionView['receipt'] {
  if (isRefused) return 'refused';
  if (receipt !== 'saved' && receipt !== 'readonly') return receipt;
  return connection === 'offline' ? 'device' : 'sending';
}

// What a page says of itself while it waits to be made on the server, or files of it wait to be stored. Each counts as an
// edit: until the server has it, not all of the page is saved.
import type { SessionView } from '../../sync/session/views.ts';
import type { PendingPage } from '../ports.ts';
import type { WaitingFiles } from '../files/uploads.ts';

export type PageView = SessionView & {
  /** So many files were refused and nothing else: the server takes every word. */
  readonly refusedFiles?: number;
};

/** The session's own view, unless something of the page waits beside its edits. */
export function pageView(view: SessionView, queued: PendingPage | null, files: WaitingFiles | null): PageView {
  if (queued === null && files === null) return view;
  const { edits, oldestAt } = view.unsent;
  const oldest = [oldestAt, queued?.madeAt, files?.oldestAt].filter((at) => typeof at === 'number');
  const refused = files?.refused ?? 0;
  const isPageRefused = queued?.refused != null;
  return {
    ...view,
    receipt: receiptOf(view, isPageRefused || refused > 0),
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

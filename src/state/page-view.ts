// What a page says of itself while it waits to be made on the server. Making it counts as an edit: until the server
// has it, nothing of it is saved.
import type { SessionView } from '../sync/view.ts';
import type { QueuedPage } from './ports.ts';

/** The session's own view, unless the page is still to be made. */
export function pageView(view: SessionView, queued: QueuedPage | null): SessionView {
  if (queued === null) return view;
  const { edits, oldestAt } = view.unsent;
  return {
    ...view,
    receipt: receiptOf(view, queued),
    unsent: { edits: edits + 1, oldestAt: Math.min(oldestAt ?? queued.madeAt, queued.madeAt) },
    upToDate: false,
  };
}

function receiptOf({ receipt, connection }: SessionView, { refused }: QueuedPage): SessionView['receipt'] {
  if (refused !== null) return 'refused';
  if (receipt !== 'saved' && receipt !== 'readonly') return receipt;
  return connection === 'offline' ? 'device' : 'sending';
}

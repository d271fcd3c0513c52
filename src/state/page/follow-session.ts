// Follows the session of an open page: its view, and what its document says.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { Timing } from '../offline/cached-list.ts';
import { followDocument } from './follow-document.ts';

/** Missed rows are fetched after the topic is joined. */
const CATCHING_UP_MS = 3_000;

export function followSession(options: {
  readonly session: Session;
  readonly readTitle: (doc: Y.Doc) => string;
  readonly timing: Pick<Timing, 'now'>;
  /** The view before the session's first one. */
  readonly opening: SessionView;
  readonly onView: (view: SessionView, before: SessionView) => void;
  /** Runs first when the page is ready, then with each edit. */
  readonly onTitle: (title: string) => void;
  /** Another session edited the page just now: someone else, or this person in another tab. */
  readonly onOthersEdit: (by: UserId, at: number) => void;
}): Cancel {
  const { session, timing } = options;
  let shown = options.opening;
  let liveAt = 0;

  const readTitle = () => options.onTitle(options.readTitle(session.doc));
  const afterTransaction = (transaction: Y.Transaction) => {
    const { phase, peers, connection } = session.getView();
    if (transaction.changed.size === 0 || phase !== 'ready') return;
    readTitle();
    // Edits that arrive right after an absence are older than now. The lists are fetched again then and know their
    // times.
    if (transaction.local || connection !== 'live' || timing.now() < liveAt + CATCHING_UP_MS) return;
    for (const { by } of remoteDeletions(transaction) ?? []) {
      const peer = peers.find((one) => one.session === by);
      if (peer?.user != null) options.onOthersEdit(peer.user, timing.now());
    }
  };
  const readView = () => {
    const before = shown;
    shown = session.getView();
    if (shown.phase === 'ready' && before.phase !== 'ready') readTitle();
    if (shown.connection === 'live' && before.connection !== 'live') liveAt = timing.now();
    options.onView(shown, before);
  };

  // Listens before the first render that sees the document.
  const stopFollowing = followDocument(session, afterTransaction);
  const unsubscribe = session.subscribe(readView);
  readView();
  return () => {
    unsubscribe();
    stopFollowing();
  };
}

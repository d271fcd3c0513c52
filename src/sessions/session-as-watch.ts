// Gives a signed-in person's session the interface of a WatchSession, for the full-screen view and the wall: the same page,
// read-only.
import { titleText } from 'weft-document/title.ts';
import type { Session, WatchSession } from 'weft-sync/session/session-api.ts';
import type { SessionView, WatchView } from 'weft-sync/session/views.ts';
import { followDocument } from '../state/page/follow-document.ts';

export function sessionAsWatch(session: Session): WatchSession {
  let viewedState: SessionView | null = null;
  let view: WatchView | null = null;
  return {
    get doc() {
      return session.doc;
    },
    get shownSeq() {
      return session.shownSeq;
    },
    getView() {
      const now = session.getView();
      const title = now.phase === 'ready' ? titleText(session.doc) : '';
      if (view !== null && now === viewedState && view.title === title) return view;
      viewedState = now;
      view = {
        phase: phaseOf(now),
        documentId: now.document === null ? null : session.documentId,
        title,
        role: now.role,
        changedAt: now.changedAt,
        error: now.error,
        presenter: now.presenter,
        // Its history opens from the page itself.
        showsHistory: false,
        comments: null,
        rebuilds: now.rebuilds,
      };
      return view;
    },
    subscribe(run) {
      const stopFollowing = followDocument(session, run);
      const unsubscribe = session.subscribe(run);
      return () => {
        unsubscribe();
        stopFollowing();
      };
    },
    setStance: (stance) => session.setStance(stance),
    retry: () => session.retry(),
    // Nothing to close: the list of open pages owns the session.
    close: () => undefined,
  };
}

function phaseOf({ phase, connection }: SessionView): WatchView['phase'] {
  if (phase === 'failed' || phase === 'closed') return 'failed';
  if (phase === 'opening') return 'opening';
  return connection === 'live' ? 'live' : 'reconnecting';
}
